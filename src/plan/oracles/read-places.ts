import { type Finding, finding, fromOne, severityOf } from "./finding.ts";
import { type OracleReading, Reading } from "./oracle-reading.ts";
import { outputLines } from "./output-lines.ts";

/**
 * Reads lines that begin with a place, as compilers and linters have written them since the first C compiler:
 * `path:line:column: error: message`, `path:line: message`, `path(line,column): message`, `path:line:column message`.
 *
 * A severity is taken from the words behind the place; without one it is an error. Every other line is left unread.
 */
export function readPlaces(output: string): OracleReading {
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
  // A clock and a host have the look of a place: what is a file has a dot or a folder in its name.
  if (!/[./\\]|^(?:Makefile|Dockerfile)$/.test(path) || /^\d+$/.test(path) || /^[a-z]+:\/\//i.test(line.trim())) {
    return undefined;
  }
  const head =
    /^(?<severity>fatal error|error|warning|warn|note|info|hint)\b(?:\s+(?<code>[A-Z]+[-\w]*\d+)|\[(?<name>[\w:-]+)\])?\s*:?\s*(?<message>.*)$/i.exec(
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
