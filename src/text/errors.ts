/** A failure outside Emend: a file, a server, an invalid input. The message has the remedy. */
export class EmendError extends Error {
  override readonly name = "EmendError";
  /** A stable, machine-readable name of the failure, such as `file-missing`. */
  readonly code: string;

  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** A violated invariant of Emend itself. It is never caught and ignored. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/**
 * Throws {@link InvariantError} with `message` unless `condition` holds. A function as `message` is
 * only called then.
 */
export function invariant(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantError(typeof message === "string" ? message : message());
}

/** The message of a caught value: an error's own, or the value as a string. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
