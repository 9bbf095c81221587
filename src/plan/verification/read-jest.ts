import { isRecord } from "../../text/index.ts";
import { type Finding, type FindingPlace, finding, fromOne } from "./finding.ts";
import { recordsOf, textOf, tryJsonInOutput } from "./json-in-output.ts";
import { splitFrames, stackFrames } from "./stack-frames.ts";
import { outputLines, Reading, type VerifierReading, withoutControls } from "./verifier-reading.ts";

/**
 * Reads the output of Vitest and Jest: as JSON (`--reporter=json`, `--json`), and of their terminal
 * reporters. Findings count lines and columns from 0.
 *
 * The code of a finding is the test's full name. Its place is the stack frame in the test's file;
 * other frames are related places. A file that could not run has no code. `source` is the name of
 * the tool in the findings.
 */
export function readJest(output: string, source = "vitest"): VerifierReading {
  const json = tryJsonInOutput(output, isJestReport);
  return json === undefined ? readTerminal(output, source) : readReport(json, source);
}

/**
 * Whether a value is a report in the format of Jest, which Vitest uses too: an object with the list
 * `testResults`.
 */
export function isJestReport(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["testResults"]);
}

function readReport(json: NonNullable<ReturnType<typeof tryJsonInOutput>>, source: string): VerifierReading {
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
 * Reads the output of terminal reporters. Vitest prints ` FAIL  path > suite > test` and the
 * failure below it, up to a rule. Jest prints `FAIL path`, then `  ● suite › test` and the failure.
 * Both repeat a failure in a summary under the same name; it is one finding.
 */
function readTerminal(output: string, source: string): VerifierReading {
  const reading = new Reading();
  const failures = new Map<string, { path: string; name: string | undefined; lines: string[] }>();
  let file = "";
  let open: { lines: string[] } | undefined;
  const begin = (path: string, name: string | undefined) => {
    const key = JSON.stringify([path, name]);
    const known = failures.get(key);
    // The repetition in the summary is ignored.
    open = known === undefined ? { lines: [] } : { lines: [...known.lines] };
    if (known === undefined) failures.set(key, { path, name, lines: open.lines });
  };
  for (const line of outputLines(output)) {
    const fail = readFail(line);
    const bullet = /^ {2}● (.*)$/.exec(line);
    if (fail !== undefined) {
      file = fail.file;
      open = undefined;
      if (fail.test !== undefined || fail.hasProject) begin(file, fail.test);
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

/**
 * Parses `FAIL |project| FILE > TEST [ FILE ] (5 ms)`: a failed file, and its test where one is
 * named; `undefined` for other lines.
 */
function readFail(
  line: string,
): { readonly file: string; readonly test: string | undefined; readonly hasProject: boolean } | undefined {
  const [, rest] = /^\s?FAIL\s+(?:\|[^|]+\|\s+)?(?=\S)(.*)$/.exec(line) ?? [];
  if (rest === undefined) return undefined;
  const untimed = withoutTail(rest.trimEnd(), " (", ")", /^\d/);
  const bare = withoutTail(untimed, " [ ", " ]", /^/);
  const at = bare.indexOf(" > ");
  const hasProject = line.includes(" [ ") && line.trimEnd().endsWith(" ]");
  if (at <= 0) return { file: bare, test: undefined, hasProject };
  return { file: bare.slice(0, at), test: bare.slice(at + 3), hasProject };
}

/**
 * `text` without the bracketed part at its end, which starts at the first `open` that is followed
 * by `inside`.
 */
function withoutTail(text: string, open: string, close: string, inside: RegExp): string {
  if (!text.endsWith(close)) return text;
  for (let at = text.indexOf(open, 1); at >= 0; at = text.indexOf(open, at + 1))
    if (inside.test(text.slice(at + open.length, at + open.length + 1))) return text.slice(0, at);
  return text;
}

/** Whether a line belongs to a code frame: ` 12|  code`, `   |   ^`, `  > 12 | code`. */
function isFrameOfCode(line: string): boolean {
  return /^\s*(?:>\s*)?(?:\d+\s*)?\|/.test(line);
}
