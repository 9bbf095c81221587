import { keepImportsSorted } from "../../../analysis/index.ts";
import type { AbortOptions } from "../../../async/index.ts";
import { modulePath, type NameTable, type NameTables, ScriptModules } from "../../../names/index.ts";
import { hasScripts } from "../../../syntax/index.ts";
import { Edit, escapedPattern } from "../../../text/index.ts";
import { comparePaths, folderDistance, folderOf, nameOf } from "../../../workspace/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import { isScript, lineWidthOf, outgrowsLine } from "../../layout/code-style.ts";
import type { NextEditContext, NextEditProvider, Proposal, ProviderPolicy } from "../next-edit-provider.ts";
import { type EditedFile, editedFiles } from "./changed-texts.ts";
import { findRenames } from "./find-renames.ts";
import { findMoves, mayImportMoved, movedPaths, movedUses } from "./moved-modules.ts";
import { type MovedModule, memberExamples, type Rename } from "./rename.ts";
import { UnresolvedMembers } from "./renamed-members.ts";
import { type FileOfNames, lineRuns, type RenamedUse, renamedUses } from "./renamed-uses.ts";
import { judgedUse, type UseFeatures } from "./use-features.ts";

/** A proposal, and the features of its least likely place. */
interface JudgedUses {
  readonly proposal: Proposal;
  readonly features: UseFeatures;
}

/**
 * The most files that are searched, the nearest first: a name that most files contain gives only
 * guesses.
 */
const maxFiles = 120;
/** The same for languages other than scripts, whose trees take longer to read. */
const maxTreeFiles = 30;
/** Less likely places are not proposed. */
const leastLikelihood = 0.03;

/** The places of a rename belong together, and change the uses of its names themselves. */
export const renamePolicy: ProviderPolicy = { trustGroup: "name", chain: "one-change" };

/**
 * Proposes the remaining places of a rename as a chain of next edits, after the recent edits
 * renamed a declaration, an export, a member or a module.
 *
 * A place is left out where the new name would refer to something else, or where the old name is
 * still declared. Places in the current file come first, from the cursor down and then from the
 * top, then open files, then the nearest.
 */
export class RenameProvider implements NextEditProvider {
  readonly origin = "name";
  readonly policy = renamePolicy;
  readonly #tables: NameTables;
  readonly #maxFiles: number | undefined;

  /**
   * `maxFiles`: the most files that are searched, of any language; default: 120, and 30 of others
   * than scripts.
   */
  constructor(tables: NameTables, { maxFiles }: { readonly maxFiles?: number | undefined } = {}) {
    this.#tables = tables;
    this.#maxFiles = maxFiles;
  }

  /** Yields the places that a rename leaves to be changed. Throws the signal's reason. */
  *propose(context: NextEditContext, options: AbortOptions = {}): Generator<Proposal> {
    for (const { proposal } of this.proposeJudged(context, options)) yield proposal;
  }

  get isBehind(): boolean {
    return this.#tables.isBehind;
  }

  /** Reads the texts that {@link propose} left out; see `NameTables.readLeftOut`. */
  readOn(until: Promise<unknown>): Promise<"nothing" | "done" | "late"> {
    return this.#tables.readLeftOut(until);
  }

