import { parseJsonWithComments } from "../syntax/index.ts";
import { byteOrderMark, EmendError, type FileChangeTexts, splitPatchLines } from "../text/index.ts";
import type { EditFormat } from "./edit-format.ts";
import type { EditOperation } from "./edit-operation.ts";
import { uniqueBlocks } from "./placing/unique-blocks.ts";
import { AnswerAfterReasoning } from "./reading/answer-after-reasoning.ts";
import { type AnswerRow, RowReader } from "./reading/answer-rows.ts";
import { checkedAnswer } from "./reading/checked-answer.ts";
import { type CodeFence, closesCode, tryReadCodeFence } from "./reading/code-fence.ts";
import { noChangeRow } from "./reading/no-change-row.ts";
import { JsonScanner, type ModelJson, parseModelJson, withSpelledStrings } from "./reading/parse-model-json.ts";
import { readToolCalls, type ToolCall } from "./reading/tool-calls.ts";
import { showFenced } from "./show-file.ts";

/**
 * Old and new text in JSON, as the editing tools of many assistants use it.
 *
 * It cannot express the deletion or move of a file.
 */
export const strReplace: EditFormat = {
  name: "str-replace",
  title: "JSON objects with an old and a new text",
  instructions: `Answer with JSON objects, one a row. Each one puts a new text in the place of an old one:

{"path": "src/math.ts", "old_string": "  return value;\\n", "new_string": "  return value / 2;\\n"}

Rules:

- \`old_string\` is copied from the file, character for character: indentation, blank lines and remarks too.
- It must be in the file only once. Add the lines above or below until it is, and not more than needed. \`"replace_all": true\` means every place.
- The edits of a file are made one after the other, in the order of the rows.
- To create a file, name its path, with an empty \`old_string\` and the whole text as \`new_string\`.
- Within strings a line break is \`\\n\`, a quote \`\\"\`, and a backslash \`\\\\\`.
- No fences, no explanations.
- If nothing needs to be changed, answer \`${noChangeRow}\`
`,
  showFile: ({ path, text }) => showFenced(path, text),
  read: (options) => new AnswerAfterReasoning(() => new StrReplaceReader(options)),
  encode: (changes) => {
    const rows = changes.flatMap(encodeChange);
    return checkedAnswer(strReplace, changes, `${rows.length === 0 ? noChangeRow : rows.join("\n")}\n`);
  },
};

function encodeChange({ before, after, path, pathBefore = path }: FileChangeTexts): readonly string[] {
  if ((before !== undefined && after === undefined) || path !== pathBefore) {
    throw new EmendError("not-encodable", "The format str-replace cannot say that a file goes or moves.");
  }
  if (before === undefined) return after === undefined ? [] : [printEdit(path, "", after)];
  const blocks = uniqueBlocks(plainLines(before), plainLines(after ?? ""), { contextLines: 0, countPlaces });
  return blocks.map(({ search, replace }) => printEdit(path, search.join(""), replace.join("")));
}

function printEdit(path: string, search: string, replace: string): string {
  return JSON.stringify({ path, old_string: search, new_string: replace });
}

/** The lines of a text with their endings, as spelled in an answer. */
function plainLines(text: string): readonly string[] {
  return splitPatchLines(text.replace(byteOrderMark, "").replaceAll("\r\n", "\n"));
}

/** The number of places of the lines in the text, including those that begin within a line. */
function countPlaces(search: readonly string[], lines: readonly string[]): number {
  const text = lines.join("");
  const wanted = search.join("");
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}

/**
 * Reads edits written as JSON: objects or lists, one after the other, with or without fences.
 *
 * An object is read at its last bracket, since no part of it is certain before. Invalid JSON is
 * refused with the place of the error, and objects after it are read.
 */
class StrReplaceReader extends RowReader {
  #json: OpenJson | undefined;
  #fence: CodeFence | undefined;
  #hasParts = false;
  #nextRow = 0;

  /**
   * A JSON text may be a single row from start to end, so only {@link openIn} reports open
   * operations.
   */
  get open(): undefined {
    return undefined;
  }

