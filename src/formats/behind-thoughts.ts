import { type AnswerPart, type AnswerReader, contentOf } from "./answer-reader.ts";
import { type AnswerRow, RowCutter } from "./answer-rows.ts";
import type { Ask } from "./ask.ts";
import type { Lenience, RefusalKind } from "./refusal.ts";
import { behindLoneEnd, opensThoughts, Thoughts } from "./thoughts.ts";

/**
 * Reads an answer without what the model thought aloud in front of it.
 *
 * Where only the end of thoughts is there, all in front of it was thoughts, drafts of edits too: a `restart` says so. A
 * row that ends thoughts or is code of an edit in which it stands is read both ways. Where one of them alone can be read
 * it is that; otherwise the answer is refused.
 */
export class BehindThoughts implements AnswerReader {
  readonly openIn?: (row: string) => readonly Ask[];
  readonly #begin: () => AnswerReader;
  readonly #cutter = new RowCutter();
  readonly #thoughts = new Thoughts();
  #reader: AnswerReader;
  /** What was told since the last `restart`. */
  #told: AnswerPart[] = [];
  #hasTag = false;
  /** The rows behind a tag in an edit, as an answer of their own. */
  #rival: Rival | undefined;

  constructor(begin: () => AnswerReader) {
    this.#begin = begin;
    this.#reader = begin();
    if (this.#reader.openIn !== undefined) {
      this.openIn = (row) => (this.#thoughts.isOpen ? [] : this.#reader.openIn!(row));
    }
  }

  get open(): Ask | undefined {
    return this.#reader.open;
  }

  push(piece: string): readonly AnswerPart[] {
    return this.#cutter.push(piece).flatMap((row) => this.#take(row, "\n"));
  }

  end(isCut: boolean): readonly AnswerPart[] {
    const last = this.#cutter.end();
    const parts = last === undefined ? [] : [...this.#take(last, "")];
    if (this.#thoughts.isOpen) {
      const { row } = this.#thoughts;
      return [...parts, refusal("cut-off", "The answer ends before its thoughts do.", row)];
    }
    parts.push(...this.#tell(this.#reader.end(isCut)));
    return this.#rival === undefined ? parts : [...parts, ...this.#settle(this.#rival, isCut)];
  }

  #take(row: AnswerRow, ending: string): readonly AnswerPart[] {
    const had = this.#thoughts.row;
    const rest = this.#thoughts.take(row);
    const parts: AnswerPart[] = had === this.#thoughts.row ? [] : [leftOut(row.index)];
    if (this.#thoughts.row !== undefined) this.#hasTag = true;
    // A blank row for each that is left out keeps the numbers of those behind it.
    if (rest === undefined) return [...parts, ...this.#tell(this.#reader.push(ending))];
    const behind = this.#hasTag ? undefined : behindLoneEnd(rest.text);
    if (behind === undefined) {
      this.#hasTag ||= opensThoughts(rest.text);
      this.#rival?.parts.push(...this.#rival.reader.push(rest.text + ending));
      return [...parts, ...this.#tell(this.#reader.push(rest.text + ending))];
    }
    this.#hasTag = true;
    const fresh = this.#begin();
    const isInside = this.#reader.open !== undefined;
    const first = fresh.push("\n".repeat(row.index) + behind + ending);
    if (isInside) {
      this.#rival = { reader: fresh, row: row.index, parts: [...first] };
      return [...parts, ...this.#tell(this.#reader.push(rest.text + ending))];
    }
    this.#reader = fresh;
    const isFirst = this.#told.length === 0;
    return [...parts, ...(isFirst ? [] : [restart]), ...this.#tell([leftOut(row.index), ...first])];
  }

  /** What the rows behind a tag say that stood in an edit, where that is more than what the edit says. */
  #settle({ reader, row, parts }: Rival, isCut: boolean): readonly AnswerPart[] {
    const rival = [...parts, ...reader.end(isCut)];
    if (!isClean(rival)) return [];
    if (!isClean(this.#told)) return [restart, leftOut(row), ...rival];
    const message = `Row ${row + 1} may end thoughts or be code of the edit in which it stands; what is in front of it is to be left out, or begin with the opening tag.`;
    return [restart, refusal("unreadable-row", message, row)];
  }

  #tell(parts: readonly AnswerPart[]): readonly AnswerPart[] {
    this.#told.push(...parts);
    return parts;
  }
}

interface Rival {
  readonly reader: AnswerReader;
  /** The row of the tag. */
  readonly row: number;
  readonly parts: AnswerPart[];
}

const restart: AnswerPart = { kind: "restart" };

/** Whether parts say what is to be done, and nothing of them is refused. */
function isClean(parts: readonly AnswerPart[]): boolean {
  return contentOf(parts).refusals.length === 0;
}

function leftOut(row: number): AnswerPart {
  const message = "Thoughts in front of the answer were left out.";
  const lenience: Lenience = { kind: "marks", message, row, path: undefined };
  return { kind: "lenience", lenience };
}

function refusal(kind: RefusalKind, message: string, row: number | undefined): AnswerPart {
  return { kind: "refusal", refusal: { kind, message, row, path: undefined } };
}