  /**
   * Yields the proposals of {@link propose} with the features of their likelihood. Throws the
   * signal's reason.
   */
  *proposeJudged(context: NextEditContext, options: AbortOptions = {}): Generator<JudgedUses> {
    const { files } = context;
    const { renames, modules, textOf, tableOf } = this.renamesAt(context);
    if (renames.length === 0) return;
    const chains = renameChains(renames);
    const guesses = new UnresolvedMembers({ files, textOf });
    const counts = new Map<string, number>();
    const filesContaining = (word: string) => {
      const count = counts.get(word) ?? files.containing([word]).length;
      counts.set(word, count);
      return count;
    };
    const editedPaths = context.history.map((edit) => edit.path).toReversed();
    const most = this.#maxFiles ?? (familyOf(context.language) === "script" ? maxFiles : maxTreeFiles);
    for (const path of placesOf(renames, context, guesses).slice(0, most)) {
      options.signal?.throwIfAborted();
      const text = textOf(path);
      const table = tableOf(path);
      if (text === undefined || table === undefined) continue;
      const language = familyOf(files.languageOf(path));
      const age = editedPaths.indexOf(path);
      const file: FileOfNames = {
        ...{ path, text, table, cursor: context.cursor, filesContaining },
        ...{ isOther: path !== context.path, isOpen: files.open.includes(path) },
        isLeft: path !== context.path && age >= 0,
        ...{ history: editedPaths.length, age },
        edits: editedPaths.filter((one) => one === path).length,
        isMeant: (source, { module, from, to }) => {
          if ("specifier" in module) return source === module.specifier;
          if (language === "script") return modules.leadsTo(source, path, module.path, [from, to]);
          return namesModule(source, module.path);
        },
        isMeantAs: ({ name, source }, { module, from, to }) => {
          if ("specifier" in module) return false;
          if (language !== "script") return /^[\p{Ll}_]/u.test(name) && namesModule(name, module.path);
          const space = { specifier: source ?? "", space: name, from: path };
          return source !== undefined && modules.spaceLeadsTo(space, module.path, [from, to]);
        },
        knowsOf: ({ module }) => ("path" in module && language !== "script" ? knownOf(module.path, path) : 0),
        moved: (move) => movedUses({ path, table }, move, modules),
        guessOf: (rename) => guesses.of(rename),
      };
      // A name never refers to a declaration in another language.
      const own = renames.filter((one) => familyOf(files.languageOf(pathOf(one))) === language);
      const uses = renamedUses(file, own).filter(({ likelihood }) => likelihood >= leastLikelihood);
      const runs = lineRuns(text, uses);
      const below = path === context.path ? runs.filter((run) => run[0]!.start >= context.cursor) : runs;
      for (const run of [...below, ...runs.filter((one) => !below.includes(one))]) {
        yield this.#proposalOf({ path, text, uses }, run, chains);
      }
    }
  }

  /** Returns the renames and moves in the recent edits, with the lookups they were found with. */
  renamesAt(context: NextEditContext) {
    const { files } = context;
    const textOf = (path: string) => (path === context.path ? context.text : files.textOf(path));
    const tableOf = (path: string): NameTable | undefined => {
      const text = textOf(path);
      return text === undefined ? undefined : this.#tables.of(path, files.languageOf(path), text);
    };
    const moved = movedPaths(context);
    const modules = new ScriptModules({ resolver: files.modules, tableOf, moved });
    const edited = editedFiles(context);
    const questions = {
      ...{ files, modules, moved },
      isNew: (name: string) => isNewIn(name, files, edited),
      tableOf: (path: string, text: string) => this.#tables.of(path, files.languageOf(path), text),
    };
    const renames: readonly Rename[] = [...findRenames(edited, questions), ...findMoves(edited, questions)];
    return { renames, edited, modules, textOf, tableOf };
  }

  #proposalOf(
    { path, text, uses }: UsesOfText,
    run: readonly RenamedUse[],
    chains: ReadonlyMap<Rename, string>,
  ): JudgedUses {
    // Places that are less certain than the rest of their lines become a step of their own.
    const best = Math.max(...run.map(({ likelihood }) => likelihood));
    const isSure = ({ likelihood }: RenamedUse) => likelihood >= best * 0.6;
    const sure = run.filter(isSure);
    const edit = editOfUses(text, sure, uses);
    const least = sure.reduce((one, other) => (other.likelihood < one.likelihood ? other : one));
    const features = {
      ...least.features,
      ...{
        outgrows: Number(!isScript(path) && outgrowsLine(text, edit, () => lineWidthOf(text))),
        together: sure.length,
      },
      leftOut: Math.max(0, ...run.filter((use) => !isSure(use)).map(({ likelihood }) => likelihood)),
    };
    const proposal: Proposal = {
      ...{ origin: "name", path, edit },
      place: edit.span,
      reason: reasonOf(sure.map(({ rename }) => rename)),
      ...judgedUse(features),
      chain: chains.get(sure[0]!.rename)!,
      ...(sure.every(isOfAnother) && { isByNameAlone: true }),
    };
    return { proposal, features };
  }
}

