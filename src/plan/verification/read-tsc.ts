import { type Finding, finding, fromOne, severityOf } from "./finding.ts";
import { outputLines, Reading, type VerifierReading, withLine } from "./verifier-reading.ts";

/**
 * Reads the output of `tsc` and `vue-tsc`, with and without `--pretty false`. Findings count lines
 * and columns from 0.
 *
 * Plain: `path(line,column): error TS2345: message`. Pretty:
 * `path:line:column - error TS2345: message` with a code frame. Indented lines below belong to the
 * message. A finding without a place is about the configuration.
 */
export function readTsc(output: string): VerifierReading {
  const reading = new Reading();
  /**
   * What the next lines are: more of the last finding's message, or its code frame and other
   * places.
   */
  let part: "none" | "message" | "frame" = "none";
  for (const line of outputLines(output)) {
    const found = tryDiagnostic(line);
    if (found !== undefined) {
      reading.add(found);
      part = "message";
    } else if (line.trim() === "") {
      if (part === "message") part = "frame";
    } else if (part === "message" && /^\s/.test(line)) {
      reading.extendLast((last) => withLine(last, line.trimEnd()));
    } else if (part === "frame" && /^\s|^\d+( |$)/.test(line)) {
      const text = /^\s/.test(line) ? line.trimStart() : "";
      const other = /:(\d+):(\d+)(?: - |$)/.exec(text);
      if (other !== null && other.index > 0) {
        const place = {
          path: text.slice(0, other.index).replaceAll("\\", "/"),
          line: Number(other[1]) - 1,
          column: Number(other[2]) - 1,
        };
        reading.extendLast((last) => ({ ...last, related: [...(last.related ?? []), place] }));
      }
    } else if (!isHeading(line)) {
      reading.leave(line);
      part = "none";
    }
  }
  return reading.end();
}

/** The part of a line between the path and the message. */
const headings: readonly RegExp[] = [
  /(?<!^)\((?<row>\d+),(?<column>\d+)\): (?<severity>error|warning|message|info) (?<code>TS\d+): /,
  /(?<!^):(?<row>\d+):(?<column>\d+) - (?<severity>error|warning|message|info) (?<code>TS\d+): /,
  /^(?<severity>error|warning) (?<code>TS\d+): /,
];

function tryDiagnostic(line: string): Finding | undefined {
  if (/^\s/.test(line)) return undefined;
  const match = headings.map((heading) => heading.exec(line)).find((found) => found !== null);
  if (match === undefined) return undefined;
  const { row, column, severity, code } = match.groups!;
  return finding({
    path: row === undefined ? undefined : line.slice(0, match.index),
    line: fromOne(row),
    column: fromOne(column),
    code,
    severity: severityOf(severity),
    message: line.slice(match.index + match[0].length),
    source: "tsc",
  });
}

function isHeading(line: string): boolean {
  return /^Found \d+ errors?\b|^Errors {2}Files$|^\s+\d+ {2}\S|^\[?\d{1,2}:\d\d:\d\d/.test(line);
}
