import { expect, test } from "vitest";
import { openSyntax, readGrammar } from "./node/open-syntax.ts";
import { createSyntax } from "./syntax.ts";

const long = `int a;\n${"int b = 1;\n".repeat(40_000)}`;
const issue = { code: "unexpected", start: 0, end: 1, message: "Found apart." } as const;

const cases: readonly (readonly [what: string, language: string, text: string, isApart: boolean])[] = [
  ["of a long text", "c", long, true],
  ["of a short text", "c", "int a;\n", false],
  ["of a long text without a grammar", "plaintext", long, false],
];

test.each(cases)("errors %s are found apart: %s", async (_, language, text, isApart) => {
  using syntax = createSyntax({ readGrammar, errorsApart: async () => [issue] });
  expect(await syntax.syntaxErrors({ uri: "a", language, text })).toEqual(isApart ? [issue] : []);
});

test("errors of a long text are found here where its tree is known, and where no answer comes", async () => {
  using syntax = createSyntax({ readGrammar, errorsApart: async () => undefined });
  expect(await syntax.syntaxErrors({ uri: "a.c", language: "c", text: long })).toEqual([]);
  using known = createSyntax({ readGrammar, errorsApart: async () => [issue] });
  using tree = await known.parse({ language: "c", text: long });
  expect(await known.syntaxErrors({ uri: "a.c", language: "c", text: long }, { tree })).toEqual([]);
});

test.each([
  ["c", `${long}int c = ;\n`],
  ["c", `${long}${"int c = ;\n".repeat(3_000)}`],
  ["python", `${"a = 1\n".repeat(80_000)}def f():\na = 2\n`],
])("errors of a long text of %s are those that are found here", { timeout: 60_000 }, async (language, text) => {
  const document = { uri: `a.${language}`, language, text };
  using apart = openSyntax();
  using here = createSyntax({ readGrammar });
  const errors = await apart.syntaxErrors(document);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors).toEqual(await here.syntaxErrors(document));
  // Nothing was parsed in this process.
  expect(apart.tryParse(document)).toBeUndefined();
});
