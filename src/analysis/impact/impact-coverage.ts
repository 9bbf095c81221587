import { languageById } from "../../syntax/index.ts";
import { groupBy } from "../../text/index.ts";

/**
 * What an analysis covered, and what it did not. An empty result only means something where this
 * shows that the analysis looked. Plain data.
 */
export interface ImpactCoverage {
  /** The covered languages, by falling number of files. */
  readonly languages: readonly LanguageCoverage[];
  /**
   * The number of scripts that the change may reach by imports, where only these were analysed
   * because the workspace is large; absent where all were.
   */
  readonly scriptsInReach?: number;
  readonly blocks: number;
  readonly edges: number;
  readonly types: TypesCoverage;
  /** How far pyright was used; absent where no Python changed. */
  readonly python?: PythonCoverage;
  /**
   * The number of names that could not be resolved, such as those of packages that are not
   * installed. Their share of all names is unknown.
   */
  readonly unresolvedNames: number;
  /** Changed files that were not read. */
  readonly skippedChanges: readonly { readonly path: string; readonly reason: string }[];
  /** Files and folders of the workspace that were not read, by reason. */
  readonly skipped: readonly {
    readonly reason: string;
    readonly count: number;
    readonly examples: readonly string[];
  }[];
}

/** How far a language was covered. */
export interface LanguageCoverage {
  /** Its id in the registry. */
  readonly language: string;
  readonly files: number;
  /**
   * - `types`: dependencies are resolved by types.
   * - `names`: dependencies are resolved by names only, and may be incomplete or too many.
   * - `blocks`: changes are known, but not their dependents.
   * - `none`: there is no grammar for it.
   * - `unchanged`: no file of it changed, and it was not analysed.
   */
  readonly precision: "types" | "names" | "blocks" | "none" | "unchanged";
}

/** How far a type checker was used. */
export type TypesCoverage =
  | {
      readonly kind: "checked";
      readonly files: number;
      /**
       * The configuration file whose options apply; absent where there is none, and all strict
       * options are on.
       */
      readonly optionsFrom?: string;
      /** The number of errors before the change, which are ignored. */
      readonly errorsBefore: number;
      /**
       * Files that were not checked, since the checker's process exceeded a limit; absent where
       * there are none.
       */
      readonly leftOut?: readonly { readonly path: string; readonly reason: "memory" | "time" }[];
    }
  /** No changed file has a type checker. */
  | { readonly kind: "not-needed" }
  /** The type checker could not be started, or failed. */
  | { readonly kind: "failed"; readonly message: string };

/** How far pyright was used for Python. */
export type PythonCoverage =
  | {
      readonly kind: "queried";
      /**
       * Unresolved names on the paths of the change: how many were queried, how many of these were
       * resolved, and how many were not queried because of the limit.
       */
      readonly queried: number;
      readonly known: number;
      readonly left: number;
      /** The number of checked files, and of directly affected files beyond the limit. */
      readonly files: number;
      readonly unchecked: number;
      /** The number of errors before the change. */
      readonly errorsBefore: number;
      /**
       * Files that were not read, as pyright's process needed too much memory or time for them, or
       * ended by itself on them; absent where there are none.
       */
      readonly leftOut?: readonly { readonly path: string; readonly reason: "memory" | "time" | "ended" }[];
    }
  /** Pyright is installed, and there was nothing to query. */
  | { readonly kind: "not-queried" }
  /** Pyright is not installed. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly message: string };

/** A sentence about the coverage. A `gap` is a place where an impact may be missed. */
export interface CoverageSentence {
  readonly kind: "seen" | "gap";
  readonly text: string;
}

/**
 * Describes in sentences what an analysis covered, and what it did not. A sentence of kind `gap` is
 * a place where an impact may be missed.
 */
export function printCoverage(coverage: ImpactCoverage): CoverageSentence[] {
  const { languages, scriptsInReach, blocks, edges, types, python, unresolvedNames, skippedChanges, skipped } =
    coverage;
  const sentences: CoverageSentence[] = [];
  const seen = (text: string) => sentences.push({ kind: "seen", text });
  const gap = (text: string) => sentences.push({ kind: "gap", text });

  const looked = languages.filter(({ precision }) => precision !== "unchanged" && precision !== "none");
  const files = looked.reduce((sum, one) => sum + one.files, 0);
  const graph = `${count(blocks, "block")} and ${count(edges, "dependency", "dependencies")}`;
  if (scriptsInReach === undefined) seen(`${count(files, "file")} with ${graph}`);
  else
    seen(
      `${count(scriptsInReach, "script")} that the change reaches by imports, of ${count(files, "file")}, with ${graph}`,
    );
  if (types.kind === "checked") {
    const strictness =
      types.optionsFrom === undefined ? "no tsconfig.json, so strictly" : `as ${types.optionsFrom} says`;
    const before = types.errorsBefore === 0 ? "" : `; ${count(types.errorsBefore, "error")} of before left out`;
    seen(`types of ${count(types.files, "file")} checked, ${strictness}${before}`);
    for (const { path, reason } of types.leftOut ?? [])
      gap(`types of ${path} are not known: the TypeScript process needs too much ${reason} for it`);
  }
  if (types.kind === "failed") gap(`No types were checked: ${types.message.replace(/\.$/, "")}`);
  if (python !== undefined) sentences.push(...pythonSentences(python));
  for (const language of looked) for (const text of gapsOf(language, python)) gap(text);
  const without = languages.filter(
    ({ language, precision }) => precision === "none" && languageById(language)?.isProse !== true,
  );
  if (without.length > 0)
    gap(`${listOf(without)} changed, and ${without.length === 1 ? "has" : "have"} no blocks to follow`);
  const unchanged = languages.filter(({ precision }) => precision === "unchanged");
  if (unchanged.length > 0) seen(`nothing changed in ${listOf(unchanged)}, which were not looked at`);
  if (unresolvedNames > 0) {
    gap(`${count(unresolvedNames, "name")} could not be followed, such as those of packages that are not installed`);
  }
  for (const text of unreadChanges(skippedChanges)) gap(text);
  for (const { reason, count: paths, examples } of skipped) {
    const more = paths > examples.length ? ", …" : "";
    seen(`${count(paths, "path")} left out as ${reason}: ${examples.map((path) => path || ".").join(", ")}${more}`);
  }
  return sentences;
}

