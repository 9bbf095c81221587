import { closesFence, type Fence, tryReadFence } from "../answers/index.ts";
import { EmendError, type FileChangeTexts } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { EditOperation } from "./edit-operation.ts";
import { lineHunks } from "./placing/line-hunks.ts";
import { fileLines } from "./placing/line-table.ts";
import type { LineSplice } from "./placing/placement.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { type AnswerRow, RowReader } from "./reading/answer-rows.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { isNoChangeRow, noChangeRow } from "./reading/no-change-row.ts";
import { tryReadFenceInfoPath, tryReadPathAbove, tryReadPathRow } from "./reading/path-row.ts";
import { readsAsWords } from "./reading/reads-as-words.ts";
import { showFenced, showNumbered } from "./show-file.ts";

/**
 * Changed lines with their numbers: `3: return a;`, the number repeated for each new line that
 * replaces old line 3.
 *
 * It cannot create, move or remove files, nor express a change of the file's final line ending or
 * the kind of line ending of a new line in a file that mixes them. New lines that are all indented
 * by one blank more than before are read as code with a gap after the numbers.
 *
 * Source: "LLM にコードを書き換えさせる差分フォーマットを考える", made unambiguous.
 */
export const numbered: EditFormat = {
  name: "numbered",
  title: "changed lines, each with the number of the line that it replaces",
  instructions: `Answer with changed lines only. Every line of a file is shown with its number and a colon in front; neither is part of the file.

Write the new lines in a fenced block, each as the number of the line that it replaces, a colon, and right behind it, without a blank, the code with its indentation:

- \`3:  return a + b;\` replaces line 3.
- The same number several times replaces one line by several. They follow each other.
- \`3:\` with nothing behind it deletes line 3. Among other rows of line 3 it is an empty line.
- \`3=\` makes line 3 an empty line.
- \`_:import { x } from "./x";\` adds a line at the top of the file, \`+:export { x };\` one at its end.
- To insert between lines, write one of the two again, with the new lines beside it under its number.
- If nothing needs to be changed, answer with the row \`${noChangeRow}\` alone.

Rules:

- Only numbers that were shown, and those as shown, whatever is inserted or deleted.
- One number a row, no ranges. No row without a number. No line that stays as it is, unless lines are inserted beside it.
- A new line stands under the number of the line that it corresponds to. Where a replaced line holds a closing bracket, one of the new lines has to hold it too.
- If several files are shown, each block stands below a heading with its path, such as \`# src/a.ts\`.
- No explanations.

For example, a file is shown as

# src/math.ts

\`\`\`ts
1:import { log } from "./log";
2:
3:export function half(value: number) {
4:  log(value);
5:  return value;
6:}
\`\`\`

and this answer removes the log, makes \`half\` divide, and adds a function:

\`\`\`ts
1:
2:
4:  // Exact for all numbers.
5:  return value / 2;
+:
+:export function double(value: number) {
+:  return value * 2;
+:}
\`\`\`
`,
  showFile: ({ path, text }) => showFenced(path, showNumbered(text, ":")),
  read: (options) => new AnswerAfterReasoning(() => new NumberedReader(options)),
  encode: (changes) => {
    const blocks = changes.map((change) => encodeChange(change, changes.length > 1)).filter((block) => block !== "");
    return checkedAnswer(numbered, changes, blocks.length === 0 ? `${noChangeRow}\n` : blocks.join("\n"));
  },
};

function encodeChange({ before, after, path, pathBefore = path }: FileChangeTexts, isNamed: boolean): string {
  if (before === undefined || after === undefined || pathBefore !== path) {
    throw new EmendError("not-encodable", `The format numbered cannot make, remove or move a file such as ${path}`);
  }
  const lines = fileLines(before);
  const rows = lineHunks(lines, fileLines(after)).flatMap((hunk) => encodeHunk(hunk, lines));
  if (rows.length === 0) return "";
  return `${isNamed ? `# ${path}\n\n` : ""}\`\`\`\n${rows.join("\n")}\n\`\`\`\n`;
}

