import { type AnswerRow, RowReader } from "./answer-rows.ts";
import type { Ask } from "./ask.ts";
import { type CodeFence, closesCode, tryReadCodeFence } from "./code-fence.ts";
import type { ReadOptions } from "./edit-format.ts";
import { JsonScanner } from "./json-scanner.ts";
import { isNoChangeRow } from "./no-change-row.ts";
import { type ModelJson, parseModelJson } from "./parse-model-json.ts";
import { openEdits } from "./str-replace-open.ts";
import { readToolCalls } from "./tool-calls.ts";

/**
 * Reads edits that are written as JSON: objects or lists, one after the other, in fences or without.
 *
 * An object is read when its last bracket is there, for before that no part of it is sure. One that is no JSON is
 * refused with the place where it breaks, and those behind it are read.
 */
export class StrReplaceReader extends RowReader {
  readonly #known: readonly string[];
  #json: OpenJson | undefined;
  #fence: CodeFence | undefined;
  #noChangeRow: number | undefined;
  #hasParts = false;
  #nextRow = 0;

  constructor({ paths }: ReadOptions) {
    super();
    this.#known = paths;
  }

  /** A JSON text may be one row from its first bracket to its last, so that it is {@link openIn} that tells. */
  get open(): undefined {
    return undefined;
  }

  openIn(row: string): readonly Ask[] {
    if (this.#json === undefined && this.#fence !== undefined && !mayHoldJson(this.#fence)) return [];
    const asks: Ask[] = [];
    const at = { row: this.#json?.row ?? this.#nextRow, paths: this.#known };
    let rest = this.#json === undefined ? row : `${this.#json.text}\n${row}`;
    for (;;) {
      rest = rest.replace(aheadOfJson, "");
      if (!beginsLikeJson(rest)) return asks;
      const end = new JsonScanner().scan(rest);
      asks.push(...openEdits(rest.slice(0, end), at));
      if (end === undefined) return asks;
      rest = rest.slice(end);
    }
  }

  protected takeRow(row: AnswerRow): void {
    this.#nextRow = row.index + 1;
    if (this.#json !== undefined) {
      this.#json.text += "\n";
      this.#scan(this.#json, row, 0);
      return;
    }
    if (this.#fence !== undefined && closesCode(row.text, this.#fence)) {
      this.#fence = undefined;
      return;
    }
    const fence = this.#fence === undefined ? tryReadCodeFence(row.text) : undefined;
    if (fence !== undefined) this.#fence = fence;
    else if (this.#fence === undefined || mayHoldJson(this.#fence)) this.#takeFrom(row, 0);
  }

  protected takeEnd(isCut: boolean): void {
    const json = this.#json;
    this.#json = undefined;
    if (json !== undefined) {
      const where = `The JSON that begins in row ${json.row + 1} does not end`;
      const why = json.scanner.isInString ? "; its last string is open, or a quote in it has no backslash" : "";
      this.refuse("cut-off", `${where}${why}.`, { row: json.row });
    } else if (isCut) {
      this.refuse("cut-off", "The answer was stopped before it was done.");
    } else if (this.#noChangeRow !== undefined && !this.#hasParts) {
      this.tell({ kind: "no-change", row: this.#noChangeRow });
    }
  }

  /** Looks for JSON at the beginning of what a row has from `start` on. */
  #takeFrom(row: AnswerRow, start: number): void {
    const [ahead = ""] = aheadOfJson.exec(row.text.slice(start)) ?? [];
    const at = start + ahead.length;
    if (beginsLikeJson(row.text.slice(at))) {
      this.#json = { row: row.index, text: "", scanner: new JsonScanner() };
      this.#scan(this.#json, row, at);
    } else {
      if (isNoChangeRow(row.text)) this.#noChangeRow ??= row.index;
      this.passBeside(row, "str-replace");
    }
  }

  #scan(json: OpenJson, row: AnswerRow, start: number): void {
    const end = json.scanner.scan(row.text, start);
    json.text += row.text.slice(start, end);
    if (end === undefined) return;
    this.#json = undefined;
    this.#read(json);
    this.#takeFrom(row, end);
  }

  #read({ row, text }: OpenJson): void {
    const json = parseModelJson(text);
    if (json.kind === "broken") {
      this.#refuseRow(
        `The JSON that begins in row ${row + 1} breaks at ${placeIn(json, text, row)}: ${json.message}.`,
        row,
      );
      return;
    }
    for (const how of json.mended) {
      const [kind, message] = lenienceOf[how];
      this.allow(kind, message, { row });
    }
    for (const call of readToolCalls(json.value, { row, paths: this.#known })) {
      if (call.kind === "ask") {
        this.ask(call.ask);
        this.#hasParts = true;
      } else if (call.kind === "unreadable") {
        this.#refuseRow(`The JSON of row ${row + 1}: ${call.message}`, row, call.path);
      } else if (call.kind === "no-change" && isListOfNothing(json.value)) {
        this.#noChangeRow ??= row;
      } else if (call.kind === "no-change") {
        this.refuse("no-change", "The new text is the same as the old one.", { row, path: call.path });
        this.#hasParts = true;
      }
    }
  }

  #refuseRow(message: string, row: number, path?: string): void {
    this.refuse("unreadable-row", message, { row, path });
    this.#hasParts = true;
  }
}

/** What may stand in front of an edit on its row. */
const aheadOfJson = /^(?:\s|,|;|<\/?[a-z_]+>)*/i;

/** Whether a text begins as an object or a list in JSON does, and words in brackets do not. */
export function beginsLikeJson(text: string): boolean {
  return /^(?:\{\s*(?:["'}]|$)|\[\s*(?:[\]{[]|$))/.test(text);
}

interface OpenJson {
  readonly row: number;
  /** The text so far, rows with `\n` between them. */
  text: string;
  readonly scanner: JsonScanner;
}

const lenienceOf = {
  "raw-characters": ["escapes", "Line breaks and tabs in strings were taken as they stand."],
  "escaped-apostrophes": ["escapes", "Backslashes in front of apostrophes were left out."],
  "trailing-commas": ["marks", "Commas behind the last item were left out."],
} as const;

/** Fences of another language hold samples. */
function mayHoldJson({ info }: CodeFence): boolean {
  return /^(?:|json[a-z\d]*|tool_?calls?|tool_?use|tool_?code|text|plaintext)$/i.test(info.split(/\s/)[0]!);
}

function isListOfNothing(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some((item) => Array.isArray(item) && item.length === 0)
  );
}

/** Where a JSON text breaks: the row of the answer, and the character of the text on that row. */
function placeIn({ offset }: Extract<ModelJson, { kind: "broken" }>, text: string, row: number): string {
  const rows = text.slice(0, offset).split("\n");
  return `row ${row + rows.length}, character ${rows.at(-1)!.length + 1}`;
}
