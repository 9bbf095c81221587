import type { NameBinding, NameTable, NameUse } from "../../../names/index.ts";
import type { WordChanges } from "./word-changes.ts";

/** An identifier before and after an edit, in one of its roles. */
export interface NamePair {
  readonly old: NameUse;
  readonly now: NameUse;
  /** The share of the surrounding lines that stayed, in [0, 1]. */
  readonly kept: number;
}

/** The names of a file before its edits and after. */
export interface BothTables {
  readonly before: NameTable;
  readonly after: NameTable;
}

/**
 * Returns the pairs of an identifier that edited lines lost and the one that replaced it: those at
 * replaced words, then those found by their import, their alias or their role.
 */
export function namePairs(changes: WordChanges, tables: BothTables): NamePair[] {
  const { before, after } = tables;
  const pairs = changes.replaced.flatMap((one) =>
    pairsAt(before.at(one.before.start), after.at(one.after.start), one.kept),
  );
  const paired = new Set(pairs.flatMap(({ old, now }) => [old, now]));
  for (const pairing of [pairsByImport, pairsByAlias, pairsByRole]) {
    const more = pairing(changes, tables, paired);
    for (const { old, now } of more) paired.add(old).add(now);
    pairs.push(...more);
  }
  return pairs;
}

function pairsAt(old: readonly NameUse[], now: readonly NameUse[], kept: number): NamePair[] {
  return old.flatMap((one) => {
    const other = now.find(({ role }) => kindOfRole(role) === kindOfRole(one.role));
    return other === undefined || other.name === one.name ? [] : [{ old: one, now: other, kept }];
  });
}

function kindOfRole(role: NameUse["role"]): string {
  if (role === "key" || role === "member" || role === "member-declares") return "member";
  return role;
}

/** Pairs the local names of one import: an alias was added, removed or changed. */
function pairsByImport({ gone, come }: WordChanges, { before, after }: BothTables, paired: Paired): NamePair[] {
  const importsAt = (table: NameTable, start: number) =>
    table.at(start).filter((use) => use.role === "declares" && importOf(table, use) !== undefined && !paired.has(use));
  const pairs = new Map<NameUse, NamePair>();
  for (const { start } of gone) {
    for (const old of importsAt(before, start)) {
      const now = importedAs(after, importOf(before, old)!);
      if (now !== undefined && now.name !== old.name) pairs.set(old, { old, now, kept: 1 });
    }
  }
  for (const { start } of come) {
    for (const now of importsAt(after, start)) {
      const old = importedAs(before, importOf(after, now)!);
      if (old !== undefined && now.name !== old.name) pairs.set(old, { old, now, kept: 1 });
    }
  }
  return [...pairs.values()];
}

type Imported = NonNullable<NameBinding["imported"]>;

function importOf(table: NameTable, { binding }: NameUse): Imported | undefined {
  return binding === undefined ? undefined : table.bindings[binding]!.imported;
}

/**
 * Returns the declaration of the local name of an import; `undefined` where the file has none or
 * several.
 */
function importedAs(table: NameTable, { source, name }: Imported): NameUse | undefined {
  const found = table.bindings.flatMap(({ imported }, index) =>
    imported?.source === source && imported.name === name ? [index] : [],
  );
  const [index] = found;
  if (index === undefined || found.length > 1) return undefined;
  return table.named(table.bindings[index]!.name).find((use) => use.role === "declares" && use.binding === index);
}

type Paired = ReadonlySet<NameUse>;

/**
 * Pairs the two names of an identifier with two roles where an alias was added or removed: `{ rate
 * }` became `{ taxRate: rate }`, or `export { rate }` became `export { rate as taxRate }`.
 */
function pairsByAlias(changes: WordChanges, { before, after }: BothTables, paired: Paired): NamePair[] {
  const { gone, come, stayed, isAlias } = changes;
  if (!isAlias) return [];
  const old = new Map([...stayed].map(([now, then]) => [then, now] as const));
  const split = come.flatMap(({ start }) => sharedRoles(after, start, (beside) => before.at(stayed.get(beside) ?? -1)));
  const joined = gone.flatMap(({ start }) => sharedRoles(before, start, (beside) => after.at(old.get(beside) ?? -1)));
  const pairs = [
    ...split.map(([now, then]) => ({ old: then, now })),
    ...joined.map(([then, now]) => ({ old: then, now })),
  ];
  return pairs
    .filter((pair) => pair.old.name !== pair.now.name && !paired.has(pair.old) && !paired.has(pair.now))
    .map((pair) => ({ ...pair, kept: 1 }));
}

/**
 * Returns the roles at a place that the identifier beside it has in the other text and not in this
 * one, each with its use there.
 */
function sharedRoles(
  table: NameTable,
  start: number,
  othersAt: (beside: number) => readonly NameUse[],
): (readonly [own: NameUse, other: NameUse])[] {
  return table.at(start).flatMap((own) =>
    table.beside(start).flatMap((beside) => {
      const kind = kindOfRole(own.role);
      const isSplit = table.at(beside).every(({ role, shared }) => kindOfRole(role) !== kind && shared === undefined);
      const other =
        isSplit && othersAt(beside).find((use) => use.shared !== undefined && kindOfRole(use.role) === kind);
      return other ? [[own, other] as const] : [];
    }),
  );
}

/**
 * Pairs a removed and an added name where each is the only one of its role: an import that moved
 * within its list, or a rewritten declaration.
 */
function pairsByRole({ gone, come }: WordChanges, { before, after }: BothTables, paired: Paired): NamePair[] {
  const roleOf = (table: NameTable, use: NameUse): string | undefined => {
    if (use.role === "declares") return `declares ${table.bindings[use.binding!]?.kind} ${use.shared ?? ""}`;
    if (use.role === "imports") return `imports ${use.source ?? ""}`;
    return undefined;
  };
  const byRole = new Map<string, { old: NameUse[]; now: NameUse[] }>();
  const take = (side: "old" | "now", table: NameTable, starts: readonly { readonly start: number }[]) => {
    for (const { start } of starts) {
      for (const use of table.at(start)) {
        const role = roleOf(table, use);
        if (role === undefined || paired.has(use)) continue;
        const group = byRole.get(role) ?? { old: [], now: [] };
        group[side].push(use);
        byRole.set(role, group);
      }
    }
  };
  take("old", before, gone);
  take("now", after, come);
  return [...byRole.values()].flatMap(({ old, now }) =>
    old.length === 1 && now.length === 1 && old[0]!.name !== now[0]!.name
      ? [{ old: old[0]!, now: now[0]!, kept: 0.5 }]
      : [],
  );
}
