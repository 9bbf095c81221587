import { comparePaths, folderDistance, folderOf } from "../../codebase/index.ts";
import { Edit } from "../../text/index.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { type EditedFile, editedFiles } from "./edited-files.ts";
import { findRenames } from "./find-renames.ts";
import { lineRuns } from "./line-runs.ts";
import { outgrowsLine } from "./line-width.ts";
import { MemberGuesses } from "./member-guesses.ts";
import type { NameTable } from "./name-table.ts";
import { NameTables, type NameTablesParts } from "./name-tables.ts";
import type { Rename } from "./rename.ts";
import { type FileOfNames, type RenamedUse, renamedUses } from "./renamed-uses.ts";
import { ScriptModules } from "./script-modules.ts";
import { namesModule } from "./tree-modules.ts";
import type { UseFeatures } from "./use-features.ts";
import { useLikelihood } from "./use-likelihood.ts";

/** What {@link NameSource} reads texts with. */
export interface NameSourceParts extends NameTablesParts {
  /** How likely a place becomes what a rename makes of it, from 0 to 1; as fitted to real commits unless told. */
  readonly likelihoodOf?: (features: UseFeatures) => number;
}

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
const leastLikelihood = 0.1;

/**
 * Renames as chains of next edits: what the last edits called otherwise is called so at the other places that mean it.
 *
 * Nothing is renamed that the new name would not mean there, or whose old name is still declared. The places in the file at hand come
 * first, from the cursor down and then from the top, then open files, then those nearest.
 */
export class NameSource implements NextEditSource {
  readonly origin = "name";
  readonly #tables: NameTables;
  readonly #likelihoodOf: (features: UseFeatures) => number;

  constructor({ likelihoodOf = useLikelihood, ...parts }: NameSourceParts) {
    this.#tables = new NameTables(parts);
    this.#likelihoodOf = likelihoodOf;
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
    const modules = new ScriptModules({ files, tableOf });
    const edited = editedFiles(moment);
    const renames = findRenames(edited, {
      ...{ files, modules },
      isNew: (name) => isNewIn(name, files, edited),
      tableOf: (path, text) => this.#tables.of(path, files.languageOf(path), text),
    });
    if (renames.length === 0) return;
    const guesses = new MemberGuesses({ files, textOf });
    const counts = new Map<string, number>();
    const filesSaying = (word: string) => {
      const count = counts.get(word) ?? files.saying([word]).length;
      counts.set(word, count);
      return count;
    };
    const editedPaths = new Set(moment.history.map((edit) => edit.path));
    for (const path of placesOf(renames, moment, guesses)) {
      options.signal?.throwIfAborted();
      const text = textOf(path);
      const table = tableOf(path);
      if (text === undefined || table === undefined) continue;
      const language = familyOf(files.languageOf(path));
      const file: FileOfNames = {
        ...{ path, text, table, cursor: moment.cursor, filesSaying },
        ...{ isOther: path !== moment.path, isOpen: files.open.includes(path) },
        isLeft: path !== moment.path && editedPaths.has(path),
        isMeant: (source, { module, from, to }) => {
          if ("specifier" in module) return source === module.specifier;
          if (language === "script") return modules.leadsTo(source, path, module.path, [from, to]);
          return namesModule(source, module.path);
        },
        knowsOf: ({ module }) => ("path" in module && language !== "script" ? knownOf(module.path, path) : 0),
        guessOf: (rename) => guesses.of(rename),
      };
      // Names of one language never mean what another one declares.
      const own = renames.filter((one) => familyOf(files.languageOf(pathOf(one))) === language);
      const uses = renamedUses(file, own, this.#likelihoodOf).filter(({ likelihood }) => likelihood >= leastLikelihood);
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
    const sure = run.filter(({ likelihood }) => likelihood >= best * 0.7);
    const names = new Set(sure.map(({ rename }) => rename.to));
    const edit = Edit.of(sure.map(({ start, end, text: fresh }) => ({ start, end, text: fresh })));
    const least = sure.reduce((one, other) => (other.likelihood < one.likelihood ? other : one));
    const features = { ...least.features, outgrows: Number(outgrowsLine(text, edit)), together: sure.length };
    const proposal: Proposal = {
      ...{ origin: "name", path, edit },
      place: { start: sure[0]!.start, end: sure.at(-1)!.end },
      reason: `renamed to ${[...names].join(" and ")}`,
      likelihood: this.#likelihoodOf(features),
      chain: `name ${sure[0]!.rename.edit}`,
    };
    return { proposal, features };
  }
}

/** Whether no text said a name before it was edited. */
function isNewIn(name: string, files: WorkspaceTexts, edited: readonly EditedFile[]): boolean {
  const word = name.replace(/^#/, "");
  return files.saying([word]).every((path) => edited.find((one) => one.path === path)?.before.includes(word) === false);
}

/** Scripts know each other, whichever of their languages they are in. */
function familyOf(language: string): string {
  return /^(type|java)script/.test(language) ? "script" : language;
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
    else for (const one of filesOf(rename, files, guesses)) paths.add(one);
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
  files: WorkspaceTexts,
  guesses: MemberGuesses,
): readonly string[] {
  const word = rename.from.replace(/^#/, "");
  if (rename.kind === "habit") return files.saying([word]);
  if (rename.kind === "member") {
    if (rename.from.startsWith("#")) return [rename.path];
    // Where the name alone says too little, its owner must be named as well.
    const isVague = guesses.of(rename) < leastGuess;
    if (isVague) return rename.owner === undefined ? [rename.path] : files.saying([word, rename.owner]);
    return files.saying([word]);
  }
  const own = pathOf(rename);
  if (familyOf(files.languageOf(own)) !== "script") return files.saying([word]);
  // Whoever takes it from a module lists it, or takes the module whole.
  const taken = new RegExp(
    `\\{[^{}]*(?<![\\w$])${word.replaceAll("$", "\\$")}(?![\\w$])[^{}]*\\}\\s*from\\b|\\*\\s*as\\b`,
  );
  return files.saying([word]).filter((path) => path === own || taken.test(files.textOf(path) ?? ""));
}

/** Members of which it is less likely that they are meant are looked for only where their owner is named. */
const leastGuess = 0.25;
