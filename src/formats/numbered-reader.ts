import { type AnswerRow, RowReader } from "./answer-rows.ts";
import type { Ask } from "./ask.ts";
import type { ReadOptions } from "./edit-format.ts";
import { isNoChangeRow } from "./no-change-row.ts";
import { tryReadFenceInfoPath, tryReadPathRow } from "./path-row.ts";
import { readsAsWords } from "./reads-as-words.ts";
import { closesFence, type Fence, tryReadFence } from "./show-file.ts";

/**
 * Reads answers in the format `numbered`.
 *
 * Rows of one number are a group, which is told when the next row shows that it is complete. A row that cannot be read
 * takes the group in which it stands with it.
 */
export class NumberedReader extends RowReader {
  readonly #paths: readonly string[];
  #path: string | undefined;
  #fence: (Fence & { readonly row: number }) | undefined;
  /** The rows so far, as long as there was no fence. */
  #unfenced: AnswerRow[] | undefined = [];
  #group: Group | undefined;
  /** The numbers that were answered, by file. */
  readonly #seen = new Set<string>();
  #hasRefusedRow = false;
  #noneRow: number | undefined;
  #hasEdits = false;

  constructor({ paths }: ReadOptions) {
    super();
    this.#paths = paths;
  }

  get open(): Ask | undefined {
    return this.#group === undefined || this.#group.isSpoiled ? undefined : this.#askOf(this.#group);
  }

