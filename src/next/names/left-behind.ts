import { languageById } from "../../syntax/index.ts";
import type { Edit } from "../../text/index.ts";
import type { FileText } from "../added-syntax-errors.ts";
import type { NameTable, NameUse } from "./name-table.ts";
import type { NameTables } from "./name-tables.ts";

/**
 * Says which names edits of scripts leave behind: they are used as before, and what declared them is gone. Where something else is declared instead, the uses
 * are to be renamed next, as a person does it, and nothing is left behind. Other languages are not looked at.
 */
export class LeftBehind {
  readonly #tables: NameTables;

  constructor(tables: NameTables) {
    this.#tables = tables;
  }

  /** The names that an edit leaves behind, each once. What the edit itself says is not meant: it may be declared later. */
  of({ path, language, text }: FileText, edit: Edit): readonly string[] {
    const takesNames = edit.edits.some(({ start, end }) => text.slice(start, end).search(identifier) >= 0);
    if (!takesNames || languageById(language)?.script === undefined) return [];
    const before = this.#tables.of(path, language, text);
    if (before === undefined || !takesDeclaration(before, text, edit)) return [];
    const after = this.#tables.once(path, language, edit.apply(text));
    if (after === undefined) return [];
    if (more(declarations(before), declarations(after)).length > 0) return [];
    const said = new Set(edit.edits.flatMap((one) => one.text.match(identifier) ?? []));
    return more(undeclaredUses(before), undeclaredUses(after)).filter((name) => !said.has(name));
  }
}

const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Whether an edit takes away a name where it is declared, or what makes it a declaration; else nothing can be left behind, and nothing is read anew. */
function takesDeclaration({ uses }: NameTable, text: string, edit: Edit): boolean {
  return edit.edits.some(({ start, end }) => {
    if (declaring.test(text.slice(start, end))) return true;
    return uses.some((use) => use.role === "declares" && start < use.end && use.start < end);
  });
}

const declaring = /\b(?:var|let|const|using|function|class|enum|interface|type|namespace|import|catch)\b/;

/** How often each name is used that nothing in the file declares. */
function undeclaredUses({ uses }: NameTable): ReadonlyMap<string, number> {
  return counted(uses.filter(({ role, binding }) => role === "uses" && binding === undefined));
}

/** How often each name is declared. */
function declarations({ uses }: NameTable): ReadonlyMap<string, number> {
  return counted(uses.filter(({ role }) => role === "declares"));
}

function counted(uses: readonly NameUse[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of uses) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The names that are there more often after than before. */
function more(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): readonly string[] {
  return [...after.keys()].filter((name) => after.get(name)! > (before.get(name) ?? 0));
}
