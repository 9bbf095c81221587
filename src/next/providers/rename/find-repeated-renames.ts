import type { NameBinding, NameTable } from "../../../names/index.ts";
import { addToGroup } from "../../../text/index.ts";
import type { EditedFile } from "./changed-texts.ts";
import {
  type BindingRename,
  joinedEvidence,
  type Rename,
  type RepeatedRename,
  type RepeatedRenameCount,
} from "./rename.ts";

/** The dependencies of {@link repeatedRenamesOf}. */
export interface RepeatedRenamesRequest {
  tableOf(path: string, text: string): NameTable | undefined;
}

/**
 * Yields names that were renamed in the same way in two or more separate scopes, such as the same
 * parameter of several functions.
 *
 * Declarations with the old name between renamed ones were passed over, and count against the
 * rename.
 */
export function* repeatedRenamesOf(
  renames: readonly Rename[],
  edited: readonly EditedFile[],
  questions: RepeatedRenamesRequest,
): Generator<RepeatedRename> {
  const groups = new Map<string, BindingRename[]>();
  for (const one of renames) {
    if (one.kind !== "binding" || !one.isDeclared || one.evidence.sign === "import") continue;
    const key = `${one.from} ${one.to} ${one.declares}`;
    addToGroup(groups, key, one);
  }
  for (const [first, ...others] of groups.values()) {
    if (first === undefined || others.length === 0) continue;
    const { from, to, path, declares, edits } = first;
    const joined = others.reduce((sum, one) => joinedEvidence(sum, one.evidence), first.evidence);
    const evidence = { ...joined, sign: "habit", examples: others.length + 1 } as const;
    const counts = new RepeatedRenameCounts();
    for (const file of edited) {
      const own = [first, ...others].filter((one) => one.path === file.path);
      const table = own.length === 0 ? undefined : questions.tableOf(file.path, file.text);
      if (table !== undefined) counts.take(table, own);
    }
    yield { kind: "habit", from, to, path, declares, edits, evidence, byHost: counts.byHost };
  }
}

class RepeatedRenameCounts {
  readonly byHost = new Map<string, RepeatedRenameCount>();

  /** Counts the renamed declarations of a file and those in between that kept the old name. */
  take(table: NameTable, renamed: readonly BindingRename[]): void {
    const starts = renamed.map(({ scope }) => table.scopes[scope]!.start);
    const [first, last] = [Math.min(...starts), Math.max(...starts)];
    for (const { scope } of renamed) this.#add(table, scope, { renamed: 1, passed: 0 });
    const [{ from, declares }] = renamed as [BindingRename];
    for (const { name, kind, scope } of table.bindings) {
      const { start } = table.scopes[scope]!;
      if (name === from && kind === declares && first < start && start < last)
        this.#add(table, scope, { renamed: 0, passed: 1 });
    }
  }

  #add(table: NameTable, scope: number, more: RepeatedRenameCount): void {
    const host = hostOf(table, scope);
    for (const key of host === undefined ? [""] : ["", host]) {
      const known = this.byHost.get(key) ?? { renamed: 0, passed: 0 };
      this.byHost.set(key, { renamed: known.renamed + more.renamed, passed: known.passed + more.passed });
    }
  }
}

/**
 * Returns how certainly a binding follows a repeated rename, in [0, 1]: by the counts of code with
 * the same host name, else by all counts.
 */
export function repeatedRenameFit({ byHost }: RepeatedRename, table: NameTable, { scope }: NameBinding): number {
  const host = hostOf(table, scope);
  const alike = host === undefined ? undefined : byHost.get(host);
  if (alike !== undefined) return (alike.renamed + 1) / (alike.renamed + alike.passed * 2 + 1.3);
  const { renamed, passed } = byHost.get("") ?? { renamed: 0, passed: 0 };
  // Code with a different host name is known to differ, so one example is subtracted.
  return Math.max(0, renamed - 1) / (renamed + passed * 2 + 1);
}

/** Returns the name of the code that a scope belongs to; `undefined` where it has none. */
function hostOf(table: NameTable, scope: number): string | undefined {
  for (let at = scope; at >= 0; at = table.scopes[at]!.parent) {
    const { host } = table.scopes[at]!;
    if (host !== undefined) return host;
  }
  return undefined;
}
