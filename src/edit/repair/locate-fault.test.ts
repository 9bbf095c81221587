import { afterAll, expect, test } from "vitest";
import { fileLines } from "../../formats/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { locateFault } from "./added-issues.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

interface Case {
  readonly name: string;
  readonly language: string;
  readonly before?: string;
  /**
   * The text after the change. The text after `<` is the expectation for a line: suspected, or the
   * opener; lines after `+` were edited.
   */
  readonly after: string;
}

const cases: readonly Case[] = [
  {
    name: "a lost closer",
    language: "typescript",
    after: `
function one(a: number) {
  if (a > 1) {               <opener
    return a;                <suspect

  return 1;
}

function two() {
  return 2;
}`,
  },
  {
    name: "a lost closer at the end",
    language: "typescript",
    after: `
function one(a: number) {    <opener
  return 1;                  <suspect`,
  },
  {
    name: "a lost closer of a call",
    language: "typescript",
    after: `
describe("one", () => {
  test("two", () => {        <opener
    run();                   <suspect
  test("three", () => {
    run();
  });
});`,
  },
  {
    name: "a doubled closer",
    language: "typescript",
    after: `
function one(a: number) {
  if (a > 1) {
    return a;
  }
  }                          <suspect
  return 1;
}`,
  },
  {
    name: "a lost opener",
    language: "typescript",
    after: `
function one(a: number) {
  if (a > 1)                 <suspect
    return a;
  }
  return 1;
}`,
  },
  {
    name: "another closer than the opener wants",
    language: "typescript",
    after: `
run(() => {
  call(one, [                <opener
    two,                     <suspect
  );
});`,
  },
  {
    name: "conditions over several lines are no slip",
    language: "typescript",
    after: `
if (
  one &&
    two) {
  run();
}
const a = {
  b: 1,
  c: (                       <opener
    2                        <suspect
};`,
  },
  {
    name: "labels that are not indented are a habit",
    language: "go",
    before: `
package one

func two(a int) {
	switch a {
	case 1:
		run()
	}
}`,
    after: `
package one

func two(a int) {
	switch a {
	case 1:
		if a > 1 {             <opener
			run()                <suspect
	}
}`,
  },
  {
    name: "brackets in strings are none",
    language: "typescript",
    after: `
const text = \`
 { (
\`;
function one() {             <opener
  return text;               <suspect

function two() {
  return "}";
}`,
  },
  {
    name: "where only the parser knows",
    language: "typescript",
    after: `
const one = 1;
const two = = 2;             <suspect
const three = 3;`,
  },
  {
    name: "of two slips the one that was edited",
    language: "typescript",
    before: `
function one() {
  return (1;
}
function two() {
  return 2;
}`,
    after: `
function one() {
  return (1;
}
function two() {             <opener
  return 3;                + <suspect`,
  },
  {
    name: "Python: a block without a head",
    language: "python",
    after: `
def one(a):
    total = 1              +
        total += 1           <suspect
    return total
x = = 1`,
  },
];

for (const { name, language, before = "", after } of cases) {
  test(`locateFault finds the fault: ${name}`, async () => {
    const rows = fileLines(`${after.slice(1)}\n`);
    const lines = rows.map((row) => row.replace(/\s*\+?\s*(<\w+)?$/, ""));
    const text = `${lines.join("\n")}\n`;
    const [issue] = await syntax.syntaxErrors({ uri: language === "typescript" ? "a.ts" : "a", language, text });
    const edited = rows.flatMap((row, start) => (/\+\s*(<\w+)?$/.test(row) ? [{ start, end: start + 1 }] : []));
    const fault = locateFault({
      before: before.slice(1),
      after: text,
      edited,
      issue: issue ?? { code: "unexpected", start: text.length, end: text.length, message: "" },
      language,
    });
    const marked = (mark: string) => rows.findIndex((row) => row.endsWith(`<${mark}`));
    expect(fault.line).toBe(marked("suspect"));
    expect(fault.opener ?? -1).toBe(marked("opener"));
  });
}
