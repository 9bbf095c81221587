import { movedAlias, pathFrom } from "../../../analysis/index.ts";
import { type ModuleName, modulePath, type NameTable, type ScriptModules } from "../../../names/index.ts";
import { addToGroup, type TextEdit } from "../../../text/index.ts";
import { folderOf, isRelative, nameOf, resolvedPath } from "../../../workspace/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import type { EditedFile } from "./changed-texts.ts";
import { joinedEvidence, type MovedModule, renameKey } from "./rename.ts";

/** The dependencies of {@link findMoves}. */
export interface MoveQuestions {
  /** The present paths of moved files, see {@link movedPaths}. */
  readonly moved: ReadonlyMap<string, string>;
  readonly modules: ScriptModules;
  tableOf(path: string, text: string): NameTable | undefined;
}

/**
 * Returns the moved modules: first names that the recent edits import from another module than
 * before, the newest in front, then moved files.
 */
export function findMoves(edited: readonly EditedFile[], questions: MoveQuestions): MovedModule[] {
  const moves = new Map<string, MovedModule>();
  let fixes = 0;
  for (const file of edited) {
    for (const move of importedElsewhere(file, questions)) {
      // A person who fixes what one move broke will fix the consequences of the others.
      if (followsFromMove(move, questions.moved)) fixes++;
      else {
        const known = moves.get(renameKey(move));
        const evidence = known === undefined ? move.evidence : joinedEvidence(known.evidence, move.evidence);
        moves.set(renameKey(move), { ...(known ?? move), evidence });
      }
    }
  }
  const evidence = { ...evidenceOf(0), examples: 1 + fixes, wholes: 1 + fixes };
  const files = [...questions.moved].map(([from, to]): MovedModule => {
    return { ...moveParts({ path: from }, { path: to }, to), edits: [`moved ${to}`], evidence };
  });
  return [...moves.values(), ...files];
}

/**
 * Whether a changed import follows from the move of a file: of the imported one or of the importing
 * one.
 */
function followsFromMove({ old, now }: MovedModule, moved: ReadonlyMap<string, string>): boolean {
  if (!("path" in old && "path" in now)) return false;
  if (modulePath(old.path) === modulePath(now.path)) return true;
  return [...moved].some(([from, to]) => modulePath(from) === modulePath(old.path) && to === now.path);
}

/**
 * Returns the files that were moved and are no longer at their old paths: old paths to present
 * ones.
 */
export function movedPaths({ moved = [], files }: NextEditContext): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { from, to } of moved) {
    for (const [first, last] of paths) if (last === from) paths.set(first, to);
    paths.set(from, to);
  }
  return new Map([...paths].filter(([from, to]) => from !== to && files.textOf(from) === undefined));
}

