import { languageById } from "../../syntax/index.ts";
import type { Edit } from "../../text/index.ts";
import type { NameTable, NameUse } from "../providers/rename/name-table.ts";
import type { NameTables } from "../providers/rename/name-tables.ts";
import type { FileText } from "./added-syntax-errors.ts";

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
   * Returns the names that an edit leaves undeclared, each once. Names in the inserted text are not
   * included: they may be declared later.
   */
  of({ path, language, text }: FileText, edit: Edit): readonly string[] {
    const takesNames = edit.edits.some(({ start, end }) => text.slice(start, end).search(identifier) >= 0);
    if (!takesNames || languageById(language)?.script === undefined) return [];
    const before = this.#tables.of(path, language, text);
    if (before === undefined || !takesDeclaration(before, text, edit)) return [];
    const after = this.#tables.once(path, language, edit.apply(text));
    if (after === undefined) return [];
    if (more(declarations(before), declarations(after)).length > 0) return [];
    const inserted = new Set(edit.edits.flatMap((one) => one.text.match(identifier) ?? []));
    return more(undeclaredUses(before), undeclaredUses(after)).filter((name) => !inserted.has(name));
  }
}

const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

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
  const counts = new Map<string, number>();
  for (const { name } of uses) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The names whose count is higher after than before. */
function more(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): readonly string[] {
  return [...after.keys()].filter((name) => after.get(name)! > (before.get(name) ?? 0));
}
