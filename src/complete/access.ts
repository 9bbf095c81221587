/** Whether a file may be looked at, as the host's ignore rules and list of secret files say. */
export type AccessVerdict =
  | { readonly kind: "allowed" }
  /** It holds keys or passwords. */
  | { readonly kind: "secret" }
  /** `by` names what ignores it, such as `.copilotignore:3: *.log`. */
  | { readonly kind: "ignored"; readonly by: string };
