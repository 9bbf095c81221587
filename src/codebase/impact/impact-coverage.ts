/**
 * What an analysis has looked at, and what it has not: an impact that is not listed may only be
 * believed where this says that it was looked for. Plain data.
 */
export interface ImpactCoverage {
  /** The languages that were looked at, by the number of their files. */
  readonly languages: readonly LanguageCoverage[];
  readonly blocks: number;
  readonly edges: number;
  readonly types: TypesCoverage;
  /** Whether pyright was asked; absent where nothing of Python changed. */
  readonly python?: PythonCoverage;
  /**
   * Names whose meaning was not found, such as those of packages that are not installed; of how
   * many altogether is not known.
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

/** How a language was looked at. */
export interface LanguageCoverage {
  /** Its id in the registry. */
  readonly language: string;
  readonly files: number;
  /**
   * - `types`: who depends on whom is known by types.
   * - `names`: it is known by names alone, and may be too much or too little.
   * - `blocks`: what changed is known, but not who depends on it.
   * - `none`: it has no grammar; nothing is known of it.
   * - `unchanged`: nothing of it changed, and it was not looked at.
   */
  readonly precision: "types" | "names" | "blocks" | "none" | "unchanged";
}

/** Whether a type checker was asked. */
export type TypesCoverage =
  | {
      readonly kind: "checked";
      readonly files: number;
      /**
       * The configuration whose strictness holds; absent where there is none, and everything is
       * strict.
       */
      readonly optionsFrom?: string;
      /** Complaints that it had before the change, which are not laid at its door. */
      readonly errorsBefore: number;
      /**
       * Files that were not read, as the checker's process went over a limit on them; absent where
       * there are none.
       */
      readonly leftOut?: readonly { readonly path: string; readonly reason: "memory" | "time" }[];
    }
  /** Nothing that has a type checker changed. */
  | { readonly kind: "not-needed" }
  /** It was wanted, and could not be had. */
  | { readonly kind: "failed"; readonly message: string };

/** What pyright was asked of Python. */
export type PythonCoverage =
  | {
      readonly kind: "asked";
      /**
       * Names that were guesses on the ways of the change: how many it was asked for, knew, and was
       * not asked for as they were too many.
       */
      readonly asked: number;
      readonly known: number;
      readonly left: number;
      /**
       * Files that were checked, and files that the change reaches at once and that were not, for
       * they were too many.
       */
      readonly files: number;
      readonly unchecked: number;
      /** Complaints that it had before the change. */
      readonly errorsBefore: number;
      /**
       * Files that were not read, as pyright's process needed too much memory or time for them, or
       * ended by itself on them; absent where there are none.
       */
      readonly leftOut?: readonly { readonly path: string; readonly reason: "memory" | "time" | "ended" }[];
    }
  /** It is there, and nothing was asked. */
  | { readonly kind: "not-asked" }
  /** It is not installed. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly message: string };
