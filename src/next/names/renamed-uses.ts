import type { TextEdit } from "../../text/index.ts";
import { commentUses } from "./comment-uses.ts";
import { habitFit } from "./find-habits.ts";
import { lineRuns } from "./line-runs.ts";
import type { MovedUse } from "./moved-modules.ts";
import type { MemberOwner, NameTable, NameUse } from "./name-table.ts";
import { ownerName } from "./name-table.ts";
import {
  type BindingRename,
  type HabitRename,
  type MemberRename,
  type ModuleRename,
  type MovedModule,
  memberExamples,
  type Rename,
} from "./rename.ts";
import { isDistinctive, saidNames } from "./said-names.ts";
import { type UseFeatures, type UsePlace, type UsesFile, useFeatures } from "./use-features.ts";
import { useLikelihood } from "./use-likelihood.ts";

/** A place that a rename changes, and how likely it becomes just that, from 0 to 1. */
export interface RenamedUse extends TextEdit {
  readonly features: UseFeatures;
  readonly likelihood: number;
  readonly rename: Rename;
  readonly role: UsePlace["role"];
  /** How surely it is a place of the rename, from 0 to 1. */
  readonly fit: number;
}

/** A place as the renames find it one by one, and how surely it is one, from 0 to 1. */
interface Found extends TextEdit {
  readonly fit: number;
  readonly role: UsePlace["role"];
}

/** What the places of renames in one file are found with. */
export interface FileOfNames extends UsesFile {
  readonly text: string;
  readonly table: NameTable;
  /** Whether a module's name, as it is written in the file, means what a module's rename is about. */
  isMeant(source: string, rename: ModuleRename): boolean;
  /** Whether something that another module passes on is a module as a whole that is meant. */
  isMeantAs(space: { readonly name: string; readonly source?: string }, rename: ModuleRename): boolean;
  /** The names of modules in the file that a move changes; `isGone` tells whether one means nothing by now. */
  moved(move: MovedModule): Iterable<MovedUse>;
  /** How surely the file knows what another one declares without importing it, from 0 to 1. */
  knowsOf(rename: ModuleRename): number;
  /** How likely a member is meant of which nobody tells whose it is, from 0 to 1. */
  guessOf(rename: MemberRename): number;
}

/**
 * The places of a file that renames change, in the order of the text, no two at one place.
 *
 * Nothing is captured: where the new name would mean something else, the place is left as it is, or what it means gets an alias.
 */
export function renamedUses(file: FileOfNames, renames: readonly Rename[]): RenamedUse[] {
  const { isOther, cursor } = file;
  const byStart = new Map<number, RenamedUse>();
  for (const rename of renames) {
    const named = [...placesOf(file, rename, renames)].sort((one, other) => one.start - other.start);
    const runs = lineRuns(file.text, named);
    const said = file.table.named(rename.to).length;
    const runsAbove = isOther ? 0 : runs.filter((run) => run[0]!.start < cursor).length;
    for (const { fit, role, ...edit } of [...named, ...saidPlaces(file, rename, renames)]) {
      const distance = isOther ? -1 : Math.abs(edit.start - cursor);
      const place = {
        ...{ start: edit.start, role, fit, runs: runs.length, runsAbove, distance },
        ...{ next: file.text.charAt(edit.end), known: said },
      };
      const features = useFeatures(rename, renames, place, file);
      const likelihood = useLikelihood(features);
      const known = byStart.get(edit.start);
      if (known === undefined || known.likelihood < likelihood)
        byStart.set(edit.start, { ...edit, features, likelihood, rename, role, fit });
    }
  }
  return [...byStart.values()].sort((one, other) => one.start - other.start);
}

function placesOf(file: FileOfNames, rename: Rename, all: readonly Rename[]): Iterable<Found> {
  switch (rename.kind) {
    case "binding":
      return bindingUses(file, rename, all);
    case "module":
      return moduleUses(file, rename);
    case "member":
      return memberUses(file, rename, all);
    case "habit":
      return habitUses(file, rename, all);
    case "moved":
      return movedPlaces(file, rename, all);
  }
}

/** What names a module that is elsewhere: surely, where it means nothing by now. */
function* movedPlaces({ moved }: FileOfNames, move: MovedModule, all: readonly Rename[]): Generator<Found> {
  const { from, to } = move;
  const isRenamed = all.some((one) => one.kind === "module" && one.from === from && one.to === to);
  for (const { isGone, isOwn, names, start, end, text } of moved(move)) {
    // What a module is called after often has its new name too, which is not known so far.
    const isPart = from !== to && names.includes(from) && !isRenamed;
    yield { start, end, text, fit: (isGone && !isOwn ? 1 : 0.8) * (isPart ? 0.4 : 1), role: "imports" };
  }
}

