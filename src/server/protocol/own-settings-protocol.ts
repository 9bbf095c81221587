/**
 * The answer of `emend/trust`, which trusts the workspace in the user's own settings file.
 * `by-hand`: the file is code, and the user has to add `line`. `already-trusted`: nothing was
 * written.
 */
export type TrustReport =
  | { readonly kind: "trusted"; readonly file: string }
  | { readonly kind: "by-hand"; readonly file: string; readonly line: string }
  | { readonly kind: "already-trusted" };

/** The answer of `emend/setup/state`. */
export interface SetupState {
  /** Whether `emend/setup` with `reset` would take something out of the user's own file. */
  readonly canReset: boolean;
}
