import { byteOrderMark } from "../../text/index.ts";
import type { FormatName, ReadOptions } from "../edit-format.ts";
import type { EditOperation, OperationOrigin } from "../edit-operation.ts";
import type { NormalizationKind, Refusal, RefusalKind } from "../refusal.ts";
import type { AnswerPart, AnswerReader } from "./answer-reader.ts";
import { holdsCode } from "./code-fence.ts";
import { type CodeBlock, tryReadEditInCode } from "./edit-in-code.ts";
import { tryReadFormatMark } from "./format-mark.ts";
import { isNoChangeRow } from "./no-change-row.ts";
import { isProseFile } from "./reads-as-words.ts";
import { isOfOther, tryReadWrapped } from "./wrapped-code.ts";

/** A row of an answer. */
export interface AnswerRow {
  /** The index of the row, from 0. */
  readonly index: number;
  /** The row without its line ending. */
  readonly text: string;
}

/**
 * Splits pieces of text into whole rows. A row ends with `\n` or `\r\n`; a lone `\r` is part of its
 * row. A byte order mark at the start of the text is removed.
 *
 * Law: the rows are the same for any way of cutting the text into pieces.
 */
export class RowCutter {
  #count = 0;
  #rest = "";

  /** Adds the next piece. Returns the rows that it completes. */
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

  /** Ends the text. Returns the last row, if the text does not end with a line ending. */
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

/**
 * A code block outside of edits: the row of its fence, and the path of the request above it, if
 * any.
 */
export interface CodeBeside {
  readonly row: number;
  readonly path: string | undefined;
}

/**
 * The base class of all readers, which process one row after the other.
 *
 * It passes whole rows to {@link takeRow}, the last one also without a line ending, and then calls
 * {@link takeEnd}.
 */
export abstract class RowReader implements AnswerReader {
  readonly #cutter = new RowCutter();
  #parts: AnswerPart[] = [];
  /** The last row that was skipped, and whether one has begun an edit in another format. */
  #beside = "";
  #isMixed = false;
  /** The paths of the files of the request. */
  protected readonly known: readonly string[];
  /** The first skipped row that states only that nothing needs to change. */
  protected noChangeRow: number | undefined;

  constructor({ paths }: ReadOptions) {
    this.known = paths;
  }

  abstract get open(): EditOperation | undefined;

  /** Reads a row and reports the parts that it completes with {@link addPart} and its variants. */
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

  /** Adds a part to those that {@link push} or {@link end} will return. */
  protected addPart(part: AnswerPart): void {
    this.#parts.push(part);
  }

  protected addOperation(operation: EditOperation): void {
    this.addPart({ kind: "operation", operation });
  }

  protected addRefusal(
    kind: RefusalKind,
    message: string,
    { row, path }: Partial<Pick<Refusal, "row" | "path">> = {},
  ): void {
    this.addPart({ kind: "refusal", refusal: { kind, message, row, path } });
  }

  protected addNormalization(
    kind: NormalizationKind,
    message: string,
    { row, path }: Partial<Pick<Refusal, "row" | "path">> = {},
  ): void {
    this.addPart({ kind: "normalization", normalization: { kind, message, row, path } });
  }

  /**
   * Skips a row outside of edits. A row that begins an edit in a format other than `own` is
   * refused.
   */
  protected skipRow({ index, text }: AnswerRow, own: FormatName): void {
    if (isNoChangeRow(text)) this.noChangeRow ??= index;
    const other = tryReadFormatMark(text, this.#beside);
    this.#beside = text;
    if (other === undefined || other === own || this.#isMixed) return;
    this.#isMixed = true;
    const message = `Row ${index + 1} begins an edit in the format ${other}, beside the format ${own}. All edits of an answer are in one format.`;
    this.addRefusal("unreadable-row", message, { row: index });
  }

  /**
   * Reports a code block at `row` outside of edits. One below a `path` of the request may have been
   * meant as an edit, and is refused.
   */
  protected reportCode({ row, path }: CodeBeside): void {
    if (path === undefined) {
      this.addNormalization("marks", `The code of row ${row + 1} stands in no edit. It was left out.`, { row });
    } else {
      const message = `The code of row ${row + 1} is headed by ${path}, and stands in no edit.`;
      this.addRefusal("unreadable-row", message, { row, path });
    }
  }

  /**
   * Refuses a block below a row that may be the path of its file, or name a file other than the
   * given ones.
   */
  protected refuseUnclearPath({ row, path }: { readonly row: number; readonly path: string | undefined }): void {
    const message = `Which file the block of row ${row + 1} is for is not clear: it may be ${path}. Write the path alone on the row above the block, in backticks.`;
    this.addRefusal("unknown-file", message, { row, path });
  }

  /** Refuses text after the marks of a fence that may be the first line of the code. */
  protected refuseCodeInFence(row: AnswerRow, info: string, known: readonly string[]): void {
    if (!holdsCode(info, known)) return;
    const message = `${JSON.stringify(info)} stands behind the fence of row ${row.index + 1}, and may be code. Code stands below its fence.`;
    this.addRefusal("unreadable-row", message, { row: row.index });
  }

  /** Reports a skipped row beside a block that does not read as prose. */
  protected reportSkippedRow({ index, text }: AnswerRow): void {
    this.addNormalization("marks", `${JSON.stringify(text.trim())} stands beside the block and was left out.`, {
      row: index,
    });
  }

  /**
   * Refuses a code block that is an edit in a format other than `own`. Returns whether it is one.
   */
  protected refuseEditInCode(code: CodeBlock & { readonly row: number }, own: FormatName): boolean {
    const name = tryReadEditInCode(code);
    if (name === undefined) return false;
    const { row, path } = code;
    const message = `The block of row ${row + 1} holds an edit in the format ${name}, and no lines of a file. All edits of an answer are in one format, here ${own}.`;
    this.addRefusal("unreadable-row", message, { row, path });
    return true;
  }

  /**
   * The path and the lines of a block without the fence that is within it around all of its lines;
   * as they are where there is none; `undefined` after refusing an ambiguous one. `what` is what
   * stands in a fence.
   */
  protected tryUnwrap(
    { row, path, lines }: OperationOrigin & { readonly lines: readonly string[] },
    what: "text" | "code",
  ): { readonly path: string | undefined; readonly lines: readonly string[] } | undefined {
    const wrapped = tryReadWrapped(lines, this.known);
    if (wrapped === undefined) return { path, lines };
    const at = { row, path: path ?? wrapped.path };
    const isProse = isProseFile(at.path ?? this.known[0] ?? "");
    const isPart = !wrapped.isAll || isOfOther(wrapped, path);
    if (isProse && isPart) return { path, lines };
    if (isProse || isPart) {
      const message = `The block of row ${row + 1} begins with a fence, which may be code or stand around it. The ${what} of each file stands in one fence.`;
      this.addRefusal("unreadable-row", message, at);
      return undefined;
    }
    this.addNormalization("fence", `A fence within the block of row ${row + 1} was taken off.`, at);
    return { path: at.path, lines: lines.slice(wrapped.start, wrapped.end) };
  }

  #collect(): readonly AnswerPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}
