import { isRecord } from "../../text/index.ts";
import { finding, fromOne, severityOf } from "./finding.ts";
import { numberOf, recordsOf, textOf, tryJsonInOutput } from "./json-in-output.ts";
import { outputLines, Reading, type VerifierReading, withLine } from "./verifier-reading.ts";

/**
 * Reads the output of Pyright and basedpyright, as JSON (`--outputjson`, which counts from 0) and
 * as text. Findings count lines and columns from 0; lines that are not understood are in `unread`.
 */
export function readPyright(output: string): VerifierReading {
  const json = tryJsonInOutput(output, isPyrightReport);
  if (json === undefined) return readTerminal(output);
  const reading = new Reading();
  reading.isCut = json.isCut;
  for (const line of outputLines(`${json.before}\n${json.after}`)) reading.leave(line);
  for (const diagnostic of recordsOf(isRecord(json.value) ? json.value["generalDiagnostics"] : undefined)) {
    const range = isRecord(diagnostic["range"]) ? diagnostic["range"] : {};
    const start = isRecord(range["start"]) ? range["start"] : {};
    const end = isRecord(range["end"]) ? range["end"] : {};
    reading.add(
      finding({
        path: textOf(diagnostic["file"]) ?? textOf(diagnostic["uri"]),
        line: numberOf(start["line"]),
        column: numberOf(start["character"]),
        endLine: numberOf(end["line"]),
        endColumn: numberOf(end["character"]),
        code: textOf(diagnostic["rule"]),
        severity: severityOf(diagnostic["severity"]),
        message: textOf(diagnostic["message"]) ?? "",
        source: "pyright",
      }),
    );
  }
  return reading.end();
}

/** Whether a value is Pyright's report: an object with the list `generalDiagnostics`. */
export function isPyrightReport(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["generalDiagnostics"]);
}

function readTerminal(output: string): VerifierReading {
  const reading = new Reading();
  let isOpen = false;
  for (const line of outputLines(output)) {
    const trimmed = /^\s/.test(line) ? line.trimStart() : "";
    const match = /:(\d+):(\d+) - (error|warning|information): /.exec(trimmed);
    if (match !== null && match.index > 0) {
      const [head, row, column, severity] = match;
      const path = trimmed.slice(0, match.index);
      const [, message, code] = /^(.*?)(?: \((report\w+)\))?$/.exec(trimmed.slice(match.index + head.length)) ?? [];
      const place = { path, line: fromOne(row), column: fromOne(column) };
      reading.add(
        finding({ ...place, code, severity: severityOf(severity), message: message ?? "", source: "pyright" }),
      );
      isOpen = true;
    } else if (isOpen && /^\s{4,}\S/.test(line)) {
      const [, text = "", code] = /^(.*?)(?: \((report\w+)\))?$/.exec(line) ?? [];
      reading.extendLast((last) => ({ ...withLine(last, text), ...(code !== undefined && { code }) }));
    } else {
      isOpen = false;
      const isHeading = /^(\/|[A-Za-z]:[\\/])\S.*$|^\d+ errors?, \d+ warnings?, |^No configuration file found/.test(
        line,
      );
      if (!isHeading) reading.leave(line);
    }
  }
  return reading.end();
}
