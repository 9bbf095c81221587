import { Parser } from "htmlparser2";
import { type Finding, finding, fromOne } from "./finding.ts";
import { splitFrames, stackFrames } from "./stack-frames.ts";
import { Reading, type VerifierReading, withoutControls } from "./verifier-reading.ts";

type Attributes = Readonly<Record<string, string>>;

/**
 * Elements nest at most so deep in a report that is read to its end; the parser takes time in
 * proportion to the depth for each of them.
 */
const maxDepth = 1000;

/**
 * Reads a test report in JUnit's XML, as pytest, Surefire, Jest and most others write it: a
 * `testcase` that contains a `failure` or an `error`. The code of a finding is `classname` and
 * `name`; its file is the attribute `file` of the test or of the nearest suite around it that has
 * one, or the first frame of the stack. Findings count lines and columns from 0.
 *
 * A report may end anywhere: what was written of a failure is read, and the reading is marked as
 * cut. It is also cut where elements nest deeper than 1,000 levels.
 *
 * Source: the schema of the Jenkins project, which the tools follow loosely.
 */
export function readJunit(output: string): VerifierReading {
  const reading = new Reading();
  const start = output.search(/<\?xml|<testsuites?\b/);
  for (const line of withoutControls(start < 0 ? output : output.slice(0, start)).split(/\r?\n/)) reading.leave(line);
  if (start < 0) return reading.end();
  const suites: Attributes[] = [];
  let test: Attributes = {};
  let failure: Failure | undefined;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) parser.pause();
        if (name === "testsuite") suites.push(attributes);
        else if (name === "testcase") test = attributes;
        else if (isFailure(name)) {
          const suiteFile = suites.findLast(({ file }) => file !== undefined)?.["file"];
          failure ??= { test, suiteFile, attributes, text: "" };
        }
      },
      ontext(text) {
        if (failure !== undefined) failure.text += text;
      },
      onclosetag(name) {
        depth -= 1;
        if (name === "testsuite") suites.pop();
        else if (name === "testcase") test = {};
        else if (isFailure(name) && failure !== undefined) {
          reading.add(toFinding(failure));
          failure = undefined;
        }
      },
    },
    { xmlMode: true },
  );
  parser.write(output.slice(start));
  reading.isCut = depth > 0;
  // The end closes all open elements, unless the parser is paused.
  parser.end();
  return reading.end();
}

function isFailure(name: string): boolean {
  return name === "failure" || name === "error";
}

/** A failed test: the attributes of its `testcase` and of its `failure` or `error`. */
interface Failure {
  readonly test: Attributes;
  /** The `file` of the nearest suite around the test that has one. */
  readonly suiteFile: string | undefined;
  readonly attributes: Attributes;
  text: string;
}

function toFinding({ test, suiteFile, attributes, text: written }: Failure): Finding {
  const text = withoutControls(written);
  const frames = stackFrames(text);
  const named = test["file"] ?? suiteFile;
  const { own, others } =
    named === undefined ? { own: frames[0], others: frames.slice(1) } : splitFrames(frames, named);
  const names = [test["classname"], test["name"]].filter((name) => name !== undefined && name !== "");
  return finding({
    path: named ?? own?.path,
    line: own?.line ?? fromOne(test["line"]),
    column: own?.column,
    code: names.join(" "),
    severity: "error",
    message: attributes["message"] || text.trim() || "It failed.",
    source: "junit",
    related: others,
  });
}
