import { expect, test } from "vitest";
import type { Syntax, SyntaxTree } from "../../syntax/index.ts";
import { describeUncheckedSyntax, errorsWith } from "./errors-with.ts";

/** A syntax whose trees are these; `undefined` for a text that takes too long. */
function scriptedSyntax(tree: { readonly hasError: boolean } | undefined, reparsed?: object): Syntax {
  const dispose = { [Symbol.dispose]: () => undefined };
  return {
    parse: async () => tree && ({ ...tree, ...dispose } as unknown as SyntaxTree),
    reparse: async () => reparsed && { ...reparsed, ...dispose },
    syntaxErrors: async () => [],
  } as unknown as Syntax;
}

const tooSlow = "its syntax is not checked: the text takes too long to parse";

test.each([
  ["a text that takes too long", scriptedSyntax(undefined), "python", 10, tooSlow],
  ["a text that takes too long once something is inserted", scriptedSyntax({ hasError: false }), "python", 10, tooSlow],
  [
    "a long text with errors",
    scriptedSyntax({ hasError: true }, {}),
    "python",
    200_001,
    "its syntax is not checked: the text has errors and 200,001 characters, more than 200,000",
  ],
  ["a short text with errors", scriptedSyntax({ hasError: true }, {}), "python", 10, undefined],
  ["a long text without errors", scriptedSyntax({ hasError: false }, {}), "python", 200_001, undefined],
  ["a language without a parser", scriptedSyntax(undefined), "plaintext", 10, undefined],
  ["a script, whose parser reports what it cannot read", scriptedSyntax(undefined), "typescript", 10, undefined],
])(
  "row 14: errorsWith gives the reason why the syntax of %s is not checked",
  async (_, syntax, language, length, reason) => {
    const errors = await errorsWith(syntax, { path: "a", language, prefix: "a".repeat(length), suffix: "" });
    expect(await errors("b")).toEqual([]);
    expect(errors.unchecked && describeUncheckedSyntax(errors.unchecked)).toBe(reason);
  },
);
