/** Where a setting came from. */
export type Origin =
  | { readonly kind: "default" }
  /** The line counts from 1; absent where a file runs code. */
  | { readonly kind: "file"; readonly path: string; readonly line?: number }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "flag"; readonly name: string };

/**
 * In a few words, such as `emend.config.json:4`, `EMEND_MODEL` or `--model`; paths below `root` are
 * shown from there.
 */
export function printOrigin(origin: Origin, root: string): string {
  if (origin.kind === "default") return "the defaults";
  if (origin.kind !== "file") return origin.name;
  const path = origin.path.startsWith(`${root}/`) ? origin.path.slice(root.length + 1) : origin.path;
  return origin.line === undefined ? path : `${path}:${origin.line}`;
}

/** A key's names as a person writes them: `complete.fileTypes[".env"]`, `model[1]`. */
export function printKey(path: readonly string[]): string {
  return path
    .map((name, index) =>
      /^[A-Za-z_$][\w$]*$/.test(name)
        ? `${index === 0 ? "" : "."}${name}`
        : `[${/^\d+$/.test(name) ? name : JSON.stringify(name)}]`,
    )
    .join("");
}
