import type { CodeBlockKind } from "./code-block.ts";

/**
 * Makes the names of a file's blocks unique: the second block with the same kind and name is
 * `name#2`, the third `name#3`.
 */
export class BlockNames {
  readonly #counts = new Map<string, number>();

  /** Returns the unique name for the next block called `name`. */
  next(kind: CodeBlockKind, name: string): string {
    const key = `${kind}:${name}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1 ? name : `${name}#${count}`;
  }
}

/** Removes the `#2` that makes a block's name unique. */
export function withoutNumber(name: string): string {
  return name.replace(/#\d+$/, "");
}

/** The name of a statement block: the first 48 characters of its text, in backticks. */
export function statementName(text: string): string {
  return `\`${text.replace(/\s+/g, " ").slice(0, 48)}\``;
}
