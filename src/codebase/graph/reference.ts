/**
 * What a name does the place of it. `shape`: no name is there, but the place must fit the target's
 * type.
 */
export type ReferenceRole =
  | "import"
  | "re-export"
  | "call"
  | "instantiate"
  | "extend"
  | "override"
  | "type"
  | "value"
  | "shape"
  | "merge";

/**
 * A place in a file that means a declaration elsewhere, or in the same file. Offsets are UTF-16.
 */
export interface Reference {
  readonly start: number;
  readonly role: ReferenceRole;
  /** The file of the declaration, from the workspace's root. */
  readonly targetPath: string;
  /** The place of the declared name, or the declaration where it has no name. */
  readonly targetStart: number;
}

/**
 * A module that a file names by a text: in an import, an export, `import()`, `require()` or a type.
 */
export interface ImportedModule {
  /** Its text, without quotes. */
  readonly specifier: string;
  readonly start: number;
  /**
   * The file it means, from the workspace's root; absent where that lies outside, or there is none.
   */
  readonly path?: string;
}

/**
 * All that the names of one file mean. Names of libraries and names that mean nothing are left out,
 * and counted.
 */
export interface FileReferences {
  readonly path: string;
  readonly references: readonly Reference[];
  /** Names whose meaning could not be found, in names of the file altogether. */
  readonly unresolved: number;
  /** Whether types were consulted (`types`), or names alone (`names`), which may say too much. */
  readonly precision: "types" | "names";
  /** The modules that it names, in the order of the text; absent where its language has none. */
  readonly modules?: readonly ImportedModule[];
  /**
   * The members that were resolved by their names alone, or not at all because too many bear the
   * name: what types may settle.
   */
  readonly doubts?: readonly UnresolvedMemberName[];
}

/**
 * A member of an object of unknown class, at `start`. Any references that stand there are
 * guesses.
 */
export interface UnresolvedMemberName {
  readonly start: number;
  readonly name: string;
  readonly role: "call" | "type" | "value" | "extend";
}

/**
 * Finds what the names of files mean: one for each family of languages.
 *
 * It knows the files by `update`, and answers for them as they were told last. The owner
 * disposes it.
 */
export interface ReferenceSource extends AsyncDisposable {
  /** The languages it answers for, by their ids in the registry. */
  readonly languages: readonly string[];
  /**
   * Tells new texts of files; `undefined` removes one. Texts that were never updated are as the
   * file system has them.
   */
  update(texts: ReadonlyMap<string, string | undefined>, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Grows when an update changed how files are read or where modules are found, so that all is to
   * be asked again; absent where that never happens.
   */
  readonly revision?: number;
  /**
   * The types of declarations that others see without reading them, by where their names stand: in
   * full, each name with its module. Absent where nothing is inferred.
   */
  typesAt?(
    path: string,
    nameStarts: readonly number[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly (string | undefined)[]>;
  /**
   * What the names of these files mean, in the order asked. Paths that it does not know give no
   * references. With `saying`, no more need be told than what these names mean, and what is
   * imported by them.
   */
  referencesOf(
    paths: readonly string[],
    options?: { readonly saying?: ReadonlySet<string>; readonly signal?: AbortSignal },
  ): Promise<readonly FileReferences[]>;
}

/**
 * Says what is wrong with files as they are now, such as a type checker.
 *
 * It is a second face of a {@link ReferenceSource} where the language has a checker.
 */
export interface TypeChecker {
  /** The errors of these files; all files it knows where `paths` is absent. */
  errorsOf(
    paths: readonly string[] | undefined,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly TypeDiagnostic[]>;
}

/** One complaint of a type checker. */
export interface TypeDiagnostic {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** The checker's own code, such as `2345` or `reportCallIssue`. */
  readonly code: string;
  readonly message: string;
  /**
   * What it says below the message, such as which property is missing; absent where it says no
   * more.
   */
  readonly details?: readonly string[];
}
