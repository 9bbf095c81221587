import { type AnswerRow, RowReader } from "./answer-rows.ts";
import type { Ask } from "./ask.ts";
import type { ReadOptions } from "./edit-format.ts";
import { isNoChangeRow } from "./no-change-row.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";
import { isProseFile } from "./prose-file.ts";
import { readsAsWords } from "./reads-as-words.ts";
import { closesFence, type Fence, tryReadFence } from "./show-file.ts";
import { isOfOther, tryOutdent, tryReadWrapped } from "./wrapped-code.ts";

/**
 * Reads answers in the format `whole`.
 *
 * A block is told when the next one begins, or at the end. Markdown may hold fences itself: there the last one that could
 * close a block does, elsewhere a second one is refused. A block without a path is taken only where one file was shown
 * and it is the only block.
 */
export class WholeReader extends RowReader {
  readonly #paths: readonly string[];
  /** The last path outside of blocks. */
  #path: PathRow | undefined;
  #isBehindBlank = false;
  #block: Block | undefined;
  /** Blocks that are files. */
  #blocks = 0;
  /** Those without a path that are read. */
  readonly #unnamed: Block[] = [];
  /** The first row outside of blocks that may be code. */
  #besideRow: AnswerRow | undefined;
  #noneRow: number | undefined;

  constructor({ paths }: ReadOptions) {
    super();
    this.#paths = paths;
  }

