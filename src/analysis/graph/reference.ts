import type { AbortOptions } from "../../async/index.ts";
/** How a name is used. `shape`: there is no name, but the code must match the target's type. */
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

/** A place in a file that refers to a declaration in any file. Offsets are in UTF-16 units. */
export interface Reference {
  readonly start: number;
  readonly role: ReferenceRole;
  /** The file of the declaration, relative to the workspace's root. */
  readonly targetPath: string;
  /** The offset of the declared name, or of the declaration if it has no name. */
  readonly targetStart: number;
}

/** A module specifier: in an import, an export, `import()`, `require()` or a type. */
export interface ModuleSpecifier {
  /** The text without quotes. */
  readonly specifier: string;
  readonly start: number;
  /**
   * The file that it resolves to, relative to the workspace's root; absent if it doesn't exist or
   * is outside.
   */
  readonly path?: string;
}

/** The resolved names of one file. Names of libraries are left out. */
export interface FileReferences {
  readonly path: string;
  readonly references: readonly Reference[];
  /** The number of names in the file that couldn't be resolved. */
  readonly unresolved: number;
  /**
   * How names were resolved: by the type checker (`types`), or by name alone (`names`), which may
   * return too many.
   */
  readonly precision: "types" | "names";
  /** The module specifiers in text order; absent for languages without modules. */
  readonly modules?: readonly ModuleSpecifier[];
  /**
   * Members that were resolved by name alone, or not at all because the name is too common. A type
   * checker may resolve them.
   */
  readonly unresolvedMembers?: readonly UnresolvedMemberName[];
}

/** A member of an object whose class is unknown. References at `start` are guesses. */
export interface UnresolvedMemberName {
  readonly start: number;
  readonly name: string;
  readonly role: "call" | "type" | "value" | "extend";
}

/**
 * Resolves the names in files; one for each family of languages.
 *
 * Files are passed with `update`, and answers refer to the last texts. The owner disposes it.
 */
export interface ReferenceSource extends AsyncDisposable {
  /** The supported languages, by their ids in the registry. */
  readonly languages: readonly string[];
  /**
   * Passes new texts of files; `undefined` removes a file. Files that were never updated have the
   * text of the file system.
   */
  update(texts: ReadonlyMap<string, string | undefined>, options?: AbortOptions): Promise<void>;
  /**
   * Increases when an update changed how files are parsed or modules are resolved, so that all
   * earlier answers are outdated; absent if that never happens.
   */
  readonly revision?: number;
  /**
   * The inferred types of declarations, by the offsets of their names. Printed in full, each name
   * with its module. Absent if the source infers no types.
   */
  typesAt?(
    path: string,
    nameStarts: readonly number[],
    options?: AbortOptions,
  ): Promise<readonly (string | undefined)[]>;
  /**
   * The resolved names of these files, in the order given. Unknown paths have no references. With
   * `onlyNames`, only references to these names, and to what is imported under them, have to be
   * returned.
   */
  referencesOf(
    paths: readonly string[],
    options?: { readonly onlyNames?: ReadonlySet<string>; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly FileReferences[]>;
}

/** A type checker that lists the members of types. */
export interface MemberNameSource {
  /**
   * The names that may be at `offset` (UTF-16 units), directly after a dot and in place of the name
   * that is there. Rejects as the checker does, and with the signal's reason.
   */
  membersAt(path: string, offset: number, options?: AbortOptions): Promise<MemberNames>;
}

/**
 * The names that may follow a dot, and the type or namespace that has them. `any`: the types allow
 * any name, or there is no dot.
 */
export type MemberNames =
  | { readonly kind: "names"; readonly of: string; readonly names: readonly string[] }
  | { readonly kind: "any" };