  protected takeRow(row: AnswerRow): void {
    const fence = tryReadFence(row.text);
    if (this.#fence !== undefined) {
      if (fence !== undefined && closesFence(fence, this.#fence)) {
        this.#closeGroup();
        this.#fence = undefined;
      } else {
        this.#takeInside(row);
      }
    } else if (fence !== undefined) {
      for (const outside of this.#unfenced ?? []) this.#takeOutside(outside);
      this.#unfenced = undefined;
      this.#fence = { ...fence, row: row.index };
      this.refuseCodeInFence(row, fence.info, this.#paths);
      this.#path = tryReadFenceInfoPath(fence.info, this.#paths) ?? this.#path;
    } else if (this.#unfenced !== undefined) {
      this.#unfenced.push(row);
    } else {
      this.#takeOutside(row);
    }
  }

  protected takeEnd(isCut: boolean): void {
    const unfenced = this.#takeUnfenced();
    if (isCut || this.#fence !== undefined) {
      const row = this.#group?.row ?? this.#fence?.row;
      const number = this.#group === undefined ? "" : ` The rows "${this.#group.mark}:" are not taken.`;
      const why = isCut ? "The answer was cut off" : "The block is not closed";
      this.refuse("cut-off", `${why}, so that its last rows may be missing.${number}`, { row, path: this.#path });
      this.#group = undefined;
    }
    this.#closeGroup();
    if (unfenced !== undefined) this.allow("fence", "The rows stand in no fence.", { row: unfenced });
    if (this.#noneRow === undefined) return;
    if (this.#hasEdits) {
      const message = "The answer has edits and says that there are none.";
      this.refuse("unreadable-row", message, { row: this.#noneRow });
    } else {
      this.tell({ kind: "no-change", row: this.#noneRow });
    }
  }

  /** Reads an answer without any fence: from its first to its last row that is an edit. Gives the first of them. */
  #takeUnfenced(): number | undefined {
    const rows = this.#unfenced ?? [];
    const isEdit = ({ text }: AnswerRow) => ["code", "blank-line"].includes(readRow(text).kind) || rangeRow.test(text);
    const first = rows.findIndex(isEdit);
    const end = rows.findLastIndex(isEdit) + 1;
    for (const [i, row] of rows.entries()) {
      const path = tryReadFileRow(row.text, this.#paths);
      if (i < first || i >= end) {
        this.#takeOutside(row);
        // Without a fence nothing tells code that has lost its number from words but how it reads.
        if (i >= end && path === undefined) this.#takeBehind(row);
      } else if (path === undefined) {
        this.#takeInside(row);
      } else {
        this.#closeGroup();
        this.#path = path;
      }
    }
    return rows[first]?.index;
  }

  /** Refuses a row behind the last edit that may be code, with the group that it would go on. */
  #takeBehind(row: AnswerRow): void {
    if (row.text.trim() === "" || isNoChangeRow(row.text) || readsAsWords(row.text)) return;
    this.#takeInside(row);
  }

  #takeOutside(row: AnswerRow): void {
    this.#path = tryReadPathRow(row.text, this.#paths) ?? this.#path;
    if (isNoChangeRow(row.text)) this.#noneRow = row.index;
    this.passBeside(row, "numbered");
    if (!/^(?:\d+|[_+]):/.test(row.text) && !rangeRow.test(row.text)) return;
    const message = `Row ${row.index + 1} looks like an edit, and stands outside of the block. Edits stand inside.`;
    this.refuse("unreadable-row", message, { row: row.index, path: this.#path });
  }

  #takeInside(row: AnswerRow): void {
    const read = readRow(row.text);
    const at = { row: row.index, path: this.#path };
    if (read.kind === "unreadable") {
      const taken = this.#group === undefined ? "" : ` The rows "${this.#group.mark}:" beside it are not taken.`;
      // Of rows that follow each other, the first one says it for all.
      if (!this.#hasRefusedRow) this.refuse("unreadable-row", `Row ${row.index + 1}: ${read.message}${taken}`, at);
      this.#hasRefusedRow = true;
      if (this.#group !== undefined) this.#group.isSpoiled = true;
      return;
    }
    this.#hasRefusedRow = false;
    if (read.kind === "none") {
      this.#closeGroup();
      this.#noneRow = row.index;
      return;
    }
    this.#hasEdits = true;
    if (this.#group?.mark !== read.mark) {
      this.#closeGroup();
      const isNumber = typeof read.mark === "number";
      const key = `${read.mark} ${this.#path ?? ""}`;
      const isSpoiled = isNumber && (read.mark === 0 || this.#seen.has(key));
      if (read.mark === 0) {
        this.refuse("no-such-line", 'Lines count from 1. "_:" adds lines in front of the first.', at);
      } else if (isSpoiled) {
        const message = `Line ${read.mark} is changed already, further up. All rows of one line follow each other.`;
        this.refuse("overlap", message, at);
      }
      this.#seen.add(key);
      this.#group = { mark: read.mark, row: row.index, path: this.#path, lines: [], isBlankLine: false, isSpoiled };
    }
    this.#group.lines.push(read.code);
    if (read.kind === "blank-line") this.#group.isBlankLine = true;
  }

  #closeGroup(): void {
    const group = this.#group;
    this.#group = undefined;
    this.#hasRefusedRow = false;
    if (group !== undefined && !group.isSpoiled) this.ask(this.#askOf(group));
  }

  #askOf({ mark, row, path, lines, isBlankLine }: Group): Ask {
    const isDeletion = typeof mark === "number" && lines.length === 1 && lines[0] === "" && !isBlankLine;
    const ahead = lines.every((line) => line === "" || line.startsWith(" ")) && lines.some((line) => line !== "");
    const shared = { row, path, ...(ahead ? { mayHaveBlankAhead: true } : {}) };
    if (mark === "+") return { kind: "block", ...shared, search: [], replace: [...lines], isAtEnd: true };
    const start = mark === "_" ? 0 : mark - 1;
    const end = mark === "_" ? 0 : mark;
    return { kind: "lines", ...shared, start, end, lines: isDeletion ? [] : [...lines], witnesses: [] };
  }
}

/** Rows that follow each other with the same number or sign in front. */
interface Group {
  readonly mark: number | "_" | "+";
  readonly row: number;
  readonly path: string | undefined;
  readonly lines: string[];
  /** Whether a row says that an empty line is meant. */
  isBlankLine: boolean;
  /** Whether it is not taken, as was told. */
  isSpoiled: boolean;
}

type NumberedRow =
  | { readonly kind: "code" | "blank-line"; readonly mark: Group["mark"]; readonly code: string }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly message: string };

function readRow(text: string): NumberedRow {
  // Nothing stands in front of the number: what is indented is code of an object or a table.
  const [, mark, sign, code] = /^([1-9]\d*|0|[_+])([:=])(.*)$/s.exec(text) ?? [];
  if (mark === undefined && isNoChangeRow(text)) return { kind: "none" };
  if (mark === undefined || (sign === "=" && (code !== "" || mark === "_" || mark === "+"))) return unreadable(text);
  const number = mark === "_" || mark === "+" ? mark : Number(mark);
  return { kind: sign === "=" ? "blank-line" : "code", mark: number, code: code! };
}

/** A row that names several lines at once, which the format has none of. */
const rangeRow = /^\d+\s*[-–,]\s*\d+\s*[:=]/;

function unreadable(text: string): NumberedRow {
  const message = rangeRow.test(text.trimStart())
    ? 'A row has one number. Each line of a range gets a row: "2:" and "3:".'
    : /^\s*\d+\s*=/.test(text)
      ? 'Behind "N=" stands nothing: it makes line N empty. Code stands behind "N:".'
      : text.trim() === ""
        ? 'It is blank. An empty line is written as a number and a colon among others of that number, or as "N=".'
        : 'It does not begin with a number and a colon, nor with "_:" or "+:".';
  return { kind: "unreadable", message };
}

/** In an answer without fences, only a heading names a file: other rows could be code. */
function tryReadFileRow(row: string, paths: readonly string[]): string | undefined {
  return /^#{1,6} /.test(row) ? tryReadPathRow(row, paths) : undefined;
}
