import { readFileSync } from "node:fs";
import { type FormatName, formatNamed, formats } from "../../src/formats/index.ts";
import type { FileTexts } from "../../src/text/index.ts";

/** An answer of a model to an editing task, with the files before and after it. */
export interface RecordedAnswer {
  readonly id: string;
  readonly format: FormatName;
  /** How the files after it are known, or that it is to be refused. */
  readonly check: string;
  readonly answer: string;
  readonly files: FileTexts;
  /** The one file that is compared; `undefined` where all are. */
  readonly path: string | undefined;
  /**
   * What the answer makes of the files; `undefined` where it is to be refused, or nothing is known.
   */
  readonly filesAfter: FileTexts | undefined;
  /** Whether the answer is to be refused. */
  readonly isRefused: boolean;
  /** The number from 1 of the first line of the file that is there, where only a part of it is. */
  readonly firstLine: number;
  /** Whether the answer makes a file that does not parse. */
  readonly breaksSyntax: boolean;
}

interface Row {
  readonly id: string;
  readonly format: string;
  readonly check: string;
  readonly path?: string;
  readonly before?: string;
  readonly new_file?: boolean;
  readonly files_before?: Readonly<Record<string, string>>;
  readonly model_output: string;
  readonly expected_after?: string;
  readonly files_after?: Readonly<Record<string, string>>;
  readonly expected_error?: string;
  readonly applied_would_be?: string;
  readonly line_base?: number;
}

/** The formats by the names that the data has for them. */
const names: Readonly<Record<string, FormatName>> = {
  "str-replace-json": "str-replace",
  "lazy-elision": "elided",
  "line-range": "line-commands",
};

/** Reads recorded answers, one JSON object a line. Throws where a format is not known. */
export function readAnswers(file: string): readonly RecordedAnswer[] {
  const rows = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return rows.map((line) => toAnswer(JSON.parse(line) as Row));
}

function toAnswer(row: Row): RecordedAnswer {
  const path = row.files_before === undefined ? withoutRoot(row.path ?? "file.txt") : undefined;
  const files = new Map(Object.entries(row.files_before ?? {}));
  if (path !== undefined && row.new_file !== true) files.set(path, row.before ?? "");
  const breaksSyntax = row.expected_error === "syntax";
  const isRefused = row.expected_error !== undefined && !breaksSyntax;
  const after = breaksSyntax ? row.applied_would_be : row.expected_after;
  const name = names[row.format] ?? formats.find((format) => format.name === row.format)?.name;
  if (name === undefined) throw new Error(`${row.id}: there is no format ${row.format}`);
  return {
    ...{
      id: row.id,
      format: formatNamed(name).name,
      check: row.check,
      answer: row.model_output,
      files,
      path,
      isRefused,
    },
    filesAfter: isRefused ? undefined : filesAfter(row, path, after),
    firstLine: row.line_base ?? 1,
    breaksSyntax,
  };
}

function filesAfter(row: Row, path: string | undefined, after: string | undefined): FileTexts | undefined {
  if (row.files_after !== undefined) return new Map(Object.entries(row.files_after));
  return path === undefined || after === undefined || after === null ? undefined : new Map([[path, after]]);
}

/** Recorded paths begin at the root of a machine that is gone. */
function withoutRoot(path: string): string {
  return path.replace(/^\/+/, "");
}