  get open(): Ask | undefined {
    if (this.#block === undefined) return undefined;
    const { row, path } = this.#block;
    return { kind: "whole", row, path, lines: linesOf(this.#block) };
  }

  protected takeRow(row: AnswerRow): void {
    const fence = tryReadFence(row.text);
    const block = this.#block;
    if (block === undefined) {
      if (fence !== undefined) this.#open(row, fence);
      else this.#takeOutside(row);
      return;
    }
    // Once the block may be closed, a fence behind it can begin the next one.
    if (block.depth <= 0 && fence !== undefined && this.#begins(fence, block)) {
      this.#close(block);
      this.#open(row, fence);
      return;
    }
    block.rows.push(row);
    if (fence !== undefined && fence.info !== "" && block.depth > 0) {
      // A shorter fence in the code closes nothing, and what closes it neither.
      if (fence.marks.startsWith(block.fence.marks)) block.depth++;
    } else if (fence !== undefined && closesFence(fence, block.fence)) {
      block.depth--;
      if (block.depth <= 0) block.ends.push(block.rows.length - 1);
      this.#path = undefined;
      this.#isBehindBlank = false;
    } else if (block.depth <= 0) {
      this.#takeOutside(row);
    }
  }

  protected takeEnd(isCut: boolean): void {
    const block = this.#block;
    if (isCut || (block !== undefined && block.ends.length === 0)) {
      const why = isCut ? "The answer was cut off" : "The block is not closed";
      const path = block?.path;
      this.refuse("cut-off", `${why}, so that the file may be incomplete. It is not taken.`, { row: block?.row, path });
    } else {
      if (block !== undefined) this.#close(block);
      this.#settleUnnamed();
      if (this.#besideRow !== undefined && this.#blocks > 0) this.tellLeftOut(this.#besideRow);
    }
    this.#block = undefined;
    if (this.#noneRow === undefined) return;
    if (this.#blocks === 0) this.tell({ kind: "no-change", row: this.#noneRow });
    else this.refuse("unreadable-row", "The answer has files and says that none changes.", { row: this.#noneRow });
  }

  #takeOutside(row: AnswerRow): void {
    const isBlank = row.text.trim() === "";
    const isApart = this.#isBehindBlank;
    this.#isBehindBlank = isBlank;
    if (isBlank) return;
    if (this.#block === undefined || !this.#isProse(this.#block)) this.passBeside(row, "whole");
    if (this.#block === undefined && isNoChangeRow(row.text)) this.#noneRow = row.index;
    const path = tryReadPathRow(row.text, this.#paths);
    const isSaid = path !== undefined || isNoChangeRow(row.text) || readsAsWords(row.text);
    if (!isSaid && !(this.#block !== undefined && this.#isProse(this.#block))) this.#besideRow ??= row;
    this.#path =
      path === undefined ? undefined : { path, row: row.index, isApart: isApart || this.#paths.includes(path) };
  }

  /** Whether a fence behind a block that may be closed begins another one. */
  #begins(fence: Fence, block: Block): boolean {
    const closes = closesFence(fence, block.fence);
    if (this.#isProse(block)) return this.#path !== undefined && (!closes || this.#path.isApart);
    return this.#path !== undefined || !closes;
  }

  #open(row: AnswerRow, fence: Fence): void {
    const path = this.#path?.path ?? tryReadFenceInfoPath(fence.info, this.#paths);
    this.#block = { fence, fenceRow: row.text, row: this.#path?.row ?? row.index, path, rows: [], depth: 1, ends: [] };
    if (!this.#isForPerson(this.#block)) {
      this.#blocks++;
      this.refuseCodeInFence(row, fence.info, this.#paths);
    }
    this.#path = undefined;
  }

  #close(written: Block): void {
    if (this.#isForPerson(written)) return;
    const block = this.#unwrapped(this.#outdented(written));
    if (block === undefined) return;
    const { row, path, ends, fence } = block;
    const code = { row, path: path ?? this.#paths[0], lines: linesOf(block), info: fence.info };
    if (this.refuseEditInCode(code, "whole")) return;
    if (ends.length > 1 && !this.#isProse(block)) {
      const message = `The block of row ${row + 1} could end at several fences. A text that holds fences stands in a longer one.`;
      this.refuse("unreadable-row", message, { row, path });
      return;
    }
    const fences = linesOf(block).filter((line) => tryReadFence(line) !== undefined).length;
    if (fences % 2 === 1) {
      this.allow("fence", `The text of row ${row + 1} has a fence that is opened and not closed.`, { row, path });
    }
    if (path === undefined) {
      this.#unnamed.push(block);
    } else {
      this.ask({ kind: "whole", row, path, lines: linesOf(block) });
    }
  }

  /** The block without the blanks that all its rows have in front, its fence too. */
  #outdented(block: Block): Block {
    const lines = tryOutdent(linesOf(block), block.fenceRow);
    if (lines === undefined) return block;
    this.allow("indentation", `The block of row ${block.row + 1} was indented, and its lines lost that.`, {
      row: block.row,
      path: block.path,
    });
    return withLines(block, lines);
  }

  /** What a block holds that is nothing but another one; `undefined` where that is not sure, as is told. */
  #unwrapped(block: Block): Block | undefined {
    const lines = linesOf(block);
    const wrapped = tryReadWrapped(lines, this.#paths);
    if (wrapped === undefined) return block;
    const { row } = block;
    const path = block.path ?? wrapped.path;
    const isProse = this.#isProse({ ...block, path });
    if (isProse && (!wrapped.isAll || isOfOther(wrapped, block.path))) return block;
    if (isProse || !wrapped.isAll) {
      const message = `The block of row ${row + 1} begins with a fence, which may be code or stand around it. The text of each file stands in one fence.`;
      this.refuse("unreadable-row", message, { row, path });
      return undefined;
    }
    this.allow("fence", `A fence within the block of row ${row + 1} was taken off.`, { row, path });
    return { ...withLines(block, lines.slice(wrapped.start, wrapped.end)), path };
  }

  /** Takes a block without a path for the only file, if it is the only block. */
  #settleUnnamed(): void {
    for (const block of this.#unnamed) {
      const { row } = block;
      if (this.#paths.length === 1 && this.#blocks === 1) {
        this.ask({ kind: "whole", row, path: undefined, lines: linesOf(block) });
      } else {
        const message = `No path stands above the block of row ${row + 1}. Each file is named in the row above its block.`;
        this.refuse("unknown-file", message, { row });
      }
    }
  }

  #isProse({ path }: Block): boolean {
    return isProseFile(path ?? this.#paths[0] ?? "");
  }

  /** Whether a block is no file but commands that a person is told to run. */
  #isForPerson({ path, fence }: Block): boolean {
    return path === undefined && shells.test(fence.info) && !shellFile.test(this.#paths[0] ?? "");
  }
}

interface PathRow {
  readonly path: string;
  readonly row: number;
  /** Whether it is no row of the code: it stands behind a blank row, or the path was shown. */
  readonly isApart: boolean;
}

interface Block {
  readonly fence: Fence;
  /** The row of the fence, with the blanks in front. */
  readonly fenceRow: string;
  readonly row: number;
  readonly path: string | undefined;
  readonly rows: AnswerRow[];
  /** How many fences are open, this one included, as far as languages and bare fences tell. */
  depth: number;
  /** The rows that could close the block. */
  readonly ends: number[];
}

const shells = /^(?:sh|bash|zsh|shell|console|terminal|powershell|cmd)\b/i;
const shellFile = /\.(?:sh|bash|zsh|ps1|cmd|bat)$/i;

function withLines(block: Block, lines: readonly string[]): Block {
  return { ...block, rows: lines.map((text) => ({ index: block.row, text })), ends: [lines.length] };
}

function linesOf({ rows, ends }: Block): readonly string[] {
  return rows.slice(0, ends.at(-1)).map(({ text }) => text);
}
