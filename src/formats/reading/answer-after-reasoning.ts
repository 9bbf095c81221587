import { afterLoneReasoningEnd, hasReasoningOpening, ReasoningRows } from "../../answers/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import type { Normalization, RefusalKind } from "../refusal.ts";
import { type AnswerPart, type AnswerReader, contentOf } from "./answer-reader.ts";
import { type AnswerRow, RowCutter } from "./answer-rows.ts";

/**
 * Reads an answer after removing the model's reasoning at its beginning.
 *
 * Where only the end tag of reasoning is present, everything before it was reasoning, including
 * drafts of edits: a `restart` part marks that. A row that may be such a tag or code of the edit it
 * is in is read both ways. If only one reading succeeds it is used; otherwise the answer is
 * refused.
 */
export class AnswerAfterReasoning implements AnswerReader {
  readonly openIn?: (row: string) => readonly EditOperation[];
  readonly #begin: () => AnswerReader;
  readonly #cutter = new RowCutter();
  readonly #reasoning = new ReasoningRows();
  /** The row in which reasoning began. */
  #reasoningRow: number | undefined;
  #reader: AnswerReader;
  /** The parts reported since the last `restart`. */
  #parts: AnswerPart[] = [];
  #hasTag = false;
  /** The rows after a tag inside of an edit, read as an answer of their own. */
  #alternative: AlternativeReading | undefined;

  constructor(begin: () => AnswerReader) {
    this.#begin = begin;
    this.#reader = begin();
    if (this.#reader.openIn !== undefined) {
      this.openIn = (row) => (this.#reasoning.isOpen ? [] : this.#reader.openIn!(row));
    }
  }

  get open(): EditOperation | undefined {
    return this.#reader.open;
  }

  push(piece: string): readonly AnswerPart[] {
    return this.#cutter.push(piece).flatMap((row) => this.#readRow(row, "\n"));
  }

  end(isCut: boolean): readonly AnswerPart[] {
    const last = this.#cutter.end();
    const parts = last === undefined ? [] : [...this.#readRow(last, "")];
    if (this.#reasoning.isOpen) {
      return [...parts, refusal("cut-off", "The answer ends before its thoughts do.", this.#reasoningRow)];
    }
    parts.push(...this.#report(this.#reader.end(isCut)));
    return this.#alternative === undefined ? parts : [...parts, ...this.#settle(this.#alternative, isCut)];
  }

  #readRow(row: AnswerRow, ending: string): readonly AnswerPart[] {
    const rest = this.#reasoning.take(row.text);
    const parts: AnswerPart[] = [];
    if (this.#reasoning.hasBegun) {
      if (this.#reasoningRow === undefined) parts.push(leftOut(row.index));
      this.#reasoningRow ??= row.index;
      this.#hasTag = true;
    }
    // A blank row for each removed one keeps the row numbers.
    if (rest === undefined) return [...parts, ...this.#report(this.#reader.push(ending))];
    const behind = this.#hasTag ? undefined : afterLoneReasoningEnd(rest);
    if (behind === undefined) {
      this.#hasTag ||= hasReasoningOpening(rest);
      this.#alternative?.parts.push(...this.#alternative.reader.push(rest + ending));
      return [...parts, ...this.#report(this.#reader.push(rest + ending))];
    }
    this.#hasTag = true;
    const fresh = this.#begin();
    const isInside = this.#reader.open !== undefined;
    const first = fresh.push("\n".repeat(row.index) + behind + ending);
    if (isInside) {
      this.#alternative = { reader: fresh, row: row.index, parts: [...first] };
      return [...parts, ...this.#report(this.#reader.push(rest + ending))];
    }
    this.#reader = fresh;
    const isFirst = this.#parts.length === 0;
    return [...parts, ...(isFirst ? [] : [restart]), ...this.#report([leftOut(row.index), ...first])];
  }

  /**
   * Decides between both readings of a tag inside of an edit; returns additional parts if the rows
   * after it win or both are valid.
   */
  #settle({ reader, row, parts }: AlternativeReading, isCut: boolean): readonly AnswerPart[] {
    const alternative = [...parts, ...reader.end(isCut)];
    if (!isClean(alternative)) return [];
    if (!isClean(this.#parts)) return [restart, leftOut(row), ...alternative];
    const message = `Row ${row + 1} may end thoughts or be code of the edit in which it stands; what is in front of it is to be left out, or begin with the opening tag.`;
    return [restart, refusal("unreadable-row", message, row)];
  }

  #report(parts: readonly AnswerPart[]): readonly AnswerPart[] {
    this.#parts.push(...parts);
    return parts;
  }
}

interface AlternativeReading {
  readonly reader: AnswerReader;
  /** The row of the tag. */
  readonly row: number;
  readonly parts: AnswerPart[];
}

const restart: AnswerPart = { kind: "restart" };

/** Whether parts contain a result and no refusal. */
function isClean(parts: readonly AnswerPart[]): boolean {
  return contentOf(parts).refusals.length === 0;
}

function leftOut(row: number): AnswerPart {
  const message = "Thoughts in front of the answer were left out.";
  const normalization: Normalization = { kind: "marks", message, row, path: undefined };
  return { kind: "normalization", normalization: normalization };
}

function refusal(kind: RefusalKind, message: string, row: number | undefined): AnswerPart {
  return { kind: "refusal", refusal: { kind, message, row, path: undefined } };
}
