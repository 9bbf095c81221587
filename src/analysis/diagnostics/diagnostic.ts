/** An error that a type checker reports in a file. Plain data; offsets are in UTF-16 units. */
export interface Diagnostic {
  /** The file, relative to the workspace's root. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
  /** The checker's own code, such as `2345` or `reportCallIssue`. */
  readonly code: string;
  readonly message: string;
  /**
   * Further lines of the message, such as the name of the missing property; absent if there are
   * none.
   */
  readonly details?: readonly string[];
}
