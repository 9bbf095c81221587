import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { readEdit } from "../../text/edit.laws.ts";
import { Edit, Lines } from "../../text/index.ts";
import { TextIndex } from "../engine/text-index.ts";
import { prettierFormatter } from "./code-formatter.ts";
import { LineLayout, mayNeedLayout } from "./line-layout.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** Lines of nearly 80 columns, so that the width is known. */
const front = `first(${"x".repeat(70)});\n`.repeat(4);
/** Nearly half of a line. */
const long = "argumentThatIsVeryLong".padEnd(34, "g");

/**
 * The text between `«` and `»` is replaced by the text after `|`: returns the text with the edit
 * unformatted, and formatted.
 */
async function layOut(marked: string, language = "typescript") {
  const [, head, old, fresh, back] = /^([\s\S]*)«([\s\S]*)\|([\s\S]*)»([\s\S]*)$/.exec(marked)!;
  const text = `${front}${head}${old}${back}\n`;
  const start = front.length + head!.length;
  const plain = Edit.replace({ start, end: start + old!.length }, fresh!);
  const layout = new LineLayout({ syntax, formatter: prettierFormatter(), files: new TextIndex() });
  const edit = await layout.laidOut({ path: "a.ts", language, text }, plain);
  const shown = (one: Edit) => one.apply(text).slice(front.length, -1);
  return { plain: shown(plain), laid: shown(edit), isAsItWas: edit === plain };
}

test.each<[name: string, marked: string, laid: string]>([
  [
    "arguments come on lines of their own",
    `call(first, ${long}, second«|, thirdArgument, fourthArgument»);`,
    `call(\n  first,\n  ${long},\n  second,\n  thirdArgument,\n  fourthArgument,\n);`,
  ],
  [
    "type arguments too",
    `class A {\n  b?: C<${long}, Second«|, ThirdArgument, FourthArgument»>;\n}`,
    `class A {\n  b?: C<\n    ${long},\n    Second,\n    ThirdArgument,\n    FourthArgument\n  >;\n}`,
  ],
  [
    "and imported names",
    `import { ${long}«|, second, third, fourth, fifth» } from "a";`,
    `import {\n  ${long},\n  second,\n  third,\n  fourth,\n  fifth,\n} from "a";`,
  ],
  [
    "a condition is broken where it is one",
    `if (a) {\n  b = ${long}«| && ${long}» && c;\n}`,
    `if (a) {\n  b =\n    ${long} &&\n    ${long} &&\n    c;\n}`,
  ],
  [
    "what fits on one line goes there",
    `call(\n  ${long},\n  second«,\n  thirdArgument,\n  ${long}|»\n);`,
    `call(${long}, second);`,
  ],
  [
    "a member of an interface",
    `interface A {\n  b(${long}: string«|, secondOne: number, third: C»): void;\n  d: E;\n}`,
    `interface A {\n  b(\n    ${long}: string,\n    secondOne: number,\n    third: C,\n  ): void;\n  d: E;\n}`,
  ],
])("formatting of an edit: %s", async (_, marked, laid) => expect((await layOut(marked)).laid).toBe(laid));

test.each<[name: string, marked: string, language?: string]>([
  ["what fits", "call(first«|, second»);"],
  ["what was on lines of its own though it would fit", "call(\n  first,\n  «second|other»,\n);"],
  ["code that is laid out otherwise", `call( first, ${long}, second«|, thirdArgument, fourthArgument» );`],
  ["a line that was too long before", `call(${long}, ${long}, second«|, third»);`],
  ["what cannot be read", `call(first, ${long}, second«|, ((, thirdArgument, fourth»);`],
  ["a comment", `// call ${long} first, then«| the second and the third and the fourth»`],
  ["a language that the formatter does not know", `call(first, ${long}, second«|, third, fourth»)`, "python"],
])("an edit is not formatted: %s", async (_, marked, language) => {
  expect((await layOut(marked, language)).isAsItWas).toBe(true);
});

test("formatted lines have the line ending of the text", async () => {
  const { laid } = await layOut(`a;\r\ncall(first, ${long}, second«|, thirdArgument, fourthArgument»);\r\nb;`);
  expect(laid.replaceAll("\r\n", "")).not.toContain("\n");
  expect(laid).toContain("  second,\r\n  thirdArgument,\r\n");
});

test("law: formatting changes only white space and the punctuation that a formatter chooses", async () => {
  const name = fc.stringMatching(/^[a-z]{3,30}$/).map((letters) => `n${letters}`);
  const names = fc.array(name, { minLength: 1, maxLength: 6 });
  const words = (text: string) => text.match(/\w+/g);
  await fc.assert(
    fc.asyncProperty(names, names, async (before, after) => {
      const { plain, laid } = await layOut(`if (a) {\n  call(«${before.join(", ")}|${after.join(", ")}»);\n}`);
      expect(words(laid)).toEqual(words(plain));
    }),
    { numRuns: 60 },
  );
});

const wide = "x".repeat(78);

test.each<[name: string, marked: string, may: boolean]>([
  ["a statement that fits", "call([a|bcd]);", false],
  ["one that becomes shorter", "call([abcd|b]);", false],
  ["one that becomes too long", `call(${wide}[|, a]);`, true],
  ["one that does with two replacements", `[a|bc]${wide}[a|bc]`, true],
  ["lines that come", "a;[|\nb;]", true],
  ["an argument on its own line that becomes shorter", "call(\n  [abcd|b],\n  c\n);", true],
  ["one that goes", "call(\n  a,\n[  b,\n|]  c\n);", true],
  ["a part of a chain", "a\n  .b()\n  .c([abcd|b]);", true],
  ["an imported name", "import {\n  [abcd|b],\n} from 'c';", true],
  ["a property", "a = {\n  b: [abcd|b],\n};", false],
  ["a statement in a block", "if (a) {\n  b([abcd|b]);\n}", false],
  ["a statement that goes", "if (a) {\n[  b();\n|]  c();\n}", false],
])("mayNeedLayout checks a replacement: %s", (_, marked, may) => {
  const { text, edit } = readEdit(marked);
  expect(mayNeedLayout(Lines.of(text), edit.edits)).toBe(may);
});
