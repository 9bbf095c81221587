import { expect, test } from "vitest";
import { Edit, Lines } from "../text/index.ts";
import { type LineHabits, laidOut, lineHabitsOf } from "./line-layout.ts";

const habits: LineHabits = { width: 80, indent: "  ", trailingComma: { ")": true, "]": true, "}": true } };

/** What stands between `«` and `»` becomes what follows behind `|`; the result is the text of the lines that change, or why they stay. */
function lay(marked: string, own: Partial<LineHabits> = {}): string {
  const [, front, old, fresh, back] = /^([\s\S]*)«([\s\S]*)\|([\s\S]*)»([\s\S]*)$/.exec(marked)!;
  const text = `a;\n${front}${old}${back}\nz;\n`;
  const start = front!.length + 3;
  const edit = Edit.replace({ start, end: start + old!.length }, fresh!);
  const { edit: laid, fit } = laidOut(text, Lines.of(text), edit, () => ({ ...habits, ...own }));
  return fit === "laid-out" ? laid.apply(text).slice(3, -4) : fit;
}

/** More than half of a line. */
const long = "argumentThatIsVeryLong".repeat(2);

test.each([
  ["what fits stays as it is", "call(first, second«|, third»);", "fits"],
  [
    "arguments come on lines of their own",
    `  call(first, ${long}«|, thirdArgument, fourth»);`,
    `  call(\n    first,\n    ${long},\n    thirdArgument,\n    fourth,\n  );`,
  ],
  [
    "so do parameters, types and all",
    `read(name: Map<string, ${long}>«|, at?: number»): Text {`,
    `read(\n  name: Map<string, ${long}>,\n  at?: number,\n): Text {`,
  ],
  [
    "and imported names",
    `import { ${long}«|, third» } from "./very/long/path";`,
    `import {\n  ${long},\n  third,\n} from "./very/long/path";`,
  ],
  [
    "an object in the end is broken itself",
    `call(first, { second: ${long}«|, third: 3, other» });`,
    `call(first, {\n  second: ${long},\n  third: 3,\n  other,\n});`,
  ],
  ["a chain is broken elsewhere", `one(${long}).two(second).three(third«|, fourth»);`, "too-long"],
  ["and so is a function in brackets", `call(${long}, (second) => run(second«|, third»));`, "too-long"],
  ["a comment is broken by nobody", `// call ${long} first, then«| the second and the third»`, "too-long"],
  [
    "what is no longer too long goes on one line",
    `call(\n  ${long},\n  second,\n«  thirdArgument, fourthArgument,\n|»);`,
    `call(${long}, second);`,
  ],
  ["also where only a word is shorter", `call(\n  ${long},\n  «${long}|second»,\n);`, `call(${long}, second);`],
  ["what was on lines of its own though it would fit stays", "call(\n  first,\n  «second|other»,\n);", "fits"],
  ["an object stays on its lines", `call({\n  ${long},\n  second,\n«  thirdProperty, fourth,\n|»});`, "fits"],
])("%s", (_, marked, result) => expect(lay(marked)).toBe(result));

test("lines end as those of the text do", () => {
  const text = `call(${long}, second);\r\n`;
  const edit = Edit.insert(text.indexOf(")"), ", thirdArgument, fourthArgument");
  const { edit: laid } = laidOut(text, Lines.of(text), edit, () => habits);
  expect(laid.apply(text)).toBe(`call(\r\n  ${long},\r\n  second,\r\n  thirdArgument,\r\n  fourthArgument,\r\n);\r\n`);
});

test("no comma stands behind the last where the text has none", () => {
  const own = { trailingComma: { ")": false } };
  expect(lay(`call(first, ${long}«|, thirdArgument, fourth»);`, own)).toBe(
    `call(\n  first,\n  ${long},\n  thirdArgument,\n  fourth\n);`,
  );
});

test("habits are what most lines do", () => {
  const text = `call(\n\tfirst,\n\tsecond\n);\nconst list = [\n\tone,\n\ttwo,\n];\nlet ${long} = ${"1".repeat(25)};\n`;
  expect(lineHabitsOf(text)).toEqual({
    ...{ width: 80, indent: "\t" },
    trailingComma: { ")": false, "]": true, "}": true },
  });
});

test("where no line comes near a width, nobody knows it", () => {
  expect(lineHabitsOf("let a;\nlet b;\n").width).toBe(Number.POSITIVE_INFINITY);
});
