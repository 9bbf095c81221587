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

/** Emend broke a rule of its own. It is never caught to go on quietly. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Throws {@link InvariantError} with `message` unless `condition` holds. */
export function invariant(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantError(typeof message === "string" ? message : message());
}