function* importedElsewhere(file: EditedFile, { moved, modules, tableOf }: MoveQuestions): Generator<MovedModule> {
  if (!file.edits.some(({ before, after }) => /["']/.test(before.join() + after.join()))) return;
  const before = tableOf(file.path, file.before);
  const after = tableOf(file.path, file.text);
  if (before === undefined || after === undefined) return;
  const [wasAt = file.path] = [...moved].find(([, to]) => to === file.path) ?? [];
  const [lost, got] = [without(before.moduleNames, after.moduleNames), without(after.moduleNames, before.moduleNames)];
  const lostByName = byImportedName(lost);
  const order = new Map(lost.map((one, index) => [one, index]));
  for (const now of got) {
    const shared = new Set(now.names.flatMap((name) => lostByName.get(name) ?? []));
    for (const old of [...shared].sort((a, b) => order.get(a)! - order.get(b)!)) {
      const names = old.names.filter((name) => now.names.includes(name));
      const from = placeOf(old.source, wasAt, modules);
      const to = placeOf(now.source, file.path, modules);
      if (from === undefined || to === undefined || ("specifier" in to && isRelative(to.specifier))) continue;
      // The same file by another name is no move, unless the importing file was moved.
      const isSame = "path" in from && "path" in to && modulePath(from.path) === modulePath(to.path);
      if (isSame && wasAt === file.path) continue;
      const { since, afterStart } = file.edits[0]!;
      const evidence = evidenceOf(since);
      yield { ...moveParts(from, to, file.path), names, edits: [`${file.path} ${afterStart}`], evidence };
    }
  }
}

/**
 * Returns the modules of one list, each with the names that the other list does not import from it.
 */
function without(some: readonly ModuleName[], others: readonly ModuleName[]): ModuleName[] {
  const imported = new Map<string, Set<string>>();
  for (const { source, names } of others) {
    const known = imported.get(source) ?? new Set();
    for (const name of names) known.add(name);
    imported.set(source, known);
  }
  return some.flatMap((one) => {
    const known = imported.get(one.source);
    const names = one.names.filter((name) => known?.has(name) !== true);
    return names.length === 0 ? [] : [{ ...one, names }];
  });
}

/** Groups modules by the names that are imported from them. */
function byImportedName(modules: readonly ModuleName[]): ReadonlyMap<string, readonly ModuleName[]> {
  const byName = new Map<string, ModuleName[]>();
  for (const one of modules) {
    for (const name of new Set(one.names)) {
      addToGroup(byName, name, one);
    }
  }
  return byName;
}

/**
 * Returns the file that a relative module name refers to, which may no longer exist, or the name
 * itself where it is not relative. `undefined` where the path leads out of the workspace.
 */
function placeOf(source: string, from: string, modules: ScriptModules): MovedModule["now"] | undefined {
  if (!isRelative(source)) return { specifier: source };
  const path = modules.fileOf(source, from) ?? resolvedPath(from, source);
  return path === undefined ? undefined : { path };
}

function moveParts(old: MovedModule["old"], now: MovedModule["now"], path: string) {
  const lastOf = (place: MovedModule["now"]) => nameOf("path" in place ? modulePath(place.path) : place.specifier);
  return { kind: "moved", from: lastOf(old), to: lastOf(now), path, old, now } as const;
}

function evidenceOf(since: number): MovedModule["evidence"] {
  return { sign: "import", examples: 1, wholes: 1, kept: 1, since, isMoved: true, rivals: 0 };
}

/** Returns the paths of the files that may import the module by its old name, in any order. */
export function mayImportMoved({ old }: MovedModule, files: WorkspaceTexts): readonly string[] {
  const name = "path" in old ? nameOf(modulePath(old.path)) : old.specifier;
  const named = files.containing(name.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? []);
  if (!("path" in old) || !/(?:^|\/)index\.[^/]*$/.test(old.path)) return named;
  // Below the folder of an `index` file, `.`, `..` and `./index` import it without the folder's
  // name.
  const folder = folderOf(old.path);
  const isBelow = (path: string) => folder === "" || path.startsWith(`${folder}/`);
  return [...named, ...["from", "import", "require"].flatMap((word) => files.containing([word])).filter(isBelow)];
}

/**
 * A module name that a move changes, the names imported from it, and whether it no longer resolves.
 */
export interface MovedUse extends TextEdit {
  readonly names: readonly string[];
  readonly isGone: boolean;
  /** Whether the importing file was moved, and not the imported one. */
  readonly isOwn: boolean;
}

/** Yields the module names in a file that a move changes, with their new text. */
export function* movedUses(
  { path, table }: { readonly path: string; readonly table: NameTable },
  move: MovedModule,
  modules: ScriptModules,
): Generator<MovedUse> {
  for (const { source, names, start, end } of table.moduleNames) {
    const isGone = modules.fileOf(source, path) === undefined;
    const isWholeImportMoved = names.every((name) => isElsewhere(name, isGone));
    const isEmpty = names.length === 0 && move.names !== undefined;
    const text = isWholeImportMoved && !isEmpty ? newSource(source, path, move, modules) : undefined;
    if (text !== undefined && text !== source)
      yield { start, end, text, names, isGone, isOwn: move.names === undefined && path === move.path };
  }

  /**
   * Whether an imported name moved. Where the old module no longer resolves, everything that the
   * new one exports counts.
   */
  function isElsewhere(name: string, isGone: boolean): boolean {
    const { names, now } = move;
    if (names === undefined || names.includes(name)) return true;
    return isGone && "path" in now && (name === "*" || modules.exportsName(now.path, name));
  }
}

function newSource(source: string, path: string, move: MovedModule, modules: ScriptModules): string | undefined {
  const { old, now, names } = move;
  if ("specifier" in old) return source === old.specifier ? sourceFor(now, path, source) : undefined;
  // A module name that still resolves stays valid.
  const isLeft = modules.fileOf(source, path) !== undefined;
  if (names === undefined && isLeft) return undefined;
  if (isRelative(source)) {
    const isOwn = names === undefined && path === move.path;
    if (isOwn) {
      const target = modules.fileOf(source, old.path);
      return target === undefined ? undefined : pathFrom(path, target, [], source);
    }
    const resolved = resolvedPath(path, source);
    return resolved !== undefined && modulePath(resolved) === modulePath(old.path)
      ? sourceFor(now, path, source)
      : undefined;
  }
  if ("specifier" in now) return undefined;
  return modules.pathsOf(source, path).some((one) => modulePath(one) === modulePath(old.path))
    ? movedAlias(source, { from: old.path, to: now.path }, 1).specifier
    : undefined;
}

function sourceFor(now: MovedModule["now"], path: string, like: string): string {
  return "specifier" in now ? now.specifier : pathFrom(path, now.path, [], like);
}
