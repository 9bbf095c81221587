import type { CodeBlockKind } from "./code-block.ts";

/**
 * Keeps the names of a file's blocks apart: the second block of a kind and a name is `name#2`, the
 * third `name#3`.
 */
export class BlockNames {
  readonly #counts = new Map<string, number>();

  /** The name for one more block that would be called `name`. */
  next(kind: CodeBlockKind, name: string): string {
    const key = `${kind}:${name}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1 ? name : `${name}#${count}`;
  }
}

/** A block's name without the number that tells it from those of its name. */
export function withoutNumber(name: string): string {
  return name.replace(/#\d+$/, "");
}

/** How a statement is named: by the beginning of its text, at most 48 characters in backticks. */
export function statementName(text: string): string {
  return `\`${text.replace(/\s+/g, " ").slice(0, 48)}\``;
}