/** Where comments and strings say a name that is gone: only one of several words is no plain word. */
function* saidPlaces(
  { path, text, table, guessOf }: FileOfNames,
  rename: Rename,
  all: readonly Rename[],
): Generator<Found> {
  const { kind, from, to } = rename;
  if (kind === "habit" || kind === "moved" || rename.evidence.sign !== "declared" || !isDistinctive(from)) return;
  if (kind === "binding" && (rename.path !== path || table.named(from).some(({ role }) => role === "declares"))) return;
  const within = kind === "binding" ? table.scopes[rename.scope]! : undefined;
  const sure = kind === "member" ? surenessOf(rename, all, guessOf(rename)) : 1;
  for (const { start, end, isInComment } of saidNames(text, table, from)) {
    if (within !== undefined && (start < within.start || end > within.end)) continue;
    yield { start, end, text: to, fit: sure * (isInComment ? 0.65 : 0.4), role: "comment" };
  }
}

function* bindingUses(
  { path, text, table }: FileOfNames,
  rename: BindingRename,
  all: readonly Rename[],
): Generator<Found> {
  if (rename.path !== path) return;
  const { from, to, scope, strays, isDeclared } = rename;
  const target = table.scopes[scope]?.names.get(isDeclared ? to : from);
  if (target === undefined) return;
  const uses = bindingsNamed(table, from).filter((use) => {
    if (!table.isWithin(use.scope, scope)) return false;
    if (!isDeclared) return use.binding === target;
    if (use.binding === undefined) return true;
    const { scope: within } = table.bindings[use.binding]!;
    // A further declaration of the same, as overloads are; one further in is another thing, one further out shows where this one was.
    return within === scope || (!table.isWithin(within, scope) && strays.has(use.start));
  });
  const free = uses.filter((use) => table.resolve(to, use.scope) === (isDeclared ? target : undefined));
  if (!isDeclared && free.length < uses.length) return;
  for (const use of free) yield written(use, to, isMemberToo(rename, all));
  const declared = table.named(isDeclared ? to : from).find((use) => use.role === "declares" && use.binding === target);
  if (declared === undefined) return;
  // The comment above a function speaks of its parameters, that above anything of itself.
  const { kind } = table.bindings[target]!;
  const above = kind === "parameter" || kind === "type parameter" ? table.scopes[scope]!.start : declared.start;
  for (const place of commentUses(text, above, from)) yield { ...place, text: to, fit: 0.8, role: "comment" };
}

/** Others of the same name and kind, each in its own scope. */
function* habitUses({ table }: FileOfNames, rename: HabitRename, all: readonly Rename[]): Generator<Found> {
  const { from, to, declares } = rename;
  for (const [index, binding] of table.bindings.entries()) {
    if (binding.name !== from || binding.kind !== declares || binding.isExported) continue;
    const uses = bindingsNamed(table, from).filter(({ binding }) => binding === index);
    if (uses.some(({ scope }) => table.resolve(to, scope) !== undefined)) continue;
    const fit = habitFit(rename, table, binding);
    for (const use of uses) yield written(use, to, isMemberToo(rename, all), fit);
  }
}

/** Whether a member of the same name got the new name too, so that what is `{ x }` stays as short. */
function isMemberToo({ from, to }: Rename, all: readonly Rename[]): boolean {
  return all.some((one) => one.kind === "member" && one.from === from && one.to === to);
}

/** A use under another name. Where a key is the same word, it keeps its name unless it got the new one too. */
function written({ start, end, shared, role }: NameUse, to: string, isKeyToo: boolean, fit = 1): Found {
  if ((shared === "object" || shared === "pattern") && !isKeyToo)
    return { start: end, end, text: `: ${to}`, fit, role };
  return { start, end, text: to, fit, role };
}

function* moduleUses(file: FileOfNames, rename: ModuleRename): Generator<Found> {
  const { table } = file;
  const { from, to, module } = rename;
  if ("path" in module && module.path === file.path) {
    yield* ownUses(table, rename);
    return;
  }
  const known = file.knowsOf(rename);
  for (const use of table.named(from)) {
    const { role, start, end, owner, source } = use;
    if (role === "imports" && source !== undefined && file.isMeant(source, rename)) {
      if (use.shared === "import" || use.shared === "pattern") yield* importedUses(table, use, to);
      else yield { start, end, text: to, fit: 1, role };
    } else if (role === "member" && owner !== undefined && isOfModule(owner, file, rename)) {
      if (use.shared === "pattern") yield* takenUses(table, use, to, 1);
      else yield { start, end, text: to, fit: 1, role };
    } else if (role === "uses" && use.binding === undefined && known > 0) {
      if (table.resolve(to, use.scope) === undefined) yield { start, end, text: to, fit: known, role };
    }
  }
}

/** Whether the owner of a member is a module that is meant: one that is imported whole, or by its name from the one around it. */
function isOfModule(owner: MemberOwner, { isMeant, isMeantAs }: FileOfNames, rename: ModuleRename): boolean {
  if (owner.kind === "module") return isMeant(owner.source, rename);
  return owner.kind === "named" && isMeantAs(owner, rename);
}

