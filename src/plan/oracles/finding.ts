import { oneLine } from "../../text/index.ts";

/** How bad a finding is. An oracle that is to be silent must have no error; the rest is for people. */
export type FindingSeverity = "error" | "warning" | "info";

/**
 * A place that an oracle names.
 *
 * `path` is as the oracle wrote it, with `/` between names, until `locateFindings` made it one of the workspace. Lines and
 * columns count from 0; columns in the units of the tool: UTF-16 for most, characters for Rust and Python, bytes for Go.
 */
export interface FindingPlace {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

/** One thing that an oracle has to say. Plain data; make one with {@link finding}. */
export interface Finding extends Partial<FindingPlace> {
  /** The end, excluded, where the oracle tells it. */
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The oracle's own name for this sort of thing: `TS2345`, a lint rule, or the full name of the test that fails. */
  readonly code?: string;
  readonly severity: FindingSeverity;
  /** In the oracle's words, possibly of several lines. */
  readonly message: string;
  /** The tool that found it: `tsc`, `eslint`, `pytest`. */
  readonly source: string;
  /** Other places that it names: frames of a stack, where something is declared. */
  readonly related?: readonly FindingPlace[];
}

type Loose<Value> = { readonly [Key in keyof Value]?: Value[Key] | undefined };

/** Makes a finding of what is known: what is `undefined`, empty or no number is left out, and so is a column without a line. */
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

/** A line or column that a tool counts from 1, counted from 0. What is no number from 1 on is unknown. */
export function fromOne(count: unknown): number | undefined {
  const number = typeof count === "string" ? Number.parseInt(count, 10) : count;
  return typeof number === "number" && number >= 1 ? number - 1 : undefined;
}

/** A severity in the words of most tools: errors and failures, warnings, and everything else. */
export function severityOf(word: unknown): FindingSeverity {
  const name = String(word).toLowerCase();
  if (/^(error|fatal|fatal error|fail|failure|catastrophic)/.test(name)) return "error";
  return name.startsWith("warn") ? "warning" : "info";
}

/** Prints a finding on one line, with numbers from 1: `src/a.ts:3:5-3:9 error TS2345 (tsc) Argument of type …`. */
export function printFinding(found: Finding): string {
  const { path, line, column, endLine, endColumn, code, severity, source, message, related = [] } = found;
  const number = (zeroBased: number | undefined) => (zeroBased === undefined ? "" : `:${zeroBased + 1}`);
  const start = line === undefined ? "" : `${number(line)}${number(column)}`;
  const end = endLine === undefined ? "" : `-${endLine + 1}${number(endColumn)}`;
  const place = path === undefined ? undefined : `${path}${start}${end}`;
  const also = related.map((other) => `${other.path}${number(other.line)}${number(other.column)}`).join(", ");
  return [place, severity, code, `(${source})`, oneLine(message), also === "" ? undefined : `[see ${also}]`]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}
