import { type AnswerRow, RowReader } from "./answer-rows.ts";
import type { Ask, BlockAsk } from "./ask.ts";
import { type CodeFence, closesCode, isShellFence, tryReadCodeFence } from "./code-fence.ts";
import type { ReadOptions } from "./edit-format.ts";
import { isNoChangeRow } from "./no-change-row.ts";
import { tryFindPathIn, tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";
import {
  isDivider,
  type SearchReplaceMark,
  tryReadSearchReplaceMark,
  unescapeSearchReplaceRow,
} from "./search-replace-marks.ts";

/**
 * Reads search/replace blocks in the dialects of aider, Cline and Roo.
 *
 * A block is told once its last mark is there, so that a row which looks like the divider can be told from the divider
 * by the rows around it. The path stands above the fence, behind its marks, inside of it, or in the block before.
 */
export class SearchReplaceReader extends RowReader {
  readonly #known: readonly string[];
  /** The file of the block before. */
  #path: string | undefined;
  /** The last row outside of blocks that says something. */
  #above: AnswerRow | undefined;
  #fence: OpenFence | undefined;
  #block: OpenBlock | undefined;
  #noChangeRow: number | undefined;
  /** Blocks that put the same lines in the place of lines. */
  readonly #idle: OpenBlock[] = [];
  #hasAsks = false;
  #hasRefusals = false;

  constructor({ paths }: ReadOptions) {
    super();
    this.#known = paths;
  }

  get open(): Ask | undefined {
    const block = this.#block;
    if (block === undefined || block.fault !== undefined) return undefined;
    const { rows, near } = takeHints(block);
    const divider = rows.findIndex(({ text }) => isDivider(text));
    const end = divider < 0 ? rows.length : divider;
    return toAsk(block, rows.slice(0, end), divider < 0 ? [] : rows.slice(end + 1), near);
  }

  protected takeRow(row: AnswerRow): void {
    const block = this.#block;
    const mark = tryReadSearchReplaceMark(row.text);
    if (block === undefined) {
      this.#takeOutside(row, mark);
    } else if (mark?.kind === "close" && mark.indent === block.indent && mayClose(mark, block)) {
      this.#block = undefined;
      this.#close(block, row, mark);
    } else if (mark?.kind === "open" && mark.indent === block.indent && mark.hasWord) {
      this.#refuseBlock(block, missingEnd(block));
      this.#begin(row, mark);
    } else {
      block.rows.push(row);
    }
  }

  protected takeEnd(isCut: boolean): void {
    const block = this.#block;
    this.#block = undefined;
    if (block !== undefined) {
      const message = `The answer ends inside of the block of row ${block.row.index + 1}, before ">>>>>>> REPLACE".`;
      this.refuse("cut-off", message, { row: block.row.index, path: block.path });
    } else if (isCut) {
      this.refuse("cut-off", "The answer was stopped before it was done.");
    }
    for (const { row, path } of this.#idle) {
      const message = `The block of row ${row.index + 1} puts the same lines in the place of lines.`;
      // Beside other edits it is padding; alone it would be a success that changes nothing.
      if (this.#hasAsks) this.allow("marks", `${message} It was left out.`, { row: row.index, path });
      else this.refuse("no-change", message, { row: row.index, path });
    }
    const hasParts = this.#hasAsks || this.#hasRefusals || this.#idle.length > 0 || block !== undefined || isCut;
    if (this.#noChangeRow !== undefined && !hasParts) this.tell({ kind: "no-change", row: this.#noChangeRow });
  }

  #takeOutside(row: AnswerRow, mark: SearchReplaceMark | undefined): void {
    if (mark?.kind === "open") {
      this.#begin(row, mark);
      return;
    }
    if (mark?.kind === "close" && mark.hasWord) {
      const message = `Row ${row.index + 1} ends a block that no "<<<<<<< SEARCH" has begun.`;
      this.#refuseRow(message, row.index, this.#fence?.path);
      return;
    }
    if (this.#fence !== undefined && closesCode(row.text, this.#fence.fence)) {
      this.#closeFence(this.#fence);
      return;
    }
    const fence = this.#fence === undefined ? tryReadCodeFence(row.text) : undefined;
    if (fence !== undefined) {
      const path = tryReadFenceInfoPath(fence.info, this.#known) ?? this.#pathAbove();
      this.#fence = { fence, row: row.index, path, isFirst: true, isBlank: true, above: this.#above };
      this.#above = undefined;
    } else if (row.text.trim() !== "") {
      if (this.#fence !== undefined) this.#fence.isBlank = false;
      this.#takeWords(row);
    }
  }

  #takeWords(row: AnswerRow): void {
    if (!wrapper.test(row.text.trim())) {
      this.#above = row;
      if (isNoChangeRow(row.text)) this.#noChangeRow ??= row.index;
      this.passBeside(row, "search-replace");
    }
  }

  #begin(row: AnswerRow, mark: SearchReplaceMark): void {
    const { isFirst, path: fencePath, above: aboveFence } = this.#fence ?? {};
    const onMark = mark.rest === "" ? undefined : tryReadPathRow(mark.rest, this.#known);
    let path = onMark ?? this.#pathAbove() ?? (isFirst === true ? fencePath : undefined);
    if (path === undefined) {
      const words = this.#above ?? (isFirst === true ? aboveFence : undefined);
      path = words === undefined ? undefined : tryFindPathIn(words.text, this.#known);
      if (path !== undefined) {
        this.allow("path", `The file was taken from the words of row ${words!.index + 1}.`, { row: row.index, path });
      }
    }
    path ??= this.#path;
    const fault =
      mark.rest !== "" && onMark === undefined
        ? `Row ${row.index + 1} has text behind its mark. Code begins on the row below.`
        : undefined;
    this.#block = { row, path, indent: mark.indent, length: mark.length, rows: [], fault };
    this.#path = path;
    this.#above = undefined;
    if (this.#fence !== undefined) this.#fence.isFirst = false;
    if (!mark.isPlain || onMark !== undefined) {
      this.allow("marks", `The mark of row ${row.index + 1} is written "<<<<<<< SEARCH".`, { row: row.index, path });
    }
  }

  #close(block: OpenBlock, row: AnswerRow, mark: SearchReplaceMark): void {
    const { rows, near, fault } = takeHints(block);
    const dividers = dividersIn(rows, block);
    const message = block.fault ?? fault ?? faultOf(rows, dividers, row, mark);
    if (message !== undefined) {
      this.#refuseBlock(block, message);
      return;
    }
    const ask = toAsk(block, rows.slice(0, dividers[0]), rows.slice(dividers[0]! + 1), near);
    if (ask.search.length > 0 && hasSameLines(ask)) {
      this.#idle.push(block);
    } else {
      this.ask(ask);
      this.#hasAsks = true;
    }
    if (!mark.isPlain) {
      const right = `The mark of row ${row.index + 1} is written ">>>>>>> REPLACE".`;
      this.allow("marks", right, { row: row.index, path: block.path });
    }
  }

  /** Says so where a fence names a file and holds no block: it may have been meant as an edit. */
  #closeFence({ fence, row, path, isFirst, isBlank }: OpenFence): void {
    this.#fence = undefined;
    this.#above = undefined;
    if (!isFirst || isShellFence(fence)) return;
    if (path === undefined) {
      // In front of the edits it is what they are explained with.
      if (this.#hasAsks && !isBlank) this.passCode({ row, path });
      return;
    }
    const message = `The fence of row ${row + 1} names ${path} and holds no block that begins with "<<<<<<< SEARCH".`;
    this.#refuseRow(message, row, path);
  }

  #pathAbove(): string | undefined {
    return this.#above === undefined ? undefined : tryReadPathRow(this.#above.text, this.#known);
  }

  #refuseBlock(block: OpenBlock, message: string): void {
    this.#refuseRow(message, block.row.index, block.path);
  }

  #refuseRow(message: string, row: number, path: string | undefined): void {
    this.refuse("unreadable-row", message, { row, path });
    this.#hasRefusals = true;
  }
}

interface OpenFence {
  readonly fence: CodeFence;
  readonly row: number;
  readonly path: string | undefined;
  /** The row above it that says something. */
  readonly above: AnswerRow | undefined;
  /** Whether no block has begun in it. */
  isFirst: boolean;
  /** Whether all rows in it are blank, but those of blocks. */
  isBlank: boolean;
}

interface OpenBlock {
  readonly row: AnswerRow;
  readonly path: string | undefined;
  /** What stands in front of its marks. */
  readonly indent: string;
  /** How many characters its first mark has. */
  readonly length: number;
  readonly rows: AnswerRow[];
  readonly fault: string | undefined;
}

/** Marks without their word close a block only behind a divider. */
function mayClose({ hasWord }: SearchReplaceMark, { rows }: OpenBlock): boolean {
  return hasWord || rows.some(({ text }) => isDivider(text));
}

/** Tags that tools put around blocks. */
const wrapper = /^<\/?[a-z_]+>(?:<!\[CDATA\[)?$|^\]\]>/;

/** Takes Roo's hints, `:start_line:12` and the row of dashes below, off the rows of a block. */
function takeHints({ rows }: OpenBlock): {
  readonly rows: readonly AnswerRow[];
  readonly near: number | undefined;
  readonly fault?: string;
} {
  let count = 0;
  let near: number | undefined;
  for (; count < rows.length; count++) {
    const [, which, number] = /^:(start|end)_line:\s*(\d{1,9})\s*$/.exec(rows[count]!.text) ?? [];
    if (which === undefined) break;
    if (which === "start") near = Math.max(0, Number(number) - 1);
  }
  const next = rows[count]?.text ?? "";
  if (/^:[\w ]*line[\w ]*:/i.test(next)) {
    const fault = `Row ${rows[count]!.index + 1} is no hint as ":start_line:12".`;
    return { rows, near, fault };
  }
  return { rows: rows.slice(count > 0 && /^-{5,9}\s*$/.test(next) ? count + 1 : count), near };
}

/** The rows that divide a block; one if all is well. */
function dividersIn(rows: readonly AnswerRow[], { indent, length }: OpenBlock): readonly number[] {
  const found: number[] = [];
  let isInConflict = false;
  for (const [i, { text }] of rows.entries()) {
    // A conflict of git in the code has a divider of its own.
    if (/^<{7} \S/.test(text)) isInConflict = true;
    else if (/^>{7} \S/.test(text)) isInConflict = false;
    else if (!isInConflict && isDivider(text) && text.startsWith(`${indent}=`)) found.push(i);
  }
  const narrower = [
    // As long as the other marks.
    (i: number) => rows[i]!.text.trim().length === length,
    // No line below a title.
    (i: number) => !isUnderline(rows[i]!.text, rows[i - 1]?.text ?? ""),
  ];
  let left: readonly number[] = found;
  for (const holds of narrower) {
    const fewer = left.filter(holds);
    if (left.length > 1 && fewer.length > 0) left = fewer;
  }
  return left;
}

function isUnderline(row: string, title: string): boolean {
  return /[\p{L}\p{N}]/u.test(title) && title.trim().length === row.trim().length;
}

function faultOf(
  rows: readonly AnswerRow[],
  dividers: readonly number[],
  row: AnswerRow,
  mark: SearchReplaceMark,
): string | undefined {
  if (mark.rest !== "" && !/^[`~]+$|^<\/\w+>$/.test(mark.rest)) {
    return `Row ${row.index + 1} has text behind its mark. The mark ends the block and its row.`;
  }
  if (dividers.length === 0)
    return `The block that ends in row ${row.index + 1} has no row "=======" between its halves.`;
  if (dividers.length === 1) return undefined;
  const numbers = dividers.map((i) => rows[i]!.index + 1).join(" and ");
  return `Rows ${numbers} could all be the divider of their block. A block has one "=======", and a row of code that reads so gets a backslash in front.`;
}

function missingEnd({ row, rows }: OpenBlock): string {
  const glued = rows.find(({ text }) => />{5,9} REPLACE\s*$/.test(text));
  const where = glued === undefined ? "" : ` It needs a row of its own, unlike in row ${glued.index + 1}.`;
  return `The block of row ${row.index + 1} has no row ">>>>>>> REPLACE" at its end.${where}`;
}

function toAsk(
  { row, path }: OpenBlock,
  search: readonly AnswerRow[],
  replace: readonly AnswerRow[],
  near: number | undefined,
): BlockAsk {
  const lines = (rows: readonly AnswerRow[]) => rows.map(({ text }) => unescapeSearchReplaceRow(text));
  const ask: BlockAsk = { kind: "block", row: row.index, path, search: lines(search), replace: lines(replace) };
  return near === undefined ? ask : { ...ask, near };
}

function hasSameLines({ search, replace }: BlockAsk): boolean {
  return search.length === replace.length && search.every((line, i) => line === replace[i]);
}
