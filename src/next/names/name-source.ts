import { comparePaths, folderDistance, folderOf, nameOf } from "../../codebase/index.ts";
import { modulePath } from "../../codebase/repair/module-paths.ts";
import { Edit } from "../../text/index.ts";
import { isScript, lineWidthOf } from "../layout/code-style.ts";
import { outgrowsLine } from "../layout/outgrows-line.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { isComponentLanguage } from "./component-scripts.ts";
import { type EditedFile, editedFiles } from "./edited-files.ts";
import { findRenames } from "./find-renames.ts";
import { JsonTexts } from "./json-texts.ts";
import { lineRuns } from "./line-runs.ts";
import { MemberGuesses } from "./member-guesses.ts";
import { ModuleFiles } from "./module-files.ts";
import { findMoves, movedPaths, movedUses, wordsOfMove } from "./moved-modules.ts";
import type { NameTable } from "./name-table.ts";
import type { NameTables } from "./name-tables.ts";
import { type MovedModule, memberExamples, type Rename } from "./rename.ts";
import { type FileOfNames, type RenamedUse, renamedUses } from "./renamed-uses.ts";
import { ScriptModules } from "./script-modules.ts";
import { namesModule } from "./tree-modules.ts";
import type { UseFeatures } from "./use-features.ts";
import { judgedUse } from "./use-likelihood.ts";

/** A proposal, and what its least likely place was judged by. */
export interface JudgedUses {
  readonly proposal: Proposal;
  readonly features: UseFeatures;
}

/** The most files that are read for places, nearest first: what follows from a word that all files say is no more than a guess. */
const maxFiles = 120;
/** Of languages other than scripts, whose trees take longer to read. */
const maxTreeFiles = 30;
/** Places of which a rename is less likely are not proposed. */
const leastLikelihood = 0.03;

/**
 * Renames as chains of next edits: what the last edits called otherwise is called so at the other places that mean it.
 *
 * Nothing is renamed that the new name would not mean there, or whose old name is still declared. The places in the file at hand come
 * first, from the cursor down and then from the top, then open files, then those nearest.
 */
export class NameSource implements NextEditSource {
  readonly origin = "name";
  readonly #tables: NameTables;
  readonly #jsons = new JsonTexts();

  constructor(tables: NameTables) {
    this.#tables = tables;
  }

  *propose(moment: Moment, options: { readonly signal?: AbortSignal } = {}): Generator<Proposal> {
    for (const { proposal } of this.proposeJudged(moment, options)) yield proposal;
  }

