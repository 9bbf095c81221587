import type { EditedFile } from "./edited-files.ts";
import type { NameBinding, NameTable } from "./name-table.ts";
import type { BindingRename, HabitCount, HabitRename, Rename } from "./rename.ts";
import { joinedEvidence } from "./rename-evidence.ts";

/** What {@link habitsOf} asks. */
export interface HabitQuestions {
  tableOf(path: string, text: string): NameTable | undefined;
}

/**
 * What was renamed alike in scopes of its own, twice or more, such as the same parameter of several functions.
 *
 * Those of the same name that stand between renamed ones, and kept it, were passed over: they speak against it.
 */
export function* habitsOf(
  renames: readonly Rename[],
  edited: readonly EditedFile[],
  questions: HabitQuestions,
): Generator<HabitRename> {
  const groups = new Map<string, BindingRename[]>();
  for (const one of renames) {
    if (one.kind !== "binding" || !one.isDeclared || one.evidence.sign === "import") continue;
    const key = `${one.from} ${one.to} ${one.declares}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  for (const [first, ...others] of groups.values()) {
    if (first === undefined || others.length === 0) continue;
    const { from, to, path, declares, edit } = first;
    const joined = others.reduce((sum, one) => joinedEvidence(sum, one.evidence), first.evidence);
    const evidence = { ...joined, sign: "habit", examples: others.length + 1 } as const;
    const counts = new HabitCounts();
    for (const file of edited) {
      const own = [first, ...others].filter((one) => one.path === file.path);
      const table = own.length === 0 ? undefined : questions.tableOf(file.path, file.text);
      if (table !== undefined) counts.take(table, own);
    }
    yield { kind: "habit", from, to, path, declares, edit, evidence, byHost: counts.byHost };
  }
}

class HabitCounts {
  readonly byHost = new Map<string, HabitCount>();

  /** Counts what a file renamed, and what it kept in between. */
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

  #add(table: NameTable, scope: number, more: HabitCount): void {
    const host = hostOf(table, scope);
    for (const key of host === undefined ? [""] : ["", host]) {
      const known = this.byHost.get(key) ?? { renamed: 0, passed: 0 };
      this.byHost.set(key, { renamed: known.renamed + more.renamed, passed: known.passed + more.passed });
    }
  }
}

/** How surely a binding follows a habit, from 0 to 1: by those whose code is called like its own, else by all. */
export function habitFit({ byHost }: HabitRename, table: NameTable, { scope }: NameBinding): number {
  const host = hostOf(table, scope);
  const alike = host === undefined ? undefined : byHost.get(host);
  if (alike !== undefined) return (alike.renamed + 1) / (alike.renamed + alike.passed * 2 + 1.3);
  const { renamed, passed } = byHost.get("") ?? { renamed: 0, passed: 0 };
  // Of others, those that have some name of their own are known to be others.
  return Math.max(0, renamed - 1) / (renamed + passed * 2 + 1);
}

/** What the code is called that a scope belongs to. */
function hostOf(table: NameTable, scope: number): string | undefined {
  for (let at = scope; at >= 0; at = table.scopes[at]!.parent) {
    const { host } = table.scopes[at]!;
    if (host !== undefined) return host;
  }
  return undefined;
}
