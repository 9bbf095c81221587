import type { Origin } from "./origin.ts";

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

/** The entries of plain data. Answers `undefined` for data that refers to itself. */
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

/** An object with names of a person's choice: no list, no instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  // Modules and other realms have prototypes of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * One tree of all entries; of two at the same place the later one counts, and lists are replaced as
 * a whole.
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