function encodeHunk({ start, end, lines }: LineSplice, before: readonly string[]): readonly string[] {
  if (start === end) {
    if (start === 0) return lines.map((line) => `_:${line}`);
    if (start === before.length) return lines.map((line) => `+:${line}`);
    return [before[start - 1]!, ...lines].map((line) => `${start}:${line}`);
  }
  const rows: string[] = [];
  for (let old = start; old < end; old++) {
    const isLast = old === end - 1;
    const fresh = lines.slice(old - start, isLast ? undefined : old - start + 1);
    if (fresh.length === 0) rows.push(`${old + 1}:`);
    else if (fresh.length === 1 && fresh[0] === "") rows.push(`${old + 1}=`);
    else rows.push(...fresh.map((line) => `${old + 1}:${line}`));
  }
  return rows;
}

/**
 * Reads answers in the format `numbered`.
 *
 * Rows with one number form a group, which is reported when the next row shows that it is complete.
 * An unreadable row invalidates the group that it is in.
 */
class NumberedReader extends RowReader {
  #path: string | undefined;
  /** The path that the last row outside of blocks may name, where it is uncertain. */
  #unclearPath: string | undefined;
  #fence: (Fence & { readonly row: number }) | undefined;
  /** The rows before the first fence; `undefined` after it. */
  #unfenced: AnswerRow[] | undefined = [];
  #group: Group | undefined;
  /** The numbers seen so far, with their files. */
  readonly #seen = new Set<string>();
  #hasRefusedRow = false;
  #noneRow: number | undefined;
  #hasEdits = false;

