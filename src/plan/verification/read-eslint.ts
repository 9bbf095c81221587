import { isRecord } from "../../text/index.ts";
import { finding, fromOne, severityOf } from "./finding.ts";
import { numberOf, recordsOf, textOf, tryJsonInOutput } from "./json-in-output.ts";
import { outputLines, Reading, type VerifierReading } from "./verifier-reading.ts";

/**
 * Reads the output of ESLint, as JSON (`-f json`) and in its default format (`stylish`). Findings
 * count lines and columns from 0.
 */
export function readEslint(output: string): VerifierReading {
  const json = tryJsonInOutput(output, isEslintReport);
  if (json === undefined) return readStylish(output);
  const reading = new Reading();
  reading.isCut = json.isCut;
  for (const line of outputLines(`${json.before}\n${json.after}`)) reading.leave(line);
  for (const file of recordsOf(json.value)) {
    for (const message of recordsOf(file["messages"])) {
      reading.add(
        finding({
          path: textOf(file["filePath"]),
          line: fromOne(message["line"]),
          column: fromOne(message["column"]),
          endLine: fromOne(message["endLine"]),
          endColumn: fromOne(message["endColumn"]),
          code: textOf(message["ruleId"]) ?? (message["fatal"] === true ? "fatal" : undefined),
          severity: numberOf(message["severity"]) === 1 ? "warning" : "error",
          message: textOf(message["message"]) ?? "",
          source: "eslint",
        }),
      );
    }
  }
  return reading.end();
}

/**
 * Whether a value is ESLint's report: a list of files with messages, which is empty when no file
 * was checked.
 */
export function isEslintReport(value: unknown): boolean {
  return Array.isArray(value) && value.every((file) => isRecord(file) && "filePath" in file);
}

function readStylish(output: string): VerifierReading {
  const reading = new Reading();
  let heading: { readonly line: string; isUsed: boolean } | undefined;
  const closeHeading = () => {
    if (heading !== undefined && !heading.isUsed) reading.leave(heading.line);
    heading = undefined;
  };
  for (const line of outputLines(output)) {
    const match = /^\s+(\d+):(\d+)\s+(error|warning)\s+(?=\S|$)(.*)$/.exec(line);
    if (match !== null && heading !== undefined) {
      heading.isUsed = true;
      const [, row, column, severity, text = ""] = match;
      // The rule is separated from the message by at least two spaces.
      const [, message = text.trimEnd(), code] = /^(.*\S)\s{2,}(\S+)$/.exec(text.trimEnd()) ?? [];
      const place = { path: heading.line.trim(), line: fromOne(row), column: fromOne(column) };
      const bad = severityOf(severity);
      reading.add(finding({ ...place, code, severity: bad, message, source: "eslint" }));
    } else if (/^\s*✖ \d+ problems?\b|^\s+\d+ errors? and \d+ warnings? potentially fixable/.test(line)) {
      closeHeading();
    } else if (/^\S/.test(line)) {
      closeHeading();
      heading = { line, isUsed: false };
    } else reading.leave(line);
  }
  closeHeading();
  return reading.end();
}