/** A text, and all uses in it that renames change. */
interface UsesOfText {
  readonly path: string;
  readonly text: string;
  readonly uses: readonly RenamedUse[];
}

/**
 * The edit that changes some of the uses of a text. Import lists stay sorted, unless another use
 * within the list would then be in two edits.
 */
function editOfUses(text: string, some: readonly RenamedUse[], uses: readonly RenamedUse[]): Edit {
  const plain = Edit.of(some.map(({ start, end, text: fresh }) => ({ start, end, text: fresh })));
  const sorted = Edit.of(keepImportsSorted(text, plain.edits));
  const { start, end } = sorted.span;
  return uses.every((one) => some.includes(one) || one.end <= start || one.start >= end) ? sorted : plain;
}

/** Whether a use declares or sets a member of another owner that only has the same name. */
function isOfAnother({ rename, role, fit }: RenamedUse): boolean {
  return rename.kind === "member" && fit < 1 && (role === "member-declares" || role === "key");
}

function reasonOf(renames: readonly Rename[]): string {
  const names = new Set(renames.flatMap((one) => (one.kind === "moved" ? [] : [one.to])));
  const places = new Set(renames.flatMap((one) => (one.kind === "moved" ? [placeOf(one)] : [])));
  const renamed = names.size === 0 ? [] : [`renamed to ${[...names].join(" and ")}`];
  const moved =
    places.size === 0 ? [] : [places.size === 1 ? `moved to ${[...places][0]}` : `${places.size} modules moved`];
  return [...renamed, ...moved].join(", ");
}

function placeOf({ now }: MovedModule): string {
  return "path" in now ? now.path : now.specifier;
}

