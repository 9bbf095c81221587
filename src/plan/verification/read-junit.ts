import { finding, fromOne } from "./finding.ts";
import { splitFrames, stackFrames } from "./stack-frames.ts";
import { Reading, type VerifierReading, withoutControls } from "./verifier-reading.ts";

type Attributes = Readonly<Record<string, string>>;

/**
 * Reads a test report in JUnit's XML, as pytest, Surefire, Jest and most others write it: a
 * `testcase` that contains a `failure` or an `error`. The code of a finding is `classname` and
 * `name`; its file is the attribute `file` or the first frame of the stack. Findings count lines
 * and columns from 0.
 *
 * Source: the schema of the Jenkins project, which the tools follow loosely.
 */
export function readJunit(output: string): VerifierReading {
  const reading = new Reading();
  const start = output.search(/<\?xml|<testsuites?\b/);
  for (const line of withoutControls(start < 0 ? output : output.slice(0, start)).split(/\r?\n/)) reading.leave(line);
  if (start < 0) return reading.end();
  const text = output.slice(start);
  const tags =
    /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[(?<data>[\s\S]*?)(?:\]\]>|$)|<(?<close>\/?)(?<name>[\w:.-]+)(?![\w:.-])(?<attributes>(?:"[^"]*"|'[^']*'|[^<>"'])*)>/g;
  let suite: Attributes = {};
  let test: Attributes = {};
  let failure: { readonly attributes: Attributes; text: string } | undefined;
  let passed = 0;
  let depth = 0;
  for (const match of text.matchAll(tags)) {
    if (failure !== undefined) failure.text += withoutEntities(text.slice(passed, match.index));
    passed = match.index + match[0].length;
    const { data, close, name, attributes = "" } = match.groups!;
    if (data !== undefined && failure !== undefined) failure.text += data;
    if (name === undefined) continue;
    const isEmpty = attributes.trimEnd().endsWith("/");
    if (close !== "") depth -= 1;
    else if (!isEmpty) depth += 1;
    if (close === "" && name === "testsuite") suite = readAttributes(attributes);
    if (close === "" && name === "testcase") test = readAttributes(attributes);
    if (name !== "failure" && name !== "error") continue;
    if (close === "") failure = { attributes: readAttributes(attributes), text: "" };
    if ((close !== "" || isEmpty) && failure !== undefined) {
      reading.add(toFinding(test, suite, failure));
      failure = undefined;
    }
  }
  reading.isCut = depth > 0;
  return reading.end();
}

function toFinding(test: Attributes, suite: Attributes, failure: { attributes: Attributes; text: string }) {
  const text = withoutControls(failure.text);
  const frames = stackFrames(text);
  const named = test["file"] ?? suite["file"];
  const { own, others } =
    named === undefined ? { own: frames[0], others: frames.slice(1) } : splitFrames(frames, named);
  const names = [test["classname"], test["name"]].filter((name) => name !== undefined && name !== "");
  return finding({
    path: named ?? own?.path,
    line: own?.line ?? fromOne(test["line"]),
    column: own?.column,
    code: names.join(" "),
    severity: "error",
    message: failure.attributes["message"] || text.trim() || "It failed.",
    source: "junit",
    related: others,
  });
}

function readAttributes(text: string): Attributes {
  const attributes: Record<string, string> = {};
  for (const [, name, double, single] of text.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    attributes[name!] = withoutEntities(double ?? single ?? "");
  }
  return attributes;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function withoutEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
