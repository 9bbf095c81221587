/** Where a setting came from. */
export type Origin =
  | { readonly kind: "default" }
  /** The line counts from 1; absent where a file runs code. */
  | { readonly kind: "file"; readonly path: string; readonly line?: number }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "flag"; readonly name: string };

/**
 * An origin in a few words, such as `emend.config.json:4`, `EMEND_MODEL`, `--model` or `the
 * defaults`; the line counts from 1. Paths below the absolute folder `root` are relative to it.
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

/**
 * One value that somebody set. Objects are taken apart, so it is a scalar, a list, or an object
 * without names.
 */
export interface Entry {
  /** The names from the top down. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly origin: Origin;
}

/** Deeper than any setting lies; what is deeper refers to itself, or is no configuration. */
export const maxDepth = 16;

/**
 * The entries of plain data, with paths that begin with `path`. Names whose value is `undefined`
 * are left out; a value that is no object is a single entry.
 *
 * Returns `undefined` for data that is nested deeper than {@link maxDepth} names, such as data that
 * refers to itself.
 */
export function tryEntriesOf(
  value: unknown,
  origin: Origin,
  path: readonly string[] = [],
): readonly Entry[] | undefined {
  if (!isPlainObject(value)) return [{ path, value, origin }];
  if (path.length >= maxDepth) return undefined;
  const names = Object.keys(value);
  if (names.length === 0) return [{ path, value: {}, origin }];
  const entries: Entry[] = [];
  for (const name of names) {
    // Code that sets a key to nothing sets nothing.
    if (value[name] === undefined) continue;
    const inner = tryEntriesOf(value[name], origin, [...path, name]);
    if (inner === undefined) return undefined;
    entries.push(...inner);
  }
  return entries;
}

/**
 * Whether a value is an object with names of a person's choice: no list, no instance of a class.
 * Modules and objects without a prototype count.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  // Modules and other realms have prototypes of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * One tree of all entries, of objects without a prototype. Of two entries at the same place the
 * later one counts; lists are replaced as a whole. Entries with an empty path are ignored.
 */
export function mergeEntries(entries: Iterable<Entry>): Record<string, unknown> {
  const top = emptyNode();
  for (const { path, value } of entries) {
    let node = top;
    for (const name of path.slice(0, -1)) {
      const inner = node[name];
      if (isNode(inner)) node = inner;
      else node = node[name] = emptyNode();
    }
    const last = path.at(-1);
    if (last === undefined) continue;
    if (!isPlainObject(value)) node[last] = value;
    else if (!isNode(node[last])) node[last] = emptyNode();
  }
  return top;
}

type Node = Record<string, unknown>;

/** Without a prototype, so that `__proto__` is a name like any other. */
function emptyNode(): Node {
  return Object.create(null) as Node;
}

function isNode(value: unknown): value is Node {
  return isPlainObject(value);
}

/**
 * What is wrong with the configuration. The message is one line: the key, where it came from, and
 * what to write.
 *
 * An `error` is a mistake; the setting is left as if it were not there. A `warning` is a setting of
 * a workspace that is not trusted, put aside.
 */
export interface ConfigIssue {
  readonly code:
    | "unknown-key"
    | "wrong-value"
    | "key-in-file"
    | "not-trusted"
    | "not-yours"
    | "several-files"
    | "repeated-key"
    | "unreadable-file"
    | "broken-file"
    | "failed-file";
  readonly severity: "error" | "warning";
  /** Such as `complete.maxLines`; absent where a whole file is meant. */
  readonly key?: string;
  readonly origin: Origin;
  readonly message: string;
}
