declare const redacted: unique symbol;

/**
 * A text whose keys, tokens and passwords are replaced by `…`.
 *
 * Only `hideSecrets` of `emend/context` and the functions beside it make one, so the compiler
 * refuses a prompt with context that was not redacted.
 */
export type RedactedText = string & { readonly [redacted]: true };