  get open(): EditOperation | undefined {
    return this.#group === undefined || this.#group.isInvalid ? undefined : this.#operationOf(this.#group);
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
      this.refuseCodeInFence(row, fence.info, this.known);
      // The numbers would fit any file, so an uncertain path counts, too.
      this.#path = tryReadFenceInfoPath(fence.info, this.known) ?? this.#unclearPath ?? this.#path;
      this.#unclearPath = undefined;
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
      this.addRefusal("cut-off", `${why}, so that its last rows may be missing.${number}`, { row, path: this.#path });
      this.#group = undefined;
    }
    this.#closeGroup();
    if (unfenced !== undefined) this.addNormalization("fence", "The rows stand in no fence.", { row: unfenced });
    if (this.#noneRow === undefined) return;
    if (this.#hasEdits) {
      const message = "The answer has edits and says that there are none.";
      this.addRefusal("unreadable-row", message, { row: this.#noneRow });
    } else {
      this.addPart({ kind: "no-change", row: this.#noneRow });
    }
  }

  /**
   * Reads an answer without any fence, from its first to its last row that is an edit. Returns the
   * index of the first one.
   */
  #takeUnfenced(): number | undefined {
    const rows = this.#unfenced ?? [];
    const isEdit = ({ text }: AnswerRow) => ["code", "blank-line"].includes(readRow(text).kind) || rangeRow.test(text);
    const first = rows.findIndex(isEdit);
    const end = rows.findLastIndex(isEdit) + 1;
    for (const [i, row] of rows.entries()) {
      const path = tryReadFileRow(row.text, this.known);
      if (i < first || i >= end) {
        this.#takeOutside(row);
        // Without a fence, only its wording distinguishes code without a number from prose.
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

  /**
   * Refuses a row after the last edit that may be code, together with the group that it would
   * continue.
   */
  #takeBehind(row: AnswerRow): void {
    if (row.text.trim() === "" || isNoChangeRow(row.text) || readsAsWords(row.text)) return;
    this.#takeInside(row);
  }

  #takeOutside(row: AnswerRow): void {
    const pathAbove = tryReadPathAbove(row.text, this.known);
    if (pathAbove?.kind === "path" || pathAbove?.kind === "words") this.#path = pathAbove.path;
    if (row.text.trim() !== "") this.#unclearPath = pathAbove?.kind === "unclear" ? pathAbove.path : undefined;
    if (isNoChangeRow(row.text)) this.#noneRow = row.index;
    this.skipRow(row, "numbered");
    if (!/^(?:\d+|[_+]):/.test(row.text) && !rangeRow.test(row.text)) return;
    const message = `Row ${row.index + 1} looks like an edit, and stands outside of the block. Edits stand inside.`;
    this.addRefusal("unreadable-row", message, { row: row.index, path: this.#path });
  }

  #takeInside(row: AnswerRow): void {
    const read = readRow(row.text);
    const at = { row: row.index, path: this.#path };
    if (read.kind === "unreadable") {
      const taken = this.#group === undefined ? "" : ` The rows "${this.#group.mark}:" beside it are not taken.`;
      // Of consecutive unreadable rows, only the first is reported.
      if (!this.#hasRefusedRow) this.addRefusal("unreadable-row", `Row ${row.index + 1}: ${read.message}${taken}`, at);
      this.#hasRefusedRow = true;
      if (this.#group !== undefined) this.#group.isInvalid = true;
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
      const isInvalid = isNumber && (read.mark === 0 || this.#seen.has(key));
      if (read.mark === 0) {
        this.addRefusal("no-such-line", 'Lines count from 1. "_:" adds lines in front of the first.', at);
      } else if (isInvalid) {
        const message = `Line ${read.mark} is changed already, further up. All rows of one line follow each other.`;
        this.addRefusal("overlap", message, at);
      }
      this.#seen.add(key);
      this.#group = { mark: read.mark, row: row.index, path: this.#path, lines: [], isBlankLine: false, isInvalid };
    }
    this.#group.lines.push(read.code);
    if (read.kind === "blank-line") this.#group.isBlankLine = true;
  }

  #closeGroup(): void {
    const group = this.#group;
    this.#group = undefined;
    this.#hasRefusedRow = false;
    if (group !== undefined && !group.isInvalid) this.addOperation(this.#operationOf(group));
  }

  #operationOf({ mark, row, path, lines, isBlankLine }: Group): EditOperation {
    const isDeletion = typeof mark === "number" && lines.length === 1 && lines[0] === "" && !isBlankLine;
    const ahead = lines.every((line) => line === "" || line.startsWith(" ")) && lines.some((line) => line !== "");
    const shared = { row, path, ...(ahead ? { mayHaveBlankAhead: true } : {}) };
    if (mark === "+") return { kind: "block", ...shared, search: [], replace: [...lines], isAtEnd: true };
    const start = mark === "_" ? 0 : mark - 1;
    const end = mark === "_" ? 0 : mark;
    return { kind: "lines", ...shared, start, end, lines: isDeletion ? [] : [...lines], anchors: [] };
  }
}

/** Consecutive rows with the same number or sign. */
interface Group {
  readonly mark: number | "_" | "+";
  readonly row: number;
  readonly path: string | undefined;
  readonly lines: string[];
  /** Whether a row means an empty line. */
  isBlankLine: boolean;
  /** Whether the group was refused. */
  isInvalid: boolean;
}

type NumberedRow =
  | { readonly kind: "code" | "blank-line"; readonly mark: Group["mark"]; readonly code: string }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable"; readonly message: string };

function readRow(text: string): NumberedRow {
  // The number is at the start of the row: an indented number is code of an object or a table.
  const [, mark, sign, code] = /^([1-9]\d*|0|[_+])([:=])(.*)$/s.exec(text) ?? [];
  if (mark === undefined && isNoChangeRow(text)) return { kind: "none" };
  if (mark === undefined || (sign === "=" && (code !== "" || mark === "_" || mark === "+"))) return unreadable(text);
  const number = mark === "_" || mark === "+" ? mark : Number(mark);
  return { kind: sign === "=" ? "blank-line" : "code", mark: number, code: code! };
}

/** Matches a row that names several lines at once, which the format does not allow. */
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

/** In an answer without fences, only a heading names a file, since other rows could be code. */
function tryReadFileRow(row: string, paths: readonly string[]): string | undefined {
  return /^#{1,6} /.test(row) ? tryReadPathRow(row, paths) : undefined;
}