  openIn(row: string): readonly EditOperation[] {
    if (this.#json === undefined && this.#fence !== undefined && !mayHoldJson(this.#fence)) return [];
    const operations: EditOperation[] = [];
    const at = { row: this.#json?.row ?? this.#nextRow, paths: this.known };
    let rest = this.#json === undefined ? row : `${this.#json.text}\n${row}`;
    for (;;) {
      rest = rest.replace(aheadOfJson, "");
      if (!beginsLikeJson(rest)) return operations;
      const end = new JsonScanner().scan(rest);
      operations.push(...openEdits(rest.slice(0, end), at));
      if (end === undefined) return operations;
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
      this.addRefusal("cut-off", `${where}${why}.`, { row: json.row });
    } else if (isCut) {
      this.addRefusal("cut-off", "The answer was stopped before it was done.");
    } else if (this.noChangeRow !== undefined && !this.#hasParts) {
      this.addPart({ kind: "no-change", row: this.noChangeRow });
    }
  }

  /** Looks for JSON at the beginning of the row's text from `start` on. */
  #takeFrom(row: AnswerRow, start: number): void {
    const [ahead = ""] = aheadOfJson.exec(row.text.slice(start)) ?? [];
    const at = start + ahead.length;
    if (beginsLikeJson(row.text.slice(at))) {
      this.#json = { row: row.index, text: "", scanner: new JsonScanner() };
      this.#scan(this.#json, row, at);
    } else {
      this.skipRow(row, "str-replace");
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
    for (const how of json.repaired) {
      const [kind, message] = normalizationOf[how];
      this.addNormalization(kind, message, { row });
    }
    const spelledJson = /\\[^"]/.test(text) ? parseModelJson(withSpelledStrings(text)) : undefined;
    const spelled = spelledJson?.kind === "value" ? readToolCalls(spelledJson.value, { row, paths: this.known }) : [];
    for (const [i, call] of readToolCalls(json.value, { row, paths: this.known }).entries()) {
      if (call.kind === "operation") {
        this.addOperation(withSpelling(call.operation, spelled[i]));
        this.#hasParts = true;
      } else if (call.kind === "unreadable") {
        this.#refuseRow(`The JSON of row ${row + 1}: ${call.message}`, row, call.path);
      } else if (call.kind === "no-change" && isListOfNothing(json.value)) {
        this.noChangeRow ??= row;
      } else if (call.kind === "no-change") {
        this.addRefusal("no-change", "The new text is the same as the old one.", { row, path: call.path });
        this.#hasParts = true;
      }
    }
  }

  #refuseRow(message: string, row: number, path?: string): void {
    this.addRefusal("unreadable-row", message, { row, path });
    this.#hasParts = true;
  }
}

/** Matches what may precede an edit in its row. */
const aheadOfJson = /^(?:\s|,|;|<\/?[a-z_]+>)*/i;

/**
 * Whether a text begins like a JSON object or a list of objects or lists; prose in brackets does
 * not.
 */
export function beginsLikeJson(text: string): boolean {
  return /^(?:\{\s*(?:["'}]|$)|\[\s*(?:[\]{[]|$))/.test(text);
}

interface OpenJson {
  readonly row: number;
  /** The text so far, with `\n` between rows. */
  text: string;
  readonly scanner: JsonScanner;
}

const normalizationOf = {
  "raw-characters": ["escapes", "Line breaks and tabs in strings were taken as they stand."],
  "escaped-apostrophes": ["escapes", "Backslashes in front of apostrophes were left out."],
  "path-backslashes": ["escapes", "The backslashes of a path were taken as they stand."],
  "trailing-commas": ["marks", "Commas behind the last item were left out."],
} as const;

/** Whether a fence may contain edits. Fences with other languages contain samples. */
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

/** Adds to an operation its texts as spelled in the JSON, where they differ. */
function withSpelling(operation: EditOperation, spelled: ToolCall | undefined): EditOperation {
  if (operation.kind !== "string" || spelled?.kind !== "operation" || spelled.operation.kind !== "string")
    return operation;
  const { search, replace } = spelled.operation;
  return search === operation.search ? operation : { ...operation, spelled: { search, replace } };
}

/** The place of an error in a JSON text: the row of the answer, and the character in that row. */
function placeIn({ offset }: Extract<ModelJson, { kind: "broken" }>, text: string, row: number): string {
  const rows = text.slice(0, offset).split("\n");
  return `row ${row + rows.length}, character ${rows.at(-1)!.length + 1}`;
}

/**
 * Reads the operations of an incomplete JSON text for a preview: all complete ones, and of the last
 * one the whole lines of its new text so far. An operation whose old text or path is incomplete is
 * left out.
 */
function openEdits(
  text: string,
  request: { readonly row: number; readonly paths: readonly string[] },
): readonly EditOperation[] {
  const scanner = new JsonScanner();
  const isWhole = scanner.scan(text) !== undefined;
  // The parser closes open brackets and strings itself.
  const value: unknown = parseJsonWithComments(withPlainBreaks(text));
  const operations = readToolCalls(value, request).flatMap((call) =>
    call.kind === "operation" ? [call.operation] : [],
  );
  const last = operations.at(-1);
  if (isWhole || !scanner.isInString || last === undefined) return operations;
  const open = lastString(value);
  const known = operations.slice(0, -1);
  const rest = open === undefined ? undefined : tryKeepLines(last, open);
  return rest === undefined ? known : [...known, rest];
}

/** Escapes line breaks in strings, so that the parser does not end the string there. */
function withPlainBreaks(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"?/g, (string) => string.replace(/\r?\n/g, "\\n"));
}

/** The string at the very end of a value; `undefined` if there is none. */
function lastString(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  return lastString(Object.values(value).at(-1));
}

/**
 * An operation with only the whole lines of its new text, where that is the string `open`;
 * `undefined` if it has none yet.
 */
function tryKeepLines(operation: EditOperation, open: string): EditOperation | undefined {
  const end = open.lastIndexOf("\n");
  if (operation.kind === "whole" || operation.kind === "create") {
    const { finalNewline, ...whole } = operation;
    // The line after the last line break is incomplete.
    return finalNewline === true ? whole : { ...whole, lines: operation.lines.slice(0, -1) };
  }
  if (operation.kind !== "string" || operation.replace !== open || end < 0) return undefined;
  return { ...operation, replace: open.slice(0, operation.search.endsWith("\n") ? end + 1 : end) };
}
