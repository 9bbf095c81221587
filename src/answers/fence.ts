/** A row of Markdown that opens or closes a code block. */
export interface Fence {
  /** The backticks or tildes. */
  readonly marks: string;
  /** The text after them, such as a language; empty for a closing fence. */
  readonly info: string;
}

/**
 * Reads a row that opens or closes a code block: three or more backticks or tildes, indented by at
 * most three blanks; `undefined` for other rows, such as inline code.
 */
export function tryReadFence(row: string): Fence | undefined {
  const [, marks, info] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(row) ?? [];
  if (marks === undefined || info === undefined) return undefined;
  // As in Markdown, the text after backticks contains none; otherwise the row is inline code.
  return marks.startsWith("`") && info.includes("`") ? undefined : { marks, info: info.trim() };
}

/**
 * Whether `fence` closes the block that `opening` opened: the same mark, at least as long, nothing
 * after it.
 */
export function closesFence(fence: Fence, opening: Fence): boolean {
  return fence.info === "" && fence.marks.startsWith(opening.marks);
}

/**
 * The index from `start` on of the row that closes the block that `opening` opened, past blocks
 * inside of it; `undefined` where none does.
 */
export function closingFenceAt(rows: readonly string[], start: number, opening: Fence): number | undefined {
  let depth = 0;
  for (let i = start; i < rows.length; i++) {
    const fence = tryReadFence(rows[i]!);
    if (fence === undefined) continue;
    if (fence.info !== "" && fence.marks.startsWith(opening.marks)) depth++;
    else if (closesFence(fence, opening) && depth-- === 0) return i;
  }
  return undefined;
}

/**
 * Knows for the rows of an answer, one after the other, whether they are inside of a code block.
 */
export class FenceState {
  #open: Fence | undefined;

  /** The fence that is open after the last row. */
  get open(): Fence | undefined {
    return this.#open;
  }

  /** Whether a code block is open after the last row. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Takes the next row; white space at its end does not count. */
  take(row: string): void {
    const fence = tryReadFence(row.trimEnd());
    if (this.#open === undefined) this.#open = fence;
    else if (fence !== undefined && closesFence(fence, this.#open)) this.#open = undefined;
  }
}
