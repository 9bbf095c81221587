import { expect, test } from "vitest";
import { printFinding } from "./finding.ts";
import { readJunit } from "./read-junit.ts";

/** The findings of a report, one a line; `…` at the end where the reading is cut. */
function read(report: string): string[] {
  const { findings, isCut } = readJunit(report);
  return [...findings.map(printFinding), ...(isCut ? ["…"] : [])];
}

const failed = (name: string, message = "no") => `<testcase name="${name}"><failure message="${message}"/></testcase>`;

test.each<readonly [what: string, report: string, expected: readonly string[]]>([
  [
    "a test behind a nested suite",
    `<testsuite file="a.js"><testsuite file="b.js">${failed("t")}</testsuite>${failed("u")}</testsuite>`,
    ["b.js error t (junit) no", "a.js error u (junit) no"],
  ],
  [
    "a nested suite without a file",
    `<testsuites><testsuite file="a.js"><testsuite name="inner">${failed("t")}</testsuite></testsuite></testsuites>`,
    ["a.js error t (junit) no"],
  ],
  [
    "a failure of a suite behind a test",
    `<testsuite file="a.js"><testcase name="t" file="b.js"/><error message="no setup"/></testsuite>`,
    ["a.js error (junit) no setup"],
  ],
  [
    "a failure that is cut in its text",
    `<testsuite><testcase name="t"><failure>Error: no\n    at f (a.js:2:3)\n    at g (b.`,
    ["a.js:2:3 error t (junit) Error: no at f (a.js:2:3) at g (b.", "…"],
  ],
  [
    "a failure that is cut in a section of characters",
    `<testsuite><testcase name="t"><failure message="no"><![CDATA[at f (a.js:2:3)`,
    ["a.js:2:3 error t (junit) no", "…"],
  ],
  [
    "a failure that is cut in its closing tag",
    `<testsuite><testcase name="t"><failure message="no">x</fail`,
    ["error t (junit) no", "…"],
  ],
  [
    "a test that is cut in its attributes",
    `<testsuite>${failed("t")}<testcase name="u"><failure mess`,
    ["error t (junit) no", "…"],
  ],
  [
    "a failure without its end",
    `<testsuite><testcase name="t"><failure message="no">x</testcase>${failed("u")}</testsuite>`,
    ["error t (junit) no", "error u (junit) no"],
  ],
  [
    "signs that are not escaped",
    `<testsuite><testcase name="t"><failure message="1 > 2 & a">x && y < z</failure></testcase>${failed("u")}</testsuite>`,
    ["error t (junit) 1 > 2 & a", "error u (junit) no"],
  ],
  [
    "a report in the output of a test",
    `<testsuite><testcase name="t"><system-out><![CDATA[<failure message="x"/>]]></system-out></testcase>
     <!-- ${failed("u")} --><testcase name="v"><system-err>&lt;failure/&gt;</system-err></testcase></testsuite>`,
    [],
  ],
  [
    "two reports, one after the other",
    `<?xml version="1.0"?><testsuite file="a.js">${failed("t")}</testsuite>\n> next\n<?xml version="1.0"?><testsuite>${failed("u")}</testsuite>`,
    ["a.js error t (junit) no", "error u (junit) no"],
  ],
  [
    "several failures of a test, and an attempt that was repeated",
    `<testsuite><testcase name="t"><flakyFailure message="x"/><failure message="1"/><error message="2"/></testcase></testsuite>`,
    ["error t (junit) 1", "error t (junit) 2"],
  ],
  [
    "attributes in single quotes, over several lines, and twice",
    `<testsuite>\n<testcase\n  name='"t"'\n  classname = 'C'>\n<failure\nmessage='it&apos;s'\n/></testcase></testsuite>`,
    [`error C "t" (junit) it's`],
  ],
  [
    "elements that nest too deeply",
    `<testsuite>${failed("t")}${"<a>".repeat(1_100)}${failed("u")}`,
    ["error t (junit) no", "…"],
  ],
])("reads %s", (_, report, expected) => expect(read(report)).toEqual(expected));
