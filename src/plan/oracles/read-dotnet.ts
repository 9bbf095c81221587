import { type Finding, finding, fromOne, severityOf } from "./finding.ts";
import { type OracleReading, Reading, withLine } from "./oracle-reading.ts";
import { outputLines } from "./output-lines.ts";
import { stackFrames } from "./stack-frames.ts";

/**
 * Reads what `dotnet build`, `msbuild` and `dotnet test` say: diagnostics in the canonical form
 * `path(line,column): error CODE: message [project]`, which are told again in a summary and for each target framework and are
 * one finding each, and tests that failed.
 *
 * Source: "MSBuild and Visual Studio format for diagnostic messages" in Microsoft's documentation.
 */
export function readDotnet(output: string): OracleReading {
  const reading = new Reading();
  const known = new Set<string>();
  let test: { readonly name: string; readonly lines: string[] } | undefined;
  const closeTest = () => {
    if (test !== undefined) reading.add(testFinding(test.name, test.lines));
    test = undefined;
  };
  for (const line of outputLines(output)) {
    const found = tryDiagnostic(line);
    const failed = /^\s*(?:Failed|X) (\S.*?) \[[^\]]*\]$/.exec(line);
    if (found !== undefined) {
      closeTest();
      const key = JSON.stringify([found.path, found.line, found.column, found.code, found.message]);
      if (!known.has(key)) reading.add(found);
      known.add(key);
    } else if (failed !== null) {
      closeTest();
      test = { name: failed[1]!, lines: [] };
    } else if (line.trim() === "") {
      // A message may have blank lines in it.
    } else if (isChatter(line)) {
      closeTest();
    } else if (test !== undefined) {
      test.lines.push(line);
    } else reading.leave(line);
  }
  closeTest();
  return reading.end();
}

function tryDiagnostic(line: string): Finding | undefined {
  // Origin and message are taken apart first: one pattern for all of it is slow on lines that are long and of something else.
  const middle = / ?: (?:fatal |command line )?(error|warning)(?: ([A-Za-z]+[\w-]*\d[\w-]*))? ?: /.exec(line);
  if (middle === null) return undefined;
  const [, severity, code] = middle;
  const before = line.slice(0, middle.index).trim().replace(/^\d+>/, "");
  const [, origin = "", span] = /^([^(]*(?:\([^()]*\)[^(]+)*?)(?:\((\d+(?:[,-]\d+)*)\))?$/.exec(before) ?? [
    undefined,
    before,
  ];
  const after = line.slice(middle.index + middle[0].length).trimEnd();
  const tail = after.endsWith("]") ? after.lastIndexOf(" [") : -1;
  const named = tail < 0 ? "" : after.slice(tail + 2, -1);
  const project = /\.(?:\w*proj|slnx?)(?:::|$)/.test(named) ? named : undefined;
  const message = project === undefined ? after : after.slice(0, tail);
  // Many tools write `path: error: message`.
  if (span === undefined && code === undefined && project === undefined) return undefined;
  const numbers = span?.split(/[,-]/) ?? [];
  // The name of a tool stands where others have a path: `CSC : error CS5001`.
  const isPath = span !== undefined || /[./\\]/.test(origin);
  const inProject = project?.split("::")[0];
  return finding({
    path: isPath ? origin : inProject,
    line: fromOne(numbers[0]),
    column: fromOne(numbers[1]),
    endLine: numbers.length === 4 ? fromOne(numbers[2]) : undefined,
    endColumn: numbers.length === 4 ? fromOne(numbers[3]) : undefined,
    code,
    severity: severityOf(severity),
    message,
    source: "dotnet",
  });
}

function testFinding(name: string, lines: readonly string[]): Finding {
  const places = lines.flatMap((line) => {
    const frame = /^\s+at .* in (.+?):line (\d+)$/.exec(line);
    return frame === null ? stackFrames(line) : [{ path: frame[1]!.replaceAll("\\", "/"), line: Number(frame[2]) - 1 }];
  });
  const end = lines.findIndex((line) => /^\s*Stack Trace:/.test(line));
  const message = lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim())
    .filter((line) => line !== "Error Message:");
  // The test itself is the outermost frame of ours.
  const own = places.at(-1);
  const found = finding({
    ...own,
    code: name.replace(/\s+$/, ""),
    severity: "error",
    message: "",
    source: "dotnet",
    related: places.slice(0, -1),
  });
  return message.length === 0 ? { ...found, message: "It failed." } : message.reduce(withLine, found);
}

function isChatter(line: string): boolean {
  return (
    /^\s*(Determining projects to restore|All projects are up-to-date|Restored |MSBuild version|Build (started|succeeded|FAILED)|Time Elapsed|Microsoft \(R\)|Copyright \(C\)|Starting test execution|A total of \d+ test files|Passed |Skipped |Passed!|Failed!|Test Run (Failed|Successful)|Total tests|Test run for |VSTest version|Results File)/i.test(
      line,
    ) ||
    /^\s+\d+ (Warning|Error)\(s\)$/.test(line) ||
    /^\s+\S+ -> \S/.test(line)
  );
}
