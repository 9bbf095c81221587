import { type NameBinding, type NameTable, type NameUse, ownerName, type ScriptModules } from "../../../names/index.ts";
import { languageById } from "../../../syntax/index.ts";
import { detectLineEnding } from "../../../text/index.ts";
import { isRelative } from "../../../workspace/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import type { EditedFile, EditedLines } from "./changed-texts.ts";
import { derivedRenames, partKey, repeatedParts } from "./find-derived.ts";
import { repeatedRenamesOf } from "./find-repeated-renames.ts";
import { type BothTables, type NamePair, namePairs } from "./name-pairs.ts";
import { hyphenated, joinedEvidence, type Rename, type RenameEvidence, type RenameSign, renameKey } from "./rename.ts";
import { type WordChanges, wordChanges } from "./word-changes.ts";

/** The dependencies of {@link findRenames}. */
export interface RenameLookups {
  readonly files: WorkspaceTexts;
  readonly modules: ScriptModules;
  tableOf(path: string, text: string): NameTable | undefined;
  /** Whether no text in the workspace contained a name before the edits. */
  isNew(name: string): boolean;
}

/**
 * Returns the renames in the recent edits, the newest first, and behind them those that follow from
 * several of them. A rename that was reverted later is left out.
 */
export function findRenames(edited: readonly EditedFile[], questions: RenameLookups): Rename[] {
  const found = new Map<string, Rename>();
  const undone = new Set<string>();
  const changed = edited.flatMap((file) => {
    const lineBreak = detectLineEnding(file.text) ?? "\n";
    return file.edits.map((edit) => ({ file, edit, changes: wordChanges(edit, lineBreak) }));
  });
  const parts = repeatedParts(changed.flatMap(({ changes }) => changes.replaced));
  for (const one of changed) {
    if (!mayMatter(one, parts, questions.files)) continue;
    for (const rename of renamesOf(one, questions)) {
      // A rename that was reverted later does not count.
      if (undone.has(`${rename.from} ${rename.to}`)) continue;
      undone.add(`${rename.to} ${rename.from}`);
      const key = renameKey(rename);
      const known = found.get(key);
      found.set(key, known === undefined ? rename : merged(known, rename));
    }
  }
  const renames = [...found.values()];
  renames.push(...orphanRenames(renames, edited, questions));
  const more = [...repeatedRenamesOf(renames, edited, questions), ...derivedRenames(renames, edited, questions)];
  return withRivals([...renames, ...more]);
}

function merged(known: Rename, more: Rename): Rename {
  const joined = {
    evidence: joinedEvidence(known.evidence, more.evidence),
    edits: [...new Set([...known.edits, ...more.edits])],
  };
  if (known.kind === "member" && more.kind === "member")
    return { ...known, ...joined, origins: [...known.origins, ...more.origins] };
  if (known.kind !== "binding" || more.kind !== "binding") return { ...known, ...joined };
  return { ...known, ...joined, capturedUses: new Set([...known.capturedUses, ...more.capturedUses]) };
}

/**
 * Yields renames of names that a file no longer imports but still uses, where it imports their new
 * names now.
 */
function* orphanRenames(
  known: readonly Rename[],
  edited: readonly EditedFile[],
  questions: RenameLookups,
): Generator<Rename> {
  const keys = new Set(known.map(renameKey));
  for (const { from, to, edits, evidence } of known) {
    for (const file of edited) {
      if (!file.text.includes(from) || !file.text.includes(to) || !file.before.includes(from)) continue;
      const before = questions.tableOf(file.path, file.before);
      const after = questions.tableOf(file.path, file.text);
      if (before === undefined || after === undefined) continue;
      const old = importAt(before, from);
      const now = importAt(after, to);
      if (old === undefined || now === undefined || after.scopes[0]!.names.has(from) || before.scopes[0]!.names.has(to))
        continue;
      const rename: Rename = {
        ...{
          kind: "binding",
          path: file.path,
          scope: 0,
          isDeclared: true,
          declares: "import",
          capturedUses: new Set<number>(),
        },
        ...{ from, to, edits, evidence: { ...evidence, sign: "import", isMoved: old.source !== now.source } },
      };
      if (keys.has(renameKey(rename))) continue;
      keys.add(renameKey(rename));
      yield rename;
    }
  }
}

function importAt(table: NameTable, name: string): NameBinding["imported"] {
  const binding = table.scopes[0]!.names.get(name);
  return binding === undefined ? undefined : table.bindings[binding]!.imported;
}

/** Sets on each rename the number of other new names for the same old name in the same place. */
function withRivals(renames: readonly Rename[]): Rename[] {
  const placeOf = (one: Rename) => (one.kind === "module" ? JSON.stringify(one.module) : one.path);
  const keyOf = (one: Rename) => `${one.kind} ${placeOf(one)} ${one.from}`;
  const targets = new Map<string, Set<string>>();
  for (const one of renames) targets.set(keyOf(one), (targets.get(keyOf(one)) ?? new Set()).add(one.to));
  return renames.map((one) => ({ ...one, evidence: { ...one.evidence, rivals: targets.get(keyOf(one))!.size - 1 } }));
}

