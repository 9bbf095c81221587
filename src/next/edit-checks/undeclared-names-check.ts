import type { NameTable, NameTables, NameUse } from "../../names/index.ts";
import { type CheckedDocument, languageById } from "../../syntax/index.ts";
import { anyIdentifier, countsOf, type Edit, escapedPattern, Lines, type TextEdit } from "../../text/index.ts";
import type { WorkspaceTexts } from "../engine/text-index.ts";

/**
 * Finds the names that an edit of JavaScript or TypeScript leaves undeclared: they are still used,
 * and their declaration is gone. Where the edit declares something else instead, the uses are
 * expected to be renamed next, and none is reported. Other languages are not checked.
 */
export class UndeclaredNamesCheck {
  readonly #tables: NameTables;

  constructor(tables: NameTables) {
    this.#tables = tables;
  }

  /**
   * Returns the names that an edit leaves undeclared, each once; an empty list where the names of
   * the text are not known. Names in the inserted text are not included: they may be declared
   * later.
   */
  of({ uri: path, language, text }: CheckedDocument, edit: Edit): readonly string[] {
    const takesNames = edit.edits.some(({ start, end }) => text.slice(start, end).search(anyIdentifier) >= 0);
    if (!takesNames || languageById(language)?.script === undefined) return [];
    const before = this.#tables.of(path, language, text);
    if (before === undefined || !takesDeclaration(before, text, edit)) return [];
    const after = this.#tables.once(path, language, edit.apply(text));
    if (after === undefined) return [];
    if (more(declarations(before), declarations(after)).length > 0) return [];
    const inserted = new Set(edit.edits.flatMap((one) => one.text.match(anyIdentifier) ?? []));
    return more(undeclaredUses(before), undeclaredUses(after)).filter((name) => !inserted.has(name));
  }
}

/**
 * Whether an edit deletes a declared name or a declaration's keyword. Otherwise nothing can become
 * undeclared, and the new text need not be parsed.
 */
function takesDeclaration({ uses }: NameTable, text: string, edit: Edit): boolean {
  return edit.edits.some(({ start, end }) => {
    if (declaring.test(text.slice(start, end))) return true;
    return uses.some((use) => use.role === "declares" && start < use.end && use.start < end);
  });
}

const declaring = /\b(?:var|let|const|using|function|class|enum|interface|type|namespace|import|catch)\b/;

/** By name, how many uses have no declaration in the file. */
function undeclaredUses({ uses }: NameTable): ReadonlyMap<string, number> {
  return counted(uses.filter(({ role, binding }) => role === "uses" && binding === undefined));
}

/** By name, how often it is declared. */
function declarations({ uses }: NameTable): ReadonlyMap<string, number> {
  return counted(uses.filter(({ role }) => role === "declares"));
}

function counted(uses: readonly NameUse[]): ReadonlyMap<string, number> {
  return countsOf(uses.map(({ name }) => name));
}

/** The names whose count is higher after than before. */
function more(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): readonly string[] {
  return [...after.keys()].filter((name) => after.get(name)! > (before.get(name) ?? 0));
}

/**
 * Returns the members that an edit of `text` uses in place of others and that no text of the
 * workspace contains. Renaming a parameter to `amount` renames no member, so `this.amount` in place
 * of `this.count` is undeclared. Empty where all are known; a name that more than 40 files contain
 * counts as known.
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
    const paths = files.containing([name]);
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
  return new RegExp(`(?:\\.|->|#)${escapedPattern(name)}(?![\\p{ID_Continue}$])|${declares(name).source}`, "mu");
}

function declares(name: string): RegExp {
  const front =
    "(?:^|[{;]|\\b(?:public|private|protected|readonly|static|override|abstract|async|get|set|def|func|fn|val|var|let|const))\\s*";
  return new RegExp(`${front}["']?${escapedPattern(name)}(?![\\p{ID_Continue}$])`, "mu");
}
