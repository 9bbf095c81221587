import { type Diagnostic, oneLine, printLocation, type TextRange } from "../../text/index.ts";

/**
 * A place that a verification command reports.
 *
 * `path` is as the command printed it, with `/` between names, until `locateFindings` maps it to
 * the workspace. Lines and columns count from 0. Columns are in the tool's unit: UTF-16 code units
 * for most, characters for Rust and Python, bytes for Go.
 */
export interface FindingPlace {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * A diagnostic or test failure that a verification command reports. Plain data; made by
 * {@link finding}. It has a place in place of a range, since the text that the command read is not
 * known when its output is read, and even the file may be missing.
 */
export interface Finding extends Partial<FindingPlace>, Partial<Omit<Diagnostic, keyof TextRange>> {
  /** The end, exclusive, if the command reports it. */
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The tool's code: `TS2345`, a lint rule, or the full name of the failed test. */
  readonly code?: string;
  /** Only an `error` makes a verification fail. */
  readonly severity: "error" | "warning" | "info";
  /** The tool's message; may have several lines. */
  readonly message: string;
  /** The tool: `tsc`, `eslint`, `pytest`. */
  readonly source: string;
  /** Other places in the report: stack frames, declarations. */
  readonly related?: readonly FindingPlace[];
}

type Loose<Value> = { readonly [Key in keyof Value]?: Value[Key] | undefined };

/**
 * Makes a finding, whose lines and columns count from 0./ Leaves out parts that are `undefined`,
 * empty or not a number, and a column without a line.
 */
export function finding(
  parts: Loose<Omit<Finding, "severity" | "message" | "source">> & Pick<Finding, "severity" | "message" | "source">,
): Finding {
  const { related, ...rest } = parts;
  const kept = Object.entries(rest).filter(([, value]) => value !== undefined && !Number.isNaN(value) && value !== "");
  const { path, line, column, endLine, endColumn, ...others } = Object.fromEntries(kept) as unknown as Finding;
  return {
    ...(path !== undefined && { path: path.replaceAll("\\", "/") }),
    ...others,
    message: others.message ?? "",
    ...(line !== undefined && { line, ...(column !== undefined && { column }) }),
    ...(line !== undefined && endLine !== undefined && { endLine, ...(endColumn !== undefined && { endColumn }) }),
    ...(related !== undefined && related.length > 0 && { related }),
  };
}

/**
 * Converts a line or column that counts from 1, a number or a text of digits, to one that counts
 * from 0; `undefined` for anything else.
 */
export function fromOne(count: unknown): number | undefined {
  const number = typeof count === "string" ? Number.parseInt(count, 10) : count;
  return typeof number === "number" && number >= 1 ? number - 1 : undefined;
}

/** The severity for a tool's word: errors and failures, warnings, and everything else as `info`. */
export function severityOf(word: unknown): Finding["severity"] {
  const name = String(word).toLowerCase();
  if (/^(error|fatal|fatal error|fail|failure|catastrophic)/.test(name)) return "error";
  return name.startsWith("warn") ? "warning" : "info";
}

/**
 * A finding in one line, with numbers from 1:
 * `src/a.ts:3:5-3:9 error TS2345 (tsc) Argument of type …`.
 */
export function printFinding(found: Finding): string {
  const { path, line, column, endLine, endColumn, code, severity, source, message, related = [] } = found;
  const end = endLine === undefined ? "" : `-${printLocation("", { line: endLine, column: endColumn })}`;
  const place = path === undefined ? undefined : `${printLocation(path, { line, column })}${end}`;
  const also = related.map((other) => printLocation(other.path, other)).join(", ");
  return [place, severity, code, `(${source})`, oneLine(message), also === "" ? undefined : `[see ${also}]`]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}

/**
 * A key that identifies a finding across runs: its block (or its file outside all blocks), tool,
 * severity and code. `block` is the block that contains it, such as a `BlockId`; `undefined` when
 * no block does.
 *
 * It does not contain the line, which moves with edits above it, nor the message, in which tools
 * print types that change while the mistake stays. Findings without a code are distinguished by
 * block and tool only.
 */
export function findingKey({ path = "", source, severity, code = "" }: Finding, block: string | undefined): string {
  return JSON.stringify([path === "" ? "" : (block ?? path), source, severity, code]);
}
