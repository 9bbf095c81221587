import { type Finding, finding, fromOne, severityOf } from "./finding.ts";
import { outputLines, Reading, type VerifierReading } from "./verifier-reading.ts";

/**
 * Reads lines that begin with a place, the usual format of compilers and linters:
 * `path:line:column: error: message`, `path:line: message`, `path(line,column): message`,
 * `path:line:column message`. Findings count lines and columns from 0.
 *
 * The severity comes from the words after the place; without one it is an error. All other lines
 * are unread.
 */
export function readPlaces(output: string): VerifierReading {
  const reading = new Reading();
  for (const line of outputLines(output)) {
    const found = tryPlaceLine(line);
    if (found === undefined) reading.leave(line);
    else reading.add(found);
  }
  return reading.end();
}

function tryPlaceLine(line: string): Finding | undefined {
  const match =
    /^\s*(?<path>(?:[A-Za-z]:[\\/])?[^\s:()"'][^:()"']*?):(?<row>\d+)(?::(?<column>\d+))?(?::\s*| -+ |\s+)(?<rest>\S.*)$/.exec(
      line,
    ) ??
    /^\s*(?<path>(?:[A-Za-z]:[\\/])?[^\s:()"'][^:()"']*?)\((?<row>\d+)(?:,(?<column>\d+))?\)\s*:\s*(?<rest>\S.*)$/.exec(
      line,
    );
  if (match === null) return undefined;
  const { path = "", row, column, rest = "" } = match.groups!;
  // A time and a host look like a place; a file's path contains a dot or a folder.
  if (!/[./\\]|^(?:Makefile|Dockerfile)$/.test(path) || /^\d+$/.test(path) || /^[a-z]+:\/\//i.test(line.trim())) {
    return undefined;
  }
  const head =
    /^(?<severity>fatal error|error|warning|warn|note|info|hint)\b(?:\s+(?<code>[A-Z][-\w]*\d)(?![-\w])|\[(?<name>[\w:-]+)\])?\s*(?::\s*)?(?<message>(?:\S.*)?)$/i.exec(
      rest,
    )?.groups;
  return finding({
    path,
    line: fromOne(row),
    column: fromOne(column),
    code: head?.["code"] ?? head?.["name"],
    severity: head === undefined ? "error" : severityOf(head["severity"]),
    message: head?.["message"] || rest,
    source: "text",
  });
}