/** An edit and its changes of words. */
interface ChangedWords {
  readonly file: EditedFile;
  readonly edit: EditedLines;
  readonly changes: WordChanges;
}

/**
 * Whether an edit may require changes elsewhere: a replaced word still occurs, or it contains words
 * that other names had replaced, too.
 */
function mayMatter({ changes, file }: ChangedWords, parts: ReadonlySet<string>, files: WorkspaceTexts): boolean {
  const gone = [...changes.replaced.map(({ before }) => before), ...changes.gone];
  // Adding or removing an alias leaves no other trace than the name that it refers to.
  const isAlias = changes.isAlias || [...changes.gone, ...changes.come].some(({ word }) => word === "as");
  if (!isAlias && (gone.length === 0 || (changes.replaced.length === 0 && changes.come.length === 0))) return false;
  if (isAlias && gone.length === 0) return true;
  if (gone.some(({ word }) => files.containing([word.replace(/^#/, "")]).length > 0)) return true;
  const { hyphenatedNames = false } = languageById(files.languageOf(file.path))?.quirks ?? {};
  if (hyphenatedNames && gone.some(({ word }) => file.text.includes(hyphenated(word)))) return true;
  return changes.replaced.some(({ before, after }) => parts.has(partKey(before.word, after.word) ?? ""));
}

function* renamesOf({ file, edit, changes }: ChangedWords, questions: RenameLookups): Generator<Rename> {
  const before = questions.tableOf(file.path, file.before);
  const after = questions.tableOf(file.path, file.text);
  if (before === undefined || after === undefined) return;
  const tables = { before, after };
  for (const pair of namePairs(changes, tables)) {
    const parts: Parts = {
      ...{ from: pair.old.name, to: pair.now.name, edits: [`${file.path} ${edit.afterStart}`] },
      evidence: (sign) => ({
        ...{
          sign,
          examples: 1,
          wholes: changes.isWhole || isAliasAlone(changes) ? 1 : 0,
          kept: pair.kept,
          since: edit.since,
          rivals: 0,
        },
        isMoved: isMoved(pair, tables),
      }),
    };
    if (pair.old.role === "declares" || pair.old.role === "uses") {
      const rename = bindingRename(file, pair, tables, questions, parts);
      if (rename === undefined) continue;
      yield rename;
      const binding = after.bindings[pair.now.binding ?? -1];
      // A list of exports may still have the old name.
      const isExported = binding?.isExported === true || before.bindings[pair.old.binding ?? -1]?.isExported === true;
      if (rename.isDeclared && isExported && binding?.scope === 0 && binding.imported === undefined) {
        yield { ...parts, kind: "module", module: { path: file.path }, evidence: parts.evidence("declared") };
      }
    } else if (pair.old.role === "imports" || pair.old.role === "exports") {
      yield* moduleRename(file, pair, tables, questions, parts);
    } else {
      const rename = memberRename(file, pair, tables, questions, parts);
      if (rename !== undefined) yield rename;
    }
  }
}

/** Whether an alias was added or removed, and nothing else changed. */
function isAliasAlone({ isAlias, replaced, gone, come }: WordChanges): boolean {
  return isAlias && replaced.length === 0 && [...gone, ...come].filter(({ word }) => word !== "as").length === 1;
}

/** Whether a name is imported, and from another module than before. */
function isMoved({ old, now }: NamePair, { before, after }: BothTables): boolean {
  const sourceOf = (table: NameTable, use: NameUse) =>
    use.source ?? (use.binding === undefined ? undefined : table.bindings[use.binding]!.imported?.source);
  return sourceOf(before, old) !== sourceOf(after, now);
}

/** What all renames of a pair have in common. */
interface Parts extends Pick<Rename, "from" | "to" | "edits"> {
  evidence(sign: RenameSign): RenameEvidence;
}
function bindingRename(
  file: EditedFile,
  { old, now }: NamePair,
  { before, after }: BothTables,
  questions: RenameLookups,
  parts: Parts,
): Extract<Rename, { kind: "binding" }> | undefined {
  const { from, to } = parts;
  const target = now.binding === undefined ? undefined : after.bindings[now.binding]!;
  const source = old.binding === undefined ? undefined : before.bindings[old.binding]!;
  if (target !== undefined) {
    // Where the new name was known before, another thing is used now, or two were merged. An
    // exception is a use that did not resolve before: it was left behind by a rename that is no
    // longer in the history.
    const wasKnown = before.resolve(to, old.scope) !== undefined;
    if (wasKnown === (source !== undefined)) return undefined;
    if (isDeclaredStill(file, { before, after }, old, target)) return undefined;
    const capturedUses = new Set<number>();
    for (const use of after.named(from)) {
      if (use.binding === undefined || (use.role !== "uses" && use.role !== "declares")) continue;
      const place = file.offsetBefore(use.start);
      if (place !== undefined && before.at(place).some((one) => one.binding === old.binding && one.name === from)) {
        capturedUses.add(use.start);
      }
    }
    const sign = source === undefined ? "mended" : (signs[target.kind] ?? "declared");
    return {
      ...parts,
      kind: "binding",
      path: file.path,
      scope: target.scope,
      ...{ isDeclared: true, declares: target.kind },
      capturedUses,
      evidence: parts.evidence(sign),
    };
  }
  const present = after.resolve(from, now.scope);
  if (source === undefined || present === undefined || now.role !== "uses") return undefined;
  const { scope, kind } = after.bindings[present]!;
  return {
    ...parts,
    kind: "binding",
    path: file.path,
    scope,
    isDeclared: false,
    declares: kind,
    capturedUses: new Set(),
    evidence: parts.evidence(questions.isNew(to) ? "newly-used" : "used"),
  };
}

/**
 * Whether the old name still declares the old thing, so that one use was replaced and nothing was
 * renamed.
 */
function isDeclaredStill(file: EditedFile, { before, after }: BothTables, old: NameUse, target: NameBinding): boolean {
  const still = after.resolve(old.name, target.scope);
  if (still === undefined) return false;
  const declarationsIn = (table: NameTable, binding: number | undefined) =>
    table.named(old.name).filter((use) => use.role === "declares" && use.binding === binding);
  // If only one of several declarations was renamed, such as one of several overloads, the others
  // follow.
  if (after.bindings[still]!.scope === target.scope) {
    return old.binding === undefined || declarationsIn(before, old.binding).length < 2;
  }
  return declarationsIn(after, still).some(({ start }) => {
    const place = file.offsetBefore(start);
    return (
      place === undefined || before.at(place).some((use) => use.role === "declares" && use.binding === old.binding)
    );
  });
}

/** The signs by what declares a name, in the words of the readers. */
const signs: Readonly<Record<string, RenameSign>> = { parameter: "parameter", import: "import" };

function* moduleRename(
  file: EditedFile,
  { old, now }: NamePair,
  { after }: BothTables,
  { modules }: RenameLookups,
  parts: Parts,
): Generator<Rename> {
  const { from, to } = parts;
  const kind = { ...parts, kind: "module" } as const;
  if (old.role === "exports") {
    // Accesses of `exports` by the old name follow.
    const isLeft = after
      .named(from)
      .some(({ role, shared, source }) => role === "exports" && (shared ?? source) !== undefined);
    const isOther = after.bindings[after.scopes[0]!.names.get(from) ?? -1]?.isExported === true;
    const isOfFile = old.source === undefined && now.source === undefined;
    // A re-export that only got or lost an alias.
    const isRelabelled = old.source === now.source && (old.shared === undefined) !== (now.shared === undefined);
    const isOwn = (isOfFile || isRelabelled) && !isLeft && !isOther;
    if (isOwn) yield { ...kind, module: { path: file.path }, evidence: parts.evidence("declared") };
    return;
  }
  if (old.source === undefined || now.source === undefined) return;
  const path = modules.originOf(now.source, file.path, from) ?? modules.originOf(now.source, file.path, to);
  const has = { from: hasName(path, from), to: hasName(path, to) };
  if (path !== undefined && has.from !== has.to) {
    yield { ...kind, module: { path }, evidence: parts.evidence(has.to ? "declared" : "missing-export") };
  } else if (!has.from && old.source === now.source && !isRelative(now.source)) {
    yield { ...kind, module: { specifier: now.source, from: file.path }, evidence: parts.evidence("used") };
  }

  function hasName(path: string | undefined, name: string): boolean {
    return path !== undefined && modules.exportsName(path, name);
  }
}

function memberRename(
  file: EditedFile,
  { old, now }: NamePair,
  { before, after }: BothTables,
  questions: RenameLookups,
  parts: Parts,
): Rename | undefined {
  const { to } = parts;
  const owner = ownerName(before, old);
  const isDeclared = now.role === "member-declares";
  const declared = after.named(to).filter(({ role }) => role === "member-declares");
  const isHidden = declared.length > 0 && declared.every((use) => use.isHidden === true);
  const kind = {
    ...{ ...parts, kind: "member" as const, path: file.path, isHidden, ...(owner !== undefined && { owner }) },
    origins: [{ path: file.path, start: old.start, isUse: old.role === "member" }],
  };
  if (isDeclared) {
    // Two members were merged, or the new one existed before.
    const here = now.owner;
    const wasThere = before.named(to).some((use) => use.role === "member-declares" && ownerName(before, use) === owner);
    if (wasThere && here !== undefined) return undefined;
    return { ...kind, isDeclared, evidence: parts.evidence("declared") };
  }
  if (!questions.isNew(to)) return undefined;
  return { ...kind, isDeclared: declared.length > 0, evidence: parts.evidence("newly-used") };
}
