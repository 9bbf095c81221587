import { byteOrderMark } from "../text/index.ts";
import type { AnswerPart, AnswerReader } from "./answer-reader.ts";
import type { Ask } from "./ask.ts";
import { holdsCode } from "./code-fence.ts";
import type { FormatName } from "./edit-format.ts";
import { type CodeBlock, tryReadEditInCode } from "./edit-in-code.ts";
import { tryReadFormatMark } from "./format-mark.ts";
import type { LenienceKind, Refusal, RefusalKind } from "./refusal.ts";

/** A row of an answer. */
export interface AnswerRow {
  /** From 0. */
  readonly index: number;
  /** The row without its line ending. */
  readonly text: string;
}

/**
 * Cuts pieces of text into whole rows. A row ends with `\n` or `\r\n`; a lone `\r` is part of its row. A byte order mark in
 * front of the text is not.
 *
 * Law: the rows are the same for any way of cutting the text into pieces.
 */
export class RowCutter {
  #count = 0;
  #rest = "";

  /** Takes the next piece. Gives the rows that it completes. */
  push(piece: string): readonly AnswerRow[] {
    const rows: AnswerRow[] = [];
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      const text = this.#rest + piece.slice(start, end);
      rows.push(this.#row(text.endsWith("\r") ? text.slice(0, -1) : text));
      this.#rest = "";
      start = end + 1;
    }
    this.#rest += piece.slice(start);
    return rows;
  }

  /** Takes the end of the text. Gives the last row, if the text goes on behind the last line ending. */
  end(): AnswerRow | undefined {
    const text = this.#rest;
    this.#rest = "";
    return text === "" ? undefined : this.#row(text);
  }

  #row(text: string): AnswerRow {
    const index = this.#count++;
    return { index, text: index === 0 && text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text };
  }
}

/** A block of code beside the edits: the row of its fence, and the path of the request that heads it. */
export interface CodeBeside {
  readonly row: number;
  readonly path: string | undefined;
}

/**
 * A reader that looks at one row after the other; what all our readers stand on.
 *
 * It passes whole rows to {@link takeRow}, the last one also where it has no line ending, and then calls {@link takeEnd}.
 */
export abstract class RowReader implements AnswerReader {
  readonly #cutter = new RowCutter();
  #parts: AnswerPart[] = [];
  /** The last row that was passed over, and whether one has begun an edit of another format. */
  #beside = "";
  #isMixed = false;

  abstract get open(): Ask | undefined;

  /** Reads a row; what it completes goes to {@link tell} and its like. */
  protected abstract takeRow(row: AnswerRow): void;

  /** Reads the end, see `AnswerReader.end`. */
  protected abstract takeEnd(isCut: boolean): void;

  push(piece: string): readonly AnswerPart[] {
    for (const row of this.#cutter.push(piece)) this.takeRow(row);
    return this.#collect();
  }

  end(isCut: boolean): readonly AnswerPart[] {
    const last = this.#cutter.end();
    if (last !== undefined) this.takeRow(last);
    this.takeEnd(isCut);
    return this.#collect();
  }

  /** Adds a part to those that {@link push} or {@link end} will give. */
  protected tell(part: AnswerPart): void {
    this.#parts.push(part);
  }

  protected ask(ask: Ask): void {
    this.tell({ kind: "ask", ask });
  }

  protected refuse(
    kind: RefusalKind,
    message: string,
    { row, path }: Partial<Pick<Refusal, "row" | "path">> = {},
  ): void {
    this.tell({ kind: "refusal", refusal: { kind, message, row, path } });
  }

  protected allow(
    kind: LenienceKind,
    message: string,
    { row, path }: Partial<Pick<Refusal, "row" | "path">> = {},
  ): void {
    this.tell({ kind: "lenience", lenience: { kind, message, row, path } });
  }

  /** Passes over a row that stands beside the edits. One that begins an edit in another format than `own` is refused. */
  protected passBeside({ index, text }: AnswerRow, own: FormatName): void {
    const other = tryReadFormatMark(text, this.#beside);
    this.#beside = text;
    if (other === undefined || other === own || this.#isMixed) return;
    this.#isMixed = true;
    const message = `Row ${index + 1} begins an edit in the format ${other}, beside the format ${own}. All edits of an answer are in one format.`;
    this.refuse("unreadable-row", message, { row: index });
  }

  /**
   * Tells of a block of code, from `row` on, that stands beside the edits. Where a `path` of the request heads it, it may
   * have been meant as an edit, and is refused.
   */
  protected passCode({ row, path }: CodeBeside): void {
    if (path === undefined) {
      this.allow("marks", `The code of row ${row + 1} stands in no edit. It was left out.`, { row });
    } else {
      const message = `The code of row ${row + 1} is headed by ${path}, and stands in no edit.`;
      this.refuse("unreadable-row", message, { row, path });
    }
  }

  /** Refuses what stands behind the marks of a fence where it may be the first line of the code. */
  protected refuseCodeInFence(row: AnswerRow, info: string, known: readonly string[]): void {
    if (!holdsCode(info, known)) return;
    const message = `${JSON.stringify(info)} stands behind the fence of row ${row.index + 1}, and may be code. Code stands below its fence.`;
    this.refuse("unreadable-row", message, { row: row.index });
  }

  /** Tells of a row that is left out beside a block and does not read as words. */
  protected tellLeftOut({ index, text }: AnswerRow): void {
    this.allow("marks", `${JSON.stringify(text.trim())} stands beside the block and was left out.`, { row: index });
  }

  /** Refuses a block of code that is an edit in another format than `own`, and tells whether it is one. */
  protected refuseEditInCode(code: CodeBlock & { readonly row: number }, own: FormatName): boolean {
    const name = tryReadEditInCode(code);
    if (name === undefined) return false;
    const { row, path } = code;
    const message = `The block of row ${row + 1} holds an edit in the format ${name}, and no lines of a file. All edits of an answer are in one format, here ${own}.`;
    this.refuse("unreadable-row", message, { row, path });
    return true;
  }

  #collect(): readonly AnswerPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}
