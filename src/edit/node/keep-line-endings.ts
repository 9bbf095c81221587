import { byteOrderMark, detectLineEnding, diffSequences, Lines, withoutByteOrderMark } from "../../text/index.ts";

/**
 * The text `after` of an editor with the byte order mark and the line endings of the file `before`.
 *
 * Editors have no byte order mark, and some a single line ending for a document.
 */
export function keepForm(before: string, after: string): string {
  const mark = before.startsWith(byteOrderMark) ? byteOrderMark : "";
  return mark + withEndingsOf(before.slice(mark.length), withoutByteOrderMark(after));
}

function withEndingsOf(before: string, after: string): string {
  const [first, second] = new Set(before.match(lineEnd));
  if (first === undefined) return after;
  // Matching the lines takes long in a large file, and is needed only where line endings are mixed.
  return second === undefined ? after.replaceAll(lineEnd, first) : keepLineEndings(before, after);
}

const lineEnd = /\r\n|\r|\n/g;

/**
 * Returns the text `after` with the line endings of `before`: each line that both share keeps its
 * ending in `before`, and the others get the most common ending of `before`.
 */
export function keepLineEndings(before: string, after: string): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const usual = detectLineEnding(before) ?? "\n";
  const endings = fresh.map(({ ending }): string => (ending === "" ? "" : usual));
  let passed = 0;
  let at = 0;
  const keepUntil = (stop: number) => {
    for (; at < stop; at++, passed++) if (endings[at] !== "") endings[at] = old[passed]!.ending || usual;
  };
  for (const change of diffSequences(old.map(textOf), fresh.map(textOf))) {
    keepUntil(change.afterStart);
    at = change.afterEnd;
    passed = change.beforeEnd;
  }
  keepUntil(fresh.length);
  return fresh.map(({ text }, i) => text + endings[i]).join("");
}

interface EndedText {
  readonly text: string;
  readonly ending: string;
}

function linesOf(source: string): readonly EndedText[] {
  const lines = Lines.of(source);
  return Array.from({ length: lines.count }, (_, i) => {
    const start = lines.start(i);
    const end = lines.end(i);
    return { text: source.slice(start, end), ending: source.slice(end, lines.endWithBreak(i)) };
  });
}

function textOf({ text }: EndedText): string {
  return text;
}
