import { type Finding, type FindingPlace, finding, fromOne, severityOf } from "./finding.ts";
import { stackFrames } from "./stack-frames.ts";
import { outputLines, Reading, type VerifierReading, withLine } from "./verifier-reading.ts";

/**
 * Reads the output of `dotnet build`, `msbuild` and `dotnet test`: failed tests, and diagnostics in
 * the canonical form `path(line,column): error CODE: message [project]`. These are repeated in a
 * summary and for each target framework; each is one finding. Findings count lines and columns from
 * 0.
 *
 * Source: "MSBuild and Visual Studio format for diagnostic messages" in Microsoft's documentation.
 */
export function readDotnet(output: string): VerifierReading {
  const reading = new Reading();
  const known = new Set<string>();
  let test: { readonly name: string; readonly lines: string[] } | undefined;
  const closeTest = () => {
    if (test !== undefined) reading.add(testFinding(test.name, test.lines));
    test = undefined;
  };
  for (const line of outputLines(output)) {
    const found = tryDiagnostic(line);
    const failed = tryFailedTest(line);
    if (found !== undefined) {
      closeTest();
      const key = JSON.stringify([found.path, found.line, found.column, found.code, found.message]);
      if (!known.has(key)) reading.add(found);
      known.add(key);
    } else if (failed !== undefined) {
      closeTest();
      test = { name: failed, lines: [] };
    } else if (line.trim() === "") {
      // A message may contain blank lines.
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
  // Origin and message are split first: one pattern for all of it is slow on long lines of other
  // output.
  const middle = / ?: (?:fatal |command line )?(error|warning)(?: ([A-Za-z](?=[\w-]*\d)[\w-]*))? ?: /.exec(line);
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
  // Many tools print `path: error: message`.
  if (span === undefined && code === undefined && project === undefined) return undefined;
  const numbers = span?.split(/[,-]/) ?? [];
  // The name of a tool may be in place of a path: `CSC : error CS5001`.
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

/** The test's name in a line `Failed name [3 ms]`; `undefined` for other lines. */
function tryFailedTest(line: string): string | undefined {
  const head = /^\s*(?:Failed|X) (?=\S)/.exec(line)?.[0];
  if (head === undefined || !line.endsWith("]")) return undefined;
  const time = line.indexOf(" [", Math.max(head.length, line.lastIndexOf("]", line.length - 2)));
  return time < 0 ? undefined : line.slice(head.length, time);
}

/** The place in a line `at method in path:line 3`; `undefined` for other lines. */
function tryFrame(line: string): FindingPlace | undefined {
  const end = /:line (\d+)$/.exec(line);
  const start = end === null ? -1 : line.lastIndexOf(" in ", end.index);
  if (end === null || start < 0 || !/^\s+at /.test(line)) return undefined;
  return { path: line.slice(start + " in ".length, end.index).replaceAll("\\", "/"), line: Number(end[1]) - 1 };
}

function testFinding(name: string, lines: readonly string[]): Finding {
  const places = lines.flatMap((line) => {
    const frame = tryFrame(line);
    return frame === undefined ? stackFrames(line) : [frame];
  });
  const end = lines.findIndex((line) => /^\s*Stack Trace:/.test(line));
  const message = lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim())
    .filter((line) => line !== "Error Message:");
  // The test itself is the outermost frame of the project's code.
  const own = places.at(-1);
  const found = finding({
    ...own,
    code: name.trimEnd(),
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
