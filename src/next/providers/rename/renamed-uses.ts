import { type MemberOwner, type NameTable, type NameUse, ownerName } from "../../../names/index.ts";
import type { TextEdit, TextRange } from "../../../text/index.ts";
import { escapedPattern, nameWords } from "../../../text/index.ts";
import { repeatedRenameFit } from "./find-repeated-renames.ts";
import type { MovedUse } from "./moved-modules.ts";
import {
  type BindingRename,
  isTemplateForm,
  type MemberRename,
  type ModuleRename,
  type MovedModule,
  memberExamples,
  type Rename,
  type RepeatedRename,
  renameInTemplate,
} from "./rename.ts";
import { type UseFeatures, type UsePlace, type UsesFile, useFeatures, useLikelihood } from "./use-features.ts";

/** A place that a rename changes, and the likelihood of exactly that edit, in [0, 1]. */
export interface RenamedUse extends TextEdit {
  readonly features: UseFeatures;
  readonly likelihood: number;
  readonly rename: Rename;
  readonly role: UsePlace["role"];
  /** How certainly it is a place of the rename, in [0, 1]. */
  readonly fit: number;
}

/** A place of a rename, and how certainly it is one, in [0, 1]. */
interface Found extends TextEdit {
  readonly fit: number;
  readonly role: UsePlace["role"];
}

/** What the places of renames in one file are found with. */
export interface FileOfNames extends UsesFile {
  readonly text: string;
  readonly table: NameTable;
  /** Whether a module name, as written in the file, refers to the module of a rename. */
  isMeant(source: string, rename: ModuleRename): boolean;
  /** Whether a re-export of another module is, as a whole, the module of a rename. */
  isMeantAs(space: { readonly name: string; readonly source?: string }, rename: ModuleRename): boolean;
  /**
   * Returns the module names in the file that a move changes; `isGone` is true for those that no
   * longer resolve.
   */
  moved(move: MovedModule): Iterable<MovedUse>;
  /** How likely the file can use another file's declarations without an import, in [0, 1]. */
  knowsOf(rename: ModuleRename): number;
  /** The likelihood that a member with an unknown owner is the renamed one, in [0, 1]. */
  guessOf(rename: MemberRename): number;
}

/**
 * Returns the places of a file that renames change, in the order of the text, at most one per
 * place.
 *
 * No name is captured: where the new name would refer to something else, the place is left out, or
 * its import gets an alias.
 */
