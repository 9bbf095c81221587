import { type Finding, type FindingPlace, finding, fromOne } from "./finding.ts";
import { isRecord, recordsOf, textOf, tryJsonInOutput } from "./json-in-output.ts";
import { type OracleReading, Reading } from "./oracle-reading.ts";
import { outputLines, withoutControls } from "./output-lines.ts";
import { splitFrames, stackFrames } from "./stack-frames.ts";

/**
 * Reads what Vitest and Jest say: with `--reporter=json` or `--json`, and with the reporters that they have for terminals.
 *
 * The code of a finding is the full name of the test. Its place is in the test's file, where the stack names it; other frames
 * are related places. A file that could not be run at all has no code.
 */
export function readJest(output: string, source = "vitest"): OracleReading {
  const json = tryJsonInOutput(output, isJestReport);
  return json === undefined ? readTerminal(output, source) : readReport(json, source);
}

/** Whether a value is the report of a run, as Jest writes it and Vitest after it. */
export function isJestReport(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["testResults"]);
}

function readReport(json: NonNullable<ReturnType<typeof tryJsonInOutput>>, source: string): OracleReading {
  const reading = new Reading();
  reading.isCut = json.isCut;
  for (const line of outputLines(`${json.before}\n${json.after}`)) reading.leave(line);
  const report = isRecord(json.value) ? json.value : {};
  for (const file of recordsOf(report["testResults"])) {
    const path = textOf(file["name"]) ?? textOf(file["testFilePath"]) ?? "";
    const tests = recordsOf(file["assertionResults"]);
    const failed = tests.filter((test) => test["status"] === "failed");
    for (const test of failed) {
      const messages = Array.isArray(test["failureMessages"]) ? test["failureMessages"] : [];
      const text = withoutControls(messages.filter((message) => typeof message === "string").join("\n"));
      const location = isRecord(test["location"]) ? test["location"] : {};
      const fallback = { line: fromOne(location["line"]), column: fromOne(location["column"]) };
      reading.add(failure({ path, name: nameOfTest(test), text, source, fallback }));
    }
    if (failed.length === 0 && file["status"] === "failed") {
      reading.add(failure({ path, name: undefined, text: withoutControls(textOf(file["message"]) ?? ""), source }));
    }
  }
  if (report["success"] === false && !reading.hasFindings && !json.isCut) {
    reading.add(finding({ severity: "error", message: "The run failed, though no test did.", source }));
  }
  return reading.end();
}

function nameOfTest(test: Readonly<Record<string, unknown>>): string | undefined {
  return textOf(test["fullName"])?.trim() ?? textOf(test["title"]);
}

function failure(parts: {
  readonly path: string;
  readonly name: string | undefined;
  readonly text: string;
  readonly source: string;
  readonly fallback?: { readonly line: number | undefined; readonly column: number | undefined };
}): Finding {
  const { path, name, text, source, fallback } = parts;
  const { own, others } = splitFrames(stackFrames(text), path);
  const message = text
    .split("\n")
    .filter((line) => !/^\s*(at |❯ |● )/.test(line) && !isFrameOfCode(line))
    .join("\n")
    .trim();
  const place = own ?? fallback;
  return finding({
    path,
    line: place?.line,
    column: place?.column,
    code: name,
    severity: "error",
    message: message === "" ? "It failed." : message,
    source,
    related: uniquePlaces(others),
  });
}

function uniquePlaces(places: readonly FindingPlace[]): readonly FindingPlace[] {
  return [...new Map(places.map((place) => [`${place.path}:${place.line}:${place.column}`, place])).values()];
}

/**
 * Vitest: ` FAIL  path > suite > test` with what happened below it, up to a rule. Jest: `FAIL path`, then `  ● suite › test`
 * with what happened. Both tell a failure once more in a summary, by the same name; it is one finding.
 */
function readTerminal(output: string, source: string): OracleReading {
  const reading = new Reading();
  const failures = new Map<string, { path: string; name: string | undefined; lines: string[] }>();
  let file = "";
  let open: { lines: string[] } | undefined;
  const begin = (path: string, name: string | undefined) => {
    const key = JSON.stringify([path, name]);
    const known = failures.get(key);
    // What is told a second time is not needed.
    open = known === undefined ? { lines: [] } : { lines: [...known.lines] };
    if (known === undefined) failures.set(key, { path, name, lines: open.lines });
  };
  for (const line of outputLines(output)) {
    const fail = /^\s?FAIL\s+(?:\|[^|]+\|\s+)?(\S.*?)(?: > (.*?))?(?: \[ .* \])?(?: \(\d.*\))?\s*$/.exec(line);
    const bullet = /^ {2}● (.*)$/.exec(line);
    if (fail !== null) {
      file = fail[1]!;
      open = undefined;
      if (fail[2] !== undefined || / \[ .* \]\s*$/.test(line)) begin(file, fail[2]);
    } else if (bullet !== null && file !== "") {
      const isSuite = bullet[1] === "Test suite failed to run";
      begin(file, isSuite ? undefined : bullet[1]!.replaceAll(" › ", " "));
    } else if (
      /^⎯{3,}|^\s*(PASS|Tests?|Test Files|Test Suites|Snapshots|Start at|Duration|Time|Errors)\b[: ]/.test(line)
    ) {
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (!/^\s*(RUN |✓|✗|×|↓|❯ \S|→|· |Ran all test suites)/.test(line)) reading.leave(line);
  }
  for (const { path, name, lines } of failures.values()) {
    reading.add(failure({ path, name: name?.replaceAll(" > ", " "), text: lines.join("\n"), source }));
  }
  return reading.end();
}

/** Lines of a code frame: ` 12|  code`, `   |   ^`, `  > 12 | code`. */
function isFrameOfCode(line: string): boolean {
  return /^\s*(>\s*)?\d*\s*\|/.test(line);
}