/** The declaration itself and its uses, in the file that exports it, and what it is given away as. */
function* ownUses(table: NameTable, { from, to }: ModuleRename): Generator<Found> {
  for (const { role, source, shared, start, end } of table.named(from)) {
    if (role === "exports" && source === undefined && shared === undefined)
      yield { start, end, text: to, fit: 1, role };
  }
  const binding = table.scopes[0]!.names.get(from);
  if (binding === undefined || !table.bindings[binding]!.isExported || table.scopes[0]!.names.has(to)) return;
  const uses = bindingsNamed(table, from).filter((use) => use.binding === binding);
  if (uses.some((use) => table.resolve(to, use.scope) !== undefined)) return;
  for (const use of uses) yield written(use, to, false);
}

/** `import { from }`, or what is taken from a module that is loaded, and all its uses; the old name stays as an alias where the new one means something else. */
function* importedUses(table: NameTable, imported: NameUse, to: string): Generator<Found> {
  const uses = boundAt(table, imported);
  if (uses.some((use) => table.resolve(to, use.scope) !== undefined)) {
    const text = imported.shared === "pattern" ? `${to}: ` : `${to} as `;
    yield { start: imported.start, end: imported.start, text, fit: 1, role: imported.role };
    return;
  }
  for (const use of uses) yield written(use, to, use.start === imported.start);
}

function* memberUses(file: FileOfNames, rename: MemberRename, all: readonly Rename[]): Generator<Found> {
  const { table } = file;
  const { from, to, owner } = rename;
  const guess = file.guessOf(rename);
  for (const use of table.named(from)) {
    if (use.role !== "member" && use.role !== "key" && use.role !== "member-declares") continue;
    if (use.owner?.kind === "module" || (use.role === "key" && rename.isHidden)) continue;
    if (from.startsWith("#") && !isInOwner(table, use, rename, file.path)) continue;
    const own = ownerName(table, use);
    // Something else that declares it too may be a kind of the owner, or have nothing to do with it.
    const sure = surenessOf(rename, all, own === undefined ? guess : guess * 0.5);
    // What is asked of another one is that one's, whoever else was renamed alike.
    const fit = own === undefined ? sure : own === owner ? 1 : use.role === "member" ? guess * 0.5 : sure;
    if (use.shared === "object") {
      const isValueToo = all.some(
        (one) => one.kind === "binding" && one.path === file.path && one.to === to && isOfBinding(table, use, one),
      );
      if (isValueToo) yield { start: use.start, end: use.end, text: to, fit, role: use.role };
      else yield { start: use.start, end: use.start, text: `${to}: `, fit, role: use.role };
    } else if (use.shared === "pattern" || use.shared === "parameter") {
      yield* takenUses(table, use, to, fit);
    } else yield { start: use.start, end: use.end, text: to, fit, role: use.role };
  }
}

/** Whether the identifier that a use stands on names what a rename is about. */
function isOfBinding(table: NameTable, { name, start }: NameUse, { from, scope, strays }: BindingRename): boolean {
  if (name !== from) return false;
  const binding = table.at(start).find(({ role }) => role === "uses")?.binding;
  return binding === undefined || strays.has(start) || table.bindings[binding]!.scope === scope;
}

/** How surely a member gets the new name of which only a guess says so: the more have it by now of which nobody tells whose they are, or of other owners, the surer. */
function surenessOf(rename: MemberRename, all: readonly Rename[], guess: number): number {
  return 1 - (1 - guess) * 0.65 ** (memberExamples(rename, all) - 1);
}

/** Whether a use stands where the private names of a member's owner are known. */
function isInOwner({ owners }: NameTable, { start }: NameUse, { path, owner }: MemberRename, own: string): boolean {
  return path === own && owners.some((one) => one.name === owner && one.start <= start && start < one.end);
}

/** `{ from }` in a pattern: what is taken goes by the new name from there on, unless that means something else, or others know what was taken by its name. */
function* takenUses(table: NameTable, taken: NameUse, to: string, fit: number): Generator<Found> {
  const uses = boundAt(table, taken);
  const isExported = uses.some(({ binding }) => table.bindings[binding!]!.isExported);
  if (uses.length === 0 || isExported || uses.some((use) => table.resolve(to, use.scope) !== undefined)) {
    // A parameter that is a member has one name for both.
    if (taken.shared === "pattern")
      yield { start: taken.start, end: taken.start, text: `${to}: `, fit, role: taken.role };
    return;
  }
  for (const use of uses) yield written(use, to, use.start === taken.start, fit);
}

function bindingsNamed(table: NameTable, name: string): readonly NameUse[] {
  return table.named(name).filter(({ role }) => role === "uses" || role === "declares");
}

/** All uses of what is bound by the identifier that a use stands on. */
function boundAt(table: NameTable, { name, start }: NameUse): readonly NameUse[] {
  const binding = table.at(start).find(({ role }) => role === "declares" || role === "uses")?.binding;
  return binding === undefined ? [] : bindingsNamed(table, name).filter((use) => use.binding === binding);
}