export function renamedUses(file: FileOfNames, renames: readonly Rename[]): RenamedUse[] {
  const { isOther, cursor } = file;
  const byStart = new Map<number, RenamedUse>();
  for (const rename of renames) {
    const named = [...placesOf(file, rename, renames)].sort((one, other) => one.start - other.start);
    const runs = lineRuns(file.text, named);
    const newNameCount = file.table.named(rename.to).length;
    const runsAbove = isOther ? 0 : runs.filter((run) => run[0]!.start < cursor).length;
    for (const { fit, role, ...edit } of [...named, ...occurrencePlaces(file, rename, renames)]) {
      const distance = isOther ? -1 : Math.abs(edit.start - cursor);
      const place = {
        ...{ start: edit.start, role, fit, runs: runs.length, runsAbove, distance },
        ...{ next: file.text.charAt(edit.end), known: newNameCount },
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
      return repeatedUses(file, rename, all);
    case "moved":
      return movedPlaces(file, rename, all);
  }
}

/** Yields the names of a moved module; certain where the name no longer resolves. */
function* movedPlaces({ moved }: FileOfNames, move: MovedModule, all: readonly Rename[]): Generator<Found> {
  const { from, to } = move;
  const isRenamed = all.some((one) => one.kind === "module" && one.from === from && one.to === to);
  for (const { isGone, isOwn, names, start, end, text } of moved(move)) {
    // An export with the old name of the module is often renamed, too, to a name that is not known
    // yet.
    const isPart = from !== to && names.includes(from) && !isRenamed;
    yield { start, end, text, fit: (isGone && !isOwn ? 1 : 0.8) * (isPart ? 0.4 : 1), role: "imports" };
  }
}

/**
 * Yields occurrences of a renamed name in comments and strings, if the name has several words and
 * so is no plain word.
 */
function* occurrencePlaces(
  { path, text, table, guessOf }: FileOfNames,
  rename: Rename,
  all: readonly Rename[],
): Generator<Found> {
  const { kind, from, to } = rename;
  if (kind === "habit" || kind === "moved" || rename.evidence.sign !== "declared" || !isDistinctive(from)) return;
  if (kind === "binding" && (rename.path !== path || table.named(from).some(({ role }) => role === "declares"))) return;
  const within = kind === "binding" ? table.scopes[rename.scope]! : undefined;
  const sure = kind === "member" ? surenessOf(rename, all, guessOf(rename)) : 1;
  for (const { start, end, isInComment } of nameOccurrences(text, table, from)) {
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
  const { from, to, scope, capturedUses, isDeclared } = rename;
  const target = table.scopes[scope]?.names.get(isDeclared ? to : from);
  if (target === undefined) return;
  const uses = bindingsNamed(table, from).filter((use) => {
    if (!table.isWithin(use.scope, scope)) return false;
    if (!isDeclared) return use.binding === target;
    if (use.binding === undefined) return true;
    const { scope: within } = table.bindings[use.binding]!;
    // A declaration in the same scope belongs to the renamed one, as overloads do. One in an inner
    // scope is another thing; one in an outer scope appears where the renamed one was.
    return within === scope || (!table.isWithin(within, scope) && capturedUses.has(use.start));
  });
  const free = uses.filter((use) => table.resolve(to, use.scope) === (isDeclared ? target : undefined));
  if (!isDeclared && free.length < uses.length) return;
  for (const use of free) yield* written(use, to, isMemberToo(rename, all));
  const declared = table.named(isDeclared ? to : from).find((use) => use.role === "declares" && use.binding === target);
  if (declared === undefined) return;
  // The comment above a function documents its parameters; above anything else, the declaration
  // itself.
  const { kind } = table.bindings[target]!;
  const above = kind === "parameter" || kind === "type parameter" ? table.scopes[scope]!.start : declared.start;
  const documented = above === declared.start ? docSubject(text, above, from) : undefined;
  for (const place of [...commentUses(text, above, from), ...(documented ? [documented] : [])])
    yield { ...place, text: to, fit: 0.8, role: "comment" };
}

/** Yields other declarations of the same name and kind with their uses, each in its own scope. */
function* repeatedUses({ table }: FileOfNames, rename: RepeatedRename, all: readonly Rename[]): Generator<Found> {
  const { from, to, declares } = rename;
  for (const [index, binding] of table.bindings.entries()) {
    if (binding.name !== from || binding.kind !== declares || binding.isExported) continue;
    const uses = bindingsNamed(table, from).filter(({ binding }) => binding === index);
    if (uses.some(({ scope }) => table.resolve(to, scope) !== undefined)) continue;
    const fit = repeatedRenameFit(rename, table, binding);
    for (const use of uses) yield* written(use, to, isMemberToo(rename, all), fit);
  }
}

/** Whether a member of the same name got the new name, too, so that `{ x }` stays short. */
function isMemberToo({ from, to }: Rename, all: readonly Rename[]): boolean {
  return all.some((one) => one.kind === "member" && one.from === from && one.to === to);
}

/**
 * Renames a use. Where a key shares the identifier, the key keeps its name unless it got the new
 * one, too. Yields nothing where the new name cannot be written there.
 */
function* written(use: NameUse, to: string, isKeyToo: boolean, fit = 1): Generator<Found> {
  const { start, end, shared, role } = use;
  if ((shared === "object" || shared === "pattern") && !isKeyToo) yield { start: end, end, text: `: ${to}`, fit, role };
  else if (isTemplateForm(shared)) {
    const edit = renameInTemplate(use, shared, to, isKeyToo);
    if (edit !== undefined) yield { ...edit, fit, role };
  } else yield { start, end, text: to, fit, role };
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

/**
 * Whether the owner of a member is the module of a rename: imported as a whole, or by name from the
 * module around it.
 */
function isOfModule(owner: MemberOwner, { isMeant, isMeantAs }: FileOfNames, rename: ModuleRename): boolean {
  if (owner.kind === "module") return isMeant(owner.source, rename);
  return owner.kind === "named" && isMeantAs(owner, rename);
}

/** Yields the declaration and its uses in the exporting file, and its exported names. */
function* ownUses(table: NameTable, { from, to }: ModuleRename): Generator<Found> {
  for (const { role, source, shared, start, end } of table.named(from)) {
    if (role === "exports" && source === undefined && shared === undefined)
      yield { start, end, text: to, fit: 1, role };
  }
  const binding = table.scopes[0]!.names.get(from);
  if (binding === undefined || !table.bindings[binding]!.isExported || table.scopes[0]!.names.has(to)) return;
  const uses = bindingsNamed(table, from).filter((use) => use.binding === binding);
  if (uses.some((use) => table.resolve(to, use.scope) !== undefined)) return;
  for (const use of uses) yield* written(use, to, false);
}

/**
 * Yields `import { from }` or a destructured `require`, and all its uses. The old name stays as an
 * alias where the new one would refer to something else.
 */
function* importedUses(table: NameTable, imported: NameUse, to: string): Generator<Found> {
  const uses = boundAt(table, imported);
  if (uses.some((use) => table.resolve(to, use.scope) !== undefined)) {
    const text = imported.shared === "pattern" ? `${to}: ` : `${to} as `;
    yield { start: imported.start, end: imported.start, text, fit: 1, role: imported.role };
    return;
  }
  for (const use of uses) yield* written(use, to, use.start === imported.start);
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
    // Another owner that declares the member may be a subtype of the renamed one's owner, or
    // unrelated.
    const sure = surenessOf(rename, all, own === undefined ? guess : guess * 0.5);
    // A member of another known owner belongs to that owner, whatever else was renamed.
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

/** Whether the identifier of a use refers to what a rename is about. */
function isOfBinding(
  table: NameTable,
  { name, start }: NameUse,
  { from, scope, capturedUses }: BindingRename,
): boolean {
  if (name !== from) return false;
  const binding = table.at(start).find(({ role }) => role === "uses")?.binding;
  return binding === undefined || capturedUses.has(start) || table.bindings[binding]!.scope === scope;
}

/**
 * The certainty of a member whose owner is a guess: it grows with the number of members that were
 * renamed in the same way.
 */
function surenessOf(rename: MemberRename, all: readonly Rename[], guess: number): number {
  return 1 - (1 - guess) * 0.65 ** (memberExamples(rename, all) - 1);
}

/** Whether a use is inside the owner of a private `#` member. */
function isInOwner({ owners }: NameTable, { start }: NameUse, { path, owner }: MemberRename, own: string): boolean {
  return path === own && owners.some((one) => one.name === owner && one.start <= start && start < one.end);
}

/**
 * Yields `{ from }` in a pattern with the uses of the new variable, unless the new name would refer
 * to something else or the variable is exported.
 */
function* takenUses(table: NameTable, taken: NameUse, to: string, fit: number): Generator<Found> {
  const uses = boundAt(table, taken);
  const isExported = uses.some(({ binding }) => table.bindings[binding!]!.isExported);
  if (uses.length === 0 || isExported || uses.some((use) => table.resolve(to, use.scope) !== undefined)) {
    // A parameter property has one name for the parameter and the member.
    if (taken.shared === "pattern")
      yield { start: taken.start, end: taken.start, text: `${to}: `, fit, role: taken.role };
    return;
  }
  for (const use of uses) yield* written(use, to, use.start === taken.start, fit);
}

function bindingsNamed(table: NameTable, name: string): readonly NameUse[] {
  return table.named(name).filter(({ role }) => role === "uses" || role === "declares");
}

/** Returns all uses of the binding of a use's identifier. */
function boundAt(table: NameTable, { name, start }: NameUse): readonly NameUse[] {
  const binding = table.at(start).find(({ role }) => role === "declares" || role === "uses")?.binding;
  return binding === undefined ? [] : bindingsNamed(table, name).filter((use) => use.binding === binding);
}

/**
 * An occurrence of a name that is no identifier: in a comment, in a string, or in the text of HTML.
 */
interface NameOccurrence extends TextRange {
  readonly isInComment: boolean;
}

/** Whether a name has several words, so that prose does not contain it by chance. */
function isDistinctive(name: string): boolean {
  return nameWords(name).length > 1;
}

/**
 * Yields the occurrences of a name in the text of a table that are no identifiers. Pass only
 * {@link isDistinctive} names: others cannot be distinguished from plain words.
 */
function* nameOccurrences(text: string, table: NameTable, name: string): Generator<NameOccurrence> {
  const { comments } = table;
  let comment = 0;
  for (let start = text.indexOf(name); start >= 0; start = text.indexOf(name, start + name.length)) {
    const end = start + name.length;
    if (isPartOfName.test(text[start - 1] ?? "") || isPartOfName.test(text[end] ?? "")) continue;
    if (table.at(start).length > 0) continue;
    while (comment < comments.length && comments[comment]!.end <= start) comment++;
    yield { start, end, isInComment: comment < comments.length && comments[comment]!.start < start };
  }
}

/**
 * Characters next to an occurrence that make it part of another name, of a file name or of an
 * address.
 */
const isPartOfName = /[\p{ID_Continue}$#@/-]/u;

/**
 * Returns where the comment directly above a declaration refers to a name: after `@param`, in
 * backticks, or in a link. Any other occurrence may be a plain word.
 *
 * `start` is the offset of the declared code; only words may be between the comment and it, as in
 * `export async function f`. Empty where there is no such comment.
 */
function commentUses(text: string, start: number, name: string): readonly TextRange[] {
  const from = Math.max(0, start - maxDistance);
  const close = text.lastIndexOf("*/", start);
  if (close < from || !/^\*\/[\s\w$.=<>:@,]*$/.test(text.slice(close, start))) return [];
  const open = text.lastIndexOf("/**", close);
  if (open < from) return [];
  const comment = text.slice(open, close);
  const word = escapedPattern(name);
  const marked = new RegExp(
    `(@(?:param|arg|argument|typeParam|template)\\s+(?:\\{[^}\\n]*\\}\\s*)?\\[?|\`|\\{@link(?:code)?\\s+)${word}(?![\\w$])`,
    "g",
  );
  return Array.from(comment.matchAll(marked), (match) => {
    const at = open + match.index + match[1]!.length;
    return { start: at, end: at + name.length };
  });
}

/**
 * Where the line comments directly above a declaration begin with its name, as Go's do: `// Total
 * adds up`. `start` is the offset of the name; only words may be between the comment and it.
 */
function docSubject(text: string, start: number, name: string): TextRange | undefined {
  const above = text.slice(Math.max(0, start - maxDistance), start).split("\n");
  if (!/^[\s\w]*$/.test(above.at(-1)!)) return undefined;
  let at = start - above.at(-1)!.length;
  let first: string | undefined;
  // The first line may be cut.
  for (const line of above.slice(start > maxDistance ? 1 : 0, -1).toReversed()) {
    if (!/^\s*\/\//.test(line)) break;
    first = line;
    at -= line.length + 1;
  }
  const head = /^\s*\/\/[ \t]*/.exec(first ?? "")?.[0];
  if (head === undefined || !first!.startsWith(name, head.length)) return undefined;
  const found = { start: at + head.length, end: at + head.length + name.length };
  return isPartOfName.test(text.charAt(found.end)) ? undefined : found;
}

/** How far above its declaration a comment may begin, in UTF-16 units. */
const maxDistance = 5_000;

/**
 * Groups the edits of a text, sorted by offset, into runs on consecutive lines, at most 20 lines
 * each: what a diff without context shows as one hunk.
 *
 * Only the text between the edits is read, so that the length of the text does not matter.
 */
export function lineRuns<E extends TextEdit>(text: string, edits: readonly E[]): E[][] {
  const runs: E[][] = [];
  let [lastEnd, lines] = [0, 1];
  for (const edit of edits) {
    const run = runs.at(-1);
    const breaks = breaksBetween(text, lastEnd, edit.start);
    if (run !== undefined && breaks < 2 && lines + breaks <= maxLines) {
      run.push(edit);
      lines += breaks;
    } else {
      runs.push([edit]);
      lines = 1;
    }
    lastEnd = edit.end;
  }
  return runs;
}

/** The most lines of a run. */
export const maxLines = 20;

/** The number of line endings in a range, at most two. */
function breaksBetween(text: string, start: number, end: number): number {
  const first = text.indexOf("\n", start);
  if (first < 0 || first >= end) return 0;
  const second = text.indexOf("\n", first + 1);
  return second < 0 || second >= end ? 1 : 2;
}
