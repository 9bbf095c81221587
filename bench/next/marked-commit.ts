import type { CommitFile, CommitHunk } from "./commit-hunks.ts";

/**
 * The files of a commit as tests write them: a path, then its lines, each behind a space, `-` or
 * `+` and one more space.
 *
 * A file with `+` lines alone comes with the commit; to change an empty one, leave a line with a
 * space in it.
 */
export function markedCommit(source: string): CommitFile[] {
  const files: CommitFile[] = [];
  let path = "";
  let marked: string[] = [];
  const close = () => {
    if (path !== "") files.push(fileOf(path, marked));
    marked = [];
  };
  for (const line of source.replace(/^\n|\n\s*$/g, "").split("\n")) {
    if (/^[-+ ] /.test(line)) marked.push(line);
    else {
      close();
      path = line.trim();
    }
  }
  close();
  return files;
}

function fileOf(path: string, marked: readonly string[]): CommitFile {
  const side = (marks: string) => marked.filter((line) => marks.includes(line[0]!)).map((line) => line.slice(2));
  const [before, after] = [side(" -"), side(" +")];
  if (before.length === 0)
    return { path, before: undefined, after: after.join("\n"), hunks: [wholeHunk(path, [], after)] };
  const hunks: CommitHunk[] = [];
  let [beforeLine, afterLine] = [0, 0];
  for (let i = 0; i < marked.length; ) {
    if (marked[i]![0] === " ") {
      beforeLine++;
      afterLine++;
      i++;
      continue;
    }
    let end = i;
    while (end < marked.length && marked[end]![0] !== " ") end++;
    const run = marked.slice(i, end);
    const lines = (mark: string) => run.filter((line) => line[0] === mark).map((line) => line.slice(2));
    const hunk = { path, beforeStart: beforeLine, before: lines("-"), afterStart: afterLine, after: lines("+") };
    hunks.push(hunk);
    beforeLine += hunk.before.length;
    afterLine += hunk.after.length;
    i = end;
  }
  return { path, before: before.join("\n"), after: after.join("\n"), hunks };
}

function wholeHunk(path: string, before: readonly string[], after: readonly string[]): CommitHunk {
  return { path, beforeStart: 0, before, afterStart: 0, after };
}
