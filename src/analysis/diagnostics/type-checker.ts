import type { AbortOptions } from "../../async/index.ts";
import type { Diagnostic } from "../../text/index.ts";
import type { ReferenceSource } from "../graph/reference.ts";

/**
 * A diagnostic of a file, by a type checker. The code is the checker's own, such as `2345` or
 * `reportCallIssue`.
 */
export interface FileDiagnostic extends Diagnostic {
  /** The file, relative to the workspace's root. */
  readonly path: string;
  /**
   * Further lines of the message, such as the name of the missing property; absent if there are
   * none.
   */
  readonly details?: readonly string[];
}

/**
 * Finds the type errors of files in their current state.
 *
 * For languages with a checker, the {@link ReferenceSource} implements this as well.
 */
export interface TypeChecker {
  /** The errors of these files, or of all known files if `paths` is absent. */
  errorsOf(paths: readonly string[] | undefined, options?: AbortOptions): Promise<readonly FileDiagnostic[]>;
}

/** A type checker whose texts can be replaced. */
export interface OverlayTypeChecker extends TypeChecker {
  /** Updates texts of files; `undefined` removes a file. */
  update(texts: ReadonlyMap<string, string | undefined>, options?: AbortOptions): Promise<void>;
  /**
   * Opens files before requests about them, all at once. Resolves to whether one was not open yet.
   * Absent where all files are open.
   */
  include?(paths: readonly string[]): Promise<boolean>;
}
