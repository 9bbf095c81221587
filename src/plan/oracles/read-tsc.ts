import { type Finding, finding, fromOne, severityOf } from "./finding.ts";
import { type OracleReading, Reading, withLine } from "./oracle-reading.ts";
import { outputLines } from "./output-lines.ts";

/**
 * Reads what `tsc` and `vue-tsc` say, with `--pretty false` and without.
 *
 * Plain: `path(line,column): error TS2345: message`, pretty: `path:line:column - error TS2345: message` with a code frame.
 * Indented lines below belong to the message; a finding without a place is about the configuration.
 */
export function readTsc(output: string): OracleReading {
  const reading = new Reading();
  /** What the lines below a finding are: more of its message, or its code frame and other places. */
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
      const other = /^\s+(\S.*?):(\d+):(\d+)(?: - .*)?$/.exec(line);
      if (other !== null) {
        const place = {
          path: other[1]!.replaceAll("\\", "/"),
          line: Number(other[2]) - 1,
          column: Number(other[3]) - 1,
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

function tryDiagnostic(line: string): Finding | undefined {
  const match =
    /^(?<path>\S.*?)\((?<row>\d+),(?<column>\d+)\): (?<severity>error|warning|message|info) (?<code>TS\d+): (?<message>.*)$/.exec(
      line,
    ) ??
    /^(?<path>\S.*?):(?<row>\d+):(?<column>\d+) - (?<severity>error|warning|message|info) (?<code>TS\d+): (?<message>.*)$/.exec(
      line,
    ) ??
    /^(?<severity>error|warning) (?<code>TS\d+): (?<message>.*)$/.exec(line);
  if (match === null) return undefined;
  const { path, row, column, severity, code, message } = match.groups!;
  return finding({
    path,
    line: fromOne(row),
    column: fromOne(column),
    code,
    severity: severityOf(severity),
    message: message!,
    source: "tsc",
  });
}

function isHeading(line: string): boolean {
  return /^Found \d+ errors?\b|^Errors {2}Files$|^\s+\d+ {2}\S|^\[?\d{1,2}:\d\d:\d\d/.test(line);
}
