import { type Finding, finding, fromOne, severityOf } from "./finding.ts";
import { jsonLines, numberOf, textOf } from "./json-in-output.ts";
import { outputLines, Reading, type VerifierReading } from "./verifier-reading.ts";

/**
 * Reads the output of mypy: as JSON (`-O json`: one object a line; lines count from 1, columns from
 * 0), and as text with or without columns and ends. Notes are findings of their own. Findings count
 * lines and columns from 0.
 */
export function readMypy(output: string): VerifierReading {
  const reading = new Reading();
  for (const { value, line, isLast } of jsonLines(output)) {
    if (value !== undefined && "file" in value && "message" in value) {
      const hint = textOf(value["hint"]);
      reading.add(
        finding({
          path: textOf(value["file"]),
          line: fromOne(value["line"]),
          column: from0(value["column"]),
          endLine: fromOne(value["end_line"]),
          endColumn: from0(value["end_column"]),
          code: textOf(value["code"]),
          severity: severityOf(value["severity"]),
          message: [textOf(value["message"]) ?? "", ...(hint === undefined ? [] : [hint])].join("\n"),
          source: "mypy",
        }),
      );
      continue;
    }
    if (line.startsWith("{") && isLast) reading.isCut = true;
    for (const text of outputLines(line)) {
      const found = tryLine(text);
      if (found !== undefined) reading.add(found);
      else if (!/^(Found \d+ errors? in |Success: no issues found|Daemon (started|is up))/.test(text))
        reading.leave(text);
    }
  }
  return reading.end();
}

function tryLine(line: string): Finding | undefined {
  const match =
    /^((?:[A-Za-z]:)?[^:\s][^:]*?)(?::(\d+))?(?::(\d+))?(?::(\d+):(\d+))?: (error|note|warning): (.*?)(?: {2}\[([\w-]+)\])?$/.exec(
      line,
    );
  if (match === null || !/\.pyi?$|\.ipynb$|^mypy$/.test(match[1]!)) return undefined;
  const [, path, row, column, endRow, endColumn, severity, message, code] = match;
  return finding({
    path: path === "mypy" ? undefined : path,
    line: fromOne(row),
    column: fromOne(column),
    endLine: fromOne(endRow),
    // The text contains the last column, and a finding the one after it.
    endColumn: endColumn === undefined ? undefined : Number(endColumn),
    code,
    severity: severityOf(severity),
    message: message!,
    source: "mypy",
  });
}

/** A column that counts from 0; `undefined` for -1, which mypy writes when there is none. */
function from0(value: unknown): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number >= 0 ? number : undefined;
}