  /** What {@link propose} gives, each with what it was judged by. */
  *proposeJudged(moment: Moment, options: { readonly signal?: AbortSignal } = {}): Generator<JudgedUses> {
    const { files } = moment;
    const textOf = (path: string) => (path === moment.path ? moment.text : files.textOf(path));
    const tableOf = (path: string): NameTable | undefined => {
      const text = textOf(path);
      return text === undefined ? undefined : this.#tables.of(path, files.languageOf(path), text);
    };
    const moved = movedPaths(moment);
    const modules = new ScriptModules({ files: new ModuleFiles({ files, jsons: this.#jsons }), tableOf, moved });
    const edited = editedFiles(moment);
    const questions = {
      ...{ files, modules, moved },
      isNew: (name: string) => isNewIn(name, files, edited),
      tableOf: (path: string, text: string) => this.#tables.of(path, files.languageOf(path), text),
    };
    const renames: Rename[] = [...findRenames(edited, questions), ...findMoves(edited, questions)];
    if (renames.length === 0) return;
    const guesses = new MemberGuesses({ files, textOf });
    const counts = new Map<string, number>();
    const filesSaying = (word: string) => {
      const count = counts.get(word) ?? files.saying([word]).length;
      counts.set(word, count);
      return count;
    };
    const editedPaths = moment.history.map((edit) => edit.path).toReversed();
    for (const path of placesOf(renames, moment, guesses)) {
      options.signal?.throwIfAborted();
      const text = textOf(path);
      const table = tableOf(path);
      if (text === undefined || table === undefined) continue;
      const language = familyOf(files.languageOf(path));
      const age = editedPaths.indexOf(path);
      const file: FileOfNames = {
        ...{ path, text, table, cursor: moment.cursor, filesSaying },
        ...{ isOther: path !== moment.path, isOpen: files.open.includes(path) },
        isLeft: path !== moment.path && age >= 0,
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
      // Names of one language never mean what another one declares.
      const own = renames.filter((one) => familyOf(files.languageOf(pathOf(one))) === language);
      const uses = renamedUses(file, own).filter(({ likelihood }) => likelihood >= leastLikelihood);
      const runs = lineRuns(text, uses);
      const below = path === moment.path ? runs.filter((run) => run[0]!.start >= moment.cursor) : runs;
      for (const run of [...below, ...runs.filter((one) => !below.includes(one))]) {
        yield this.#proposalOf(path, text, run);
      }
    }
  }

  #proposalOf(path: string, text: string, run: readonly RenamedUse[]): JudgedUses {
    // What is less sure than the rest of its lines is left for its own turn.
    const best = Math.max(...run.map(({ likelihood }) => likelihood));
    const isSure = ({ likelihood }: RenamedUse) => likelihood >= best * 0.6;
    const sure = run.filter(isSure);
    const edit = Edit.of(sure.map(({ start, end, text: fresh }) => ({ start, end, text: fresh })));
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
      place: { start: sure[0]!.start, end: sure.at(-1)!.end },
      reason: reasonOf(sure.map(({ rename }) => rename)),
      ...judgedUse(features),
      chain: `name ${sure[0]!.rename.edit}`,
      ...(sure.every(isOfAnother) && { isByNameAlone: true }),
    };
    return { proposal, features };
  }
}

/** Whether a use is what something else than the renamed one has by its name: declared, or given. */
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

/** Whether no text said a name before it was edited. */
function isNewIn(name: string, files: WorkspaceTexts, edited: readonly EditedFile[]): boolean {
  const word = name.replace(/^#/, "");
  return files.saying([word]).every((path) => edited.find((one) => one.path === path)?.before.includes(word) === false);
}

/** Scripts know each other, whichever of their languages they are in, and those of components too. */
function familyOf(language: string): string {
  return /^(type|java)script/.test(language) || isComponentLanguage(language) ? "script" : language;
}

function pathOf(rename: Rename): string {
  if (rename.kind === "module") return "path" in rename.module ? rename.module.path : rename.module.from;
  return rename.path;
}

/** How surely a file knows the names of another one without importing them, as packages and namespaces do; from 0 to 1. */
function knownOf(declared: string, path: string): number {
  const distance = folderDistance(folderOf(declared), folderOf(path));
  return distance === 0 ? 0.9 : distance < 3 ? 0.6 : 0.4;
}

/** The files that may have places of renames, the one at hand first, then those that are open, then the nearest. */
function placesOf(renames: readonly Rename[], { path, files, ...moment }: Moment, guesses: MemberGuesses): string[] {
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
  return sorted.slice(0, familyOf(moment.language) === "script" ? maxFiles : maxTreeFiles);
}

/** The files that say what a rename is about. */
function filesOf(
  rename: Exclude<Rename, { kind: "binding" }>,
  all: readonly Rename[],
  { files, guesses }: { readonly files: WorkspaceTexts; readonly guesses: MemberGuesses },
): readonly string[] {
  const word = rename.from.replace(/^#/, "");
  if (rename.kind === "moved") return [rename.path, ...files.saying(wordsOfMove(rename))];
  if (rename.kind === "habit") return files.saying([word]);
  if (rename.kind === "member") {
    if (rename.from.startsWith("#")) return [rename.path];
    // Where the name alone says too little, its owner must be named as well.
    const isVague = guesses.of(rename) < leastGuess && memberExamples(rename, all) < 2;
    if (isVague) return rename.owner === undefined ? [rename.path] : files.saying([word, rename.owner]);
    return files.saying([word]);
  }
  const own = pathOf(rename);
  if (familyOf(files.languageOf(own)) !== "script") return files.saying([word]);
  // Whoever takes it from a module lists it, or takes the module whole.
  const taken = new RegExp(
    `\\{[^{}]*(?<![\\w$])${word.replaceAll("$", "\\$")}(?![\\w$])[^{}]*\\}\\s*from\\b|\\*\\s*as\\b|\\b(?:require|import)\\s*\\(`,
  );
  const spaces = spacesOf(own, files).flatMap((space) => files.saying([word, space]));
  const takers = files.saying([word]).filter((path) => path === own || taken.test(files.textOf(path) ?? ""));
  return [...takers, ...spaces];
}

/** The names by which other files pass on a module as a whole: `export * as name from "module"`. */
function spacesOf(path: string, files: WorkspaceTexts): string[] {
  const stem = nameOf(modulePath(path));
  if (!/^[\w$]+$/.test(stem)) return [];
  return files.saying([stem, "export", "as"]).flatMap((one) => {
    const found = (files.textOf(one) ?? "").matchAll(/\bexport\s*\*\s*as\s+([\w$]+)\s*from\s*(["'])(.*?)\2/g);
    return Array.from(found, ([, space, , source]) => ({ space: space!, source: source! }))
      .filter(({ source }) => nameOf(modulePath(source)) === stem)
      .map(({ space }) => space);
  });
}

/** Members of which it is less likely that they are meant are looked for only where their owner is named. */
const leastGuess = 0.25;
