import { joinPath, nameOf } from "../../codebase/index.ts";
import { modulePath, pathFrom, resolvedPath } from "../../codebase/repair/module-paths.ts";
import type { TextEdit } from "../../text/index.ts";
import type { Moment } from "../next-edit-source.ts";
import type { EditedFile } from "./edited-files.ts";
import { isRelative } from "./module-files.ts";
import type { ModuleName, NameTable } from "./name-table.ts";
import { type MovedModule, renameKey } from "./rename.ts";
import { joinedEvidence } from "./rename-evidence.ts";
import type { ScriptModules } from "./script-modules.ts";

/** What {@link findMoves} asks. */
export interface MoveQuestions {
  /** Where files are by now that are not where they were, as {@link movedPaths} has them. */
  readonly moved: ReadonlyMap<string, string>;
  readonly modules: ScriptModules;
  tableOf(path: string, text: string): NameTable | undefined;
}

/** What is elsewhere now: files that were moved, and names that the last edits take from another module than before. The newest first. */
export function findMoves(edited: readonly EditedFile[], questions: MoveQuestions): MovedModule[] {
  const moves = new Map<string, MovedModule>();
  let fixes = 0;
  for (const file of edited) {
    for (const move of askedElsewhere(file, questions)) {
      // Who mends what one move broke will mend what the others did.
      if (isToldBy(move, questions.moved)) fixes++;
      else {
        const known = moves.get(renameKey(move));
        const evidence = known === undefined ? move.evidence : joinedEvidence(known.evidence, move.evidence);
        moves.set(renameKey(move), { ...(known ?? move), evidence });
      }
    }
  }
  const evidence = { ...evidenceOf(0), examples: 1 + fixes, wholes: 1 + fixes };
  const files = [...questions.moved].map(([from, to]): MovedModule => {
    return { ...moveParts({ path: from }, { path: to }, to), edit: `moved ${to}`, evidence };
  });
  return [...moves.values(), ...files];
}

/** Whether an import follows from the move of a file: of the one that it asks for, or of the one that asks. */
function isToldBy({ old, now }: MovedModule, moved: ReadonlyMap<string, string>): boolean {
  if (!("path" in old && "path" in now)) return false;
  if (modulePath(old.path) === modulePath(now.path)) return true;
  return [...moved].some(([from, to]) => modulePath(from) === modulePath(old.path) && to === now.path);
}

/** Where the files are that were moved and are not where they were: old paths to present ones. */
export function movedPaths({ moved = [], files }: Moment): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { from, to } of moved) {
    for (const [first, last] of paths) if (last === from) paths.set(first, to);
    paths.set(from, to);
  }
  return new Map([...paths].filter(([from, to]) => from !== to && files.textOf(from) === undefined));
}

