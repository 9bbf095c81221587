import { type Edit, Lines, type TextEdit } from "../../text/index.ts";
import type { WorkspaceTexts } from "../engine/workspace-texts.ts";

/**
 * Returns the members that an edit uses in place of others and that no text of the workspace
 * contains. Renaming a parameter to `amount` renames no member, so `this.amount` in place of
 * `this.count` is undeclared. Empty where all are known.
 */
export function unknownMembers(text: string, edit: Edit, files: WorkspaceTexts): readonly string[] {
  const [before, after] = linesOf(text, edit);
  const [old, fresh] = [membersIn(before), membersIn(after)];
  const hasRemoved = [...old].some((name) => !fresh.has(name));
  const added = [...fresh].filter((name) => !old.has(name));
  if (!hasRemoved || added.length === 0) return [];
  return added.filter((name) => {
    const pattern = memberPattern(name);
    if (declares(name).test(after)) return false;
    const paths = files.saying([name]);
    return paths.length <= maxFiles && !paths.some((path) => pattern.test(files.textOf(path) ?? ""));
  });
}

/** A word that more files contain is assumed to be a member. */
const maxFiles = 40;

/** The lines that an edit changes, before and after it. */
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

/** Matches a use of a name as a member, or its declaration, as far as one line shows. */
function memberPattern(name: string): RegExp {
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
