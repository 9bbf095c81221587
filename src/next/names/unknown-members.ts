import { type Edit, Lines, type TextEdit } from "../../text/index.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";

/**
 * The members that an edit says instead of others and that no text says yet. Whoever renames a parameter to `amount` renames no member with it,
 * and `this.amount` in the place of `this.count` means nothing.
 */
export function unknownMembers(text: string, edit: Edit, files: WorkspaceTexts): readonly string[] {
  const [before, after] = linesOf(text, edit);
  const [old, fresh] = [membersIn(before), membersIn(after)];
  const gone = [...old].some((name) => !fresh.has(name));
  const came = [...fresh].filter((name) => !old.has(name));
  if (!gone || came.length === 0) return [];
  return came.filter((name) => {
    const says = saying(name);
    if (declares(name).test(after)) return false;
    const paths = files.saying([name]);
    return paths.length <= maxFiles && !paths.some((path) => says.test(files.textOf(path) ?? ""));
  });
}

/** A word that more files say is a member somewhere. */
const maxFiles = 40;

/** The lines that an edit changes, as they are and as they become. */
function linesOf(text: string, edit: Edit): readonly [before: string, after: string] {
  const cut = (source: string, ranges: readonly Pick<TextEdit, "start" | "end">[]) => {
    const lines = Lines.of(source);
    const parts = ranges.map(({ start, end }) =>
      source.slice(lines.start(lines.lineAt(start)), lines.end(lines.lineAt(end))),
    );
    return [...new Set(parts)].join("\n");
  };
  return [cut(text, edit.edits), cut(edit.apply(text), edit.rangesAfter())];
}

function membersIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<=(?:[\p{ID_Continue}$)\]]\??\.|->)#?)[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []);
}

/** What says a name as a member, or declares it where members are declared, as far as a line tells. */
function saying(name: string): RegExp {
  return new RegExp(`(?:\\.|->|#)${quoted(name)}(?![\\p{ID_Continue}$])|${declares(name).source}`, "mu");
}

function declares(name: string): RegExp {
  const front =
    "(?:^|[{;]|\\b(?:public|private|protected|readonly|static|override|abstract|async|get|set|def|func|fn|val|var|let|const))\\s*";
  return new RegExp(`${front}["']?${quoted(name)}(?![\\p{ID_Continue}$])`, "mu");
}

function quoted(name: string): string {
  return name.replaceAll("$", "\\$");
}