/**
 * The languages in which no dependency was followed, so that nothing is known of the blocks that a
 * change affects there.
 */
export function unfollowedLanguages({ languages }: Pick<ImpactCoverage, "languages">): readonly string[] {
  return languages.filter(({ precision }) => precision === "blocks").map(({ language }) => language);
}

function pythonSentences(python: PythonCoverage): CoverageSentence[] {
  switch (python.kind) {
    case "not-queried":
      return [];
    case "missing":
      return [{ kind: "gap", text: "types of Python are not checked: install pyright" }];
    case "failed":
      return [{ kind: "gap", text: `types of Python are not checked: ${python.message.replace(/\.$/, "")}` }];
    case "queried": {
      const { queried, known, left, files, unchecked, errorsBefore, leftOut = [] } = python;
      const before = errorsBefore === 0 ? "" : `; ${count(errorsBefore, "error")} of before left out`;
      const settled = queried === 0 ? "" : `, ${known} of ${count(queried, "doubtful name")} settled`;
      const text = `pyright checked ${count(files, "file")} of Python${settled}${before}`;
      const were = (amount: number) => (amount === 1 ? "was" : "were");
      const gaps = [
        ...(left > 0 ? [`${count(left, "doubtful name")} of Python ${were(left)} not settled`] : []),
        ...(unchecked > 0
          ? [`${count(unchecked, "file")} of Python that the change reaches at once ${were(unchecked)} not checked`]
          : []),
      ].map((gap) => `${gap}, for there were too many`);
      for (const { path, reason } of leftOut) {
        const why = reason === "ended" ? "pyright ended by itself on it" : `pyright needs too much ${reason} for it`;
        gaps.push(`types of ${path} are not known: ${why}`);
      }
      return [{ kind: "seen", text }, ...gaps.map((gap) => ({ kind: "gap" as const, text: gap }))];
    }
  }
}

function gapsOf(
  { language, files, precision }: LanguageCoverage,
  python: PythonCoverage | undefined,
): readonly string[] {
  if (precision === "types") return [];
  const these = `${language} (${count(files, "file")})`;
  if (precision !== "names") return [`who depends on whom in ${these} is not known; only what changed is told`];
  const unsure = "may be too much or too little";
  const queried =
    languageById(language)?.traits.server === "pyright" && python?.kind === "queried" ? python : undefined;
  const checked = queried?.files ?? 0;
  if (checked >= files) return [];
  const means = (queried?.known ?? 0) > 0 ? "names, and by types where those are guesses" : "names";
  if (checked > 0) return [`${these} is followed by ${means}; what pyright did not check of it ${unsure}`];
  return [`${these} is followed by ${means}${means === "names" ? " alone" : ""}, which ${unsure}`];
}

/** The most paths that are named in one sentence. */
const maxNamed = 3;

/**
 * Changed files that were not read: each with its reason, or grouped where there are many with one
 * reason.
 */
function unreadChanges(changes: ImpactCoverage["skippedChanges"]): string[] {
  const byKind = groupBy(changes, ({ reason }) => /^(?:\D[^:]*)/.exec(reason)?.[0] ?? "too large");
  return [...byKind].flatMap(([kind, list]) => {
    if (list.length <= maxNamed) return list.map(({ path, reason }) => `The change of ${path} was not read: ${reason}`);
    const named = list.slice(0, maxNamed).map(({ path }) => path);
    return [`The changes of ${count(list.length, "file")} were not read, ${kind}: ${named.join(", ")}, …`];
  });
}

function listOf(languages: readonly LanguageCoverage[]): string {
  return languages.map(({ language, files }) => `${language} (${count(files, "file")})`).join(", ");
}

/** An amount with its noun, in English: `1 file`, `1,204 files`. */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${amount.toLocaleString("en")} ${amount === 1 ? noun : plural}`;
}