/** Whether no text contained a name before the edits. */
function isNewIn(name: string, files: WorkspaceTexts, edited: readonly EditedFile[]): boolean {
  const word = name.replace(/^#/, "");
  return files
    .containing([word])
    .every((path) => edited.find((one) => one.path === path)?.before.includes(word) === false);
}

/**
 * The language family of a language id: scripts and components can import each other, whichever of
 * their languages they use.
 */
function familyOf(language: string): string {
  return hasScripts(language) ? "script" : language;
}

function pathOf(rename: Rename): string {
  if (rename.kind === "module") return "path" in rename.module ? rename.module.path : rename.module.from;
  return rename.path;
}

/**
 * How likely a file can use another file's names without an import, as in packages and namespaces;
 * in [0, 1].
 */
function knownOf(declared: string, path: string): number {
  const distance = folderDistance(folderOf(declared), folderOf(path));
  return distance === 0 ? 0.9 : distance < 3 ? 0.6 : 0.4;
}

/**
 * Returns the files that may have places of renames: the current file first, then open files, then
 * the nearest.
 */
function placesOf(renames: readonly Rename[], { path, files }: NextEditContext, guesses: UnresolvedMembers): string[] {
  const paths = new Set<string>();
  for (const rename of renames) {
    if (rename.kind === "binding") paths.add(rename.path);
    else for (const one of filesOf(rename, renames, { files, guesses })) paths.add(one);
  }
  const rank = new Map(files.open.map((one, at) => [one, at]));
  const rankOf = (one: string) => (one === path ? -1 : (rank.get(one) ?? rank.size));
  const folder = folderOf(path);
  const distance = new Map([...paths].map((one) => [one, folderDistance(folderOf(one), folder)]));
  const sorted = [...paths].sort(
    (one, other) =>
      rankOf(one) - rankOf(other) || distance.get(one)! - distance.get(other)! || comparePaths(one, other),
  );
  return sorted;
}

/** Returns the files that contain what a rename is about. */
function filesOf(
  rename: Exclude<Rename, { kind: "binding" }>,
  all: readonly Rename[],
  { files, guesses }: { readonly files: WorkspaceTexts; readonly guesses: UnresolvedMembers },
): readonly string[] {
  const word = rename.from.replace(/^#/, "");
  if (rename.kind === "moved") return [rename.path, ...mayImportMoved(rename, files)];
  if (rename.kind === "habit") return files.containing([word]);
  if (rename.kind === "member") {
    if (rename.from.startsWith("#")) return [rename.path];
    // Where the name alone is too weak, the file must contain its owner's name, too.
    const isVague = guesses.of(rename) < leastGuess && memberExamples(rename, all) < 2;
    if (isVague) return rename.owner === undefined ? [rename.path] : files.containing([word, rename.owner]);
    return files.containing([word]);
  }
  const own = pathOf(rename);
  if (familyOf(files.languageOf(own)) !== "script") return files.containing([word]);
  // A file that uses an export lists it in an import, or imports the module as a whole.
  const named = new RegExp(`(?<![\\w$])${escapedPattern(word)}(?![\\w$])`);
  const takes = (text: string) =>
    /\*\s*as\b|\b(?:require|import)\s*\(/.test(text) ||
    (text.match(/\{[^{}]*\}\s*from\b/g) ?? []).some((list) => named.test(list));
  const spaces = spacesOf(own, files).flatMap((space) => files.containing([word, space]));
  const takers = files.containing([word]).filter((path) => path === own || takes(files.textOf(path) ?? ""));
  return [...takers, ...spaces];
}

/**
 * Returns the names by which other files re-export a module as a whole: `export * as name from
 * "module"`.
 */
function spacesOf(path: string, files: WorkspaceTexts): string[] {
  const stem = nameOf(modulePath(path));
  if (!/^[\w$]+$/.test(stem)) return [];
  return files.containing([stem, "export", "as"]).flatMap((one) => {
    const found = (files.textOf(one) ?? "").matchAll(/\bexport\s*\*\s*as\s+([\w$]+)\s*from\s*(["'])(.*?)\2/g);
    return Array.from(found, ([, space, , source]) => ({ space: space!, source: source! }))
      .filter(({ source }) => nameOf(modulePath(source)) === stem)
      .map(({ space }) => space);
  });
}

/**
 * Members that are less likely than this are searched only in files that contain their owner's
 * name.
 */
const leastGuess = 0.25;

/**
 * Groups renames into chains: those of one edit, and those of one name to the same other name,
 * however many edits they took. Returns the id of each rename's chain.
 *
 * Accepting a place adds an edit that is evidence in its own file alone; the places in other files
 * still belong to the chain.
 */
function renameChains(renames: readonly Rename[]): ReadonlyMap<Rename, string> {
  const groups: Group[] = [];
  for (const rename of renames) {
    const keys = new Set(keysOf(rename));
    const touching = groups.filter((group) => [...keys].some((key) => group.keys.has(key)));
    const joined: Group = {
      renames: [...touching.flatMap((group) => group.renames), rename],
      keys: new Set([...touching.flatMap((group) => [...group.keys]), ...keys]),
    };
    groups.splice(0, groups.length, ...groups.filter((group) => !touching.includes(group)), joined);
  }
  return new Map(
    groups.flatMap((group) => group.renames.map((rename) => [rename, `name ${group.renames[0]!.edits[0]}`] as const)),
  );
}

interface Group {
  readonly renames: readonly Rename[];
  readonly keys: ReadonlySet<string>;
}

function keysOf(rename: Rename): string[] {
  const edits = rename.edits.map((edit) => `edit ${edit}`);
  // The last steps of the names of modules may be the same by chance.
  return rename.kind === "moved" ? edits : [...edits, `names ${rename.from} ${rename.to}`];
}

/**
 * Whether a module name in a language other than scripts may refer to a file: its last step is the
 * name of the file or of its folder.
 */
function namesModule(source: string, path: string): boolean {
  const last = source.split(/[^\p{L}\p{N}_]+/u).findLast((step) => step !== "");
  if (last === undefined || /^(self|super|crate)$/.test(last)) return true;
  const stem = nameOf(path).split(".", 1)[0]!;
  const folder = nameOf(folderOf(path));
  return last === stem || last === folder;
}