function* askedElsewhere(file: EditedFile, { moved, modules, tableOf }: MoveQuestions): Generator<MovedModule> {
  if (!file.edits.some(({ before, after }) => /["']/.test(before.join() + after.join()))) return;
  const before = tableOf(file.path, file.before);
  const after = tableOf(file.path, file.text);
  if (before === undefined || after === undefined) return;
  const [wasAt = file.path] = [...moved].find(([, to]) => to === file.path) ?? [];
  const [lost, got] = [without(before.moduleNames, after.moduleNames), without(after.moduleNames, before.moduleNames)];
  for (const now of got) {
    for (const old of lost) {
      const names = old.names.filter((name) => now.names.includes(name));
      if (names.length === 0) continue;
      const from = placeOf(old.source, wasAt, modules);
      const to = placeOf(now.source, file.path, modules);
      if (from === undefined || to === undefined || ("specifier" in to && isRelative(to.specifier))) continue;
      // The same file by another name says nothing, unless the one that asks was moved.
      const isSame = "path" in from && "path" in to && modulePath(from.path) === modulePath(to.path);
      if (isSame && wasAt === file.path) continue;
      const { since, afterStart } = file.edits[0]!;
      const evidence = evidenceOf(since);
      yield { ...moveParts(from, to, file.path), names, edit: `${file.path} ${afterStart}`, evidence };
    }
  }
}

/** The modules of one list with the names that the other one does not ask the same module for. */
function without(some: readonly ModuleName[], others: readonly ModuleName[]): ModuleName[] {
  return some.flatMap((one) => {
    const same = others.filter(({ source }) => source === one.source);
    const names = one.names.filter((name) => !same.some((other) => other.names.includes(name)));
    return names.length === 0 ? [] : [{ ...one, names }];
  });
}

/** The file that a module's name means, which may be gone; the name itself where no file of the workspace is meant by a path. */
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

/** The words that a file says which names the module as it was. */
export function wordsOfMove({ old }: MovedModule): readonly string[] {
  const said = "path" in old ? nameOf(modulePath(old.path)) : old.specifier;
  return said.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [];
}

/** A module's name that a move changes, by which names it is asked, and whether it means nothing by now. */
export interface MovedUse extends TextEdit {
  readonly names: readonly string[];
  readonly isGone: boolean;
  /** Whether the file that asks was moved, and not the one that is asked for. */
  readonly isOwn: boolean;
}

/** The names of modules in a file that a move changes, and what they have to say now. */
export function* movedUses(
  { path, table }: { readonly path: string; readonly table: NameTable },
  move: MovedModule,
  modules: ScriptModules,
): Generator<MovedUse> {
  for (const { source, names, start, end } of table.moduleNames) {
    const isGone = modules.fileOf(source, path) === undefined;
    const isAsked = names.every((name) => isElsewhere(name, isGone));
    const isEmpty = names.length === 0 && move.names !== undefined;
    const text = isAsked && !isEmpty ? newSource(source, path, move, modules) : undefined;
    if (text !== undefined && text !== source)
      yield { start, end, text, names, isGone, isOwn: move.names === undefined && path === move.path };
  }

  /** Whether something is where the move tells; of a module that is gone, also what the other one exports. */
  function isElsewhere(name: string, isGone: boolean): boolean {
    const { names, now } = move;
    if (names === undefined || names.includes(name)) return true;
    return isGone && "path" in now && (name === "*" || modules.exportsName(now.path, name));
  }
}

function newSource(source: string, path: string, move: MovedModule, modules: ScriptModules): string | undefined {
  const { old, now, names } = move;
  if ("specifier" in old) return source === old.specifier ? sayingOf(now, path, source) : undefined;
  // A file that is there still is meant by its name.
  const isLeft = modules.fileOf(source, path) !== undefined;
  if (names === undefined && isLeft) return undefined;
  if (isRelative(source)) {
    const isOwn = names === undefined && path === move.path;
    if (isOwn) {
      const target = modules.fileOf(source, old.path);
      return target === undefined ? undefined : pathFrom(path, target, [], source);
    }
    const said = resolvedPath(path, source);
    return said !== undefined && modulePath(said) === modulePath(old.path) ? sayingOf(now, path, source) : undefined;
  }
  if ("specifier" in now) return undefined;
  return modules.pathsOf(source, path).some((one) => modulePath(one) === modulePath(old.path))
    ? tryNewAlias(source, modulePath(old.path), modulePath(now.path))
    : undefined;
}

function sayingOf(now: MovedModule["now"], path: string, like: string): string {
  return "specifier" in now ? now.specifier : pathFrom(path, now.path, [], like);
}

/** What stands for a folder stays, as in `@/lib/ring`, and what stands below it is said anew; `undefined` where the module left that folder. */
function tryNewAlias(source: string, old: string, now: string): string | undefined {
  const ending = /\.[cm]?[tj]sx?$/.exec(source)?.[0] ?? "";
  const [said, was] = [modulePath(source).split("/"), old.split("/")];
  let shared = 0;
  while (shared < Math.min(said.length - 1, was.length) && said.at(-1 - shared) === was.at(-1 - shared)) shared++;
  const folder = was.slice(0, was.length - shared).join("/");
  if (shared === 0 || (folder !== "" && !now.startsWith(`${folder}/`))) return undefined;
  const alias = said.slice(0, said.length - shared).join("/");
  return joinPath(alias, folder === "" ? now : now.slice(folder.length + 1)) + ending;
}
