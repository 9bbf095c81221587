import { describe, expect, test } from "vitest";
import { compileText } from "../fixtures/compile-text.ts";
import { openHole } from "./fill-session.ts";

/** What opening comes to with the hole at `‸`. */
function opened(grammar: string, text: string): string {
  const [before = "", behind = ""] = text.split("‸");
  return openHole(compileText(grammar), { before, behind }).kind;
}

describe("the first lexeme behind a hole is recognised in the modes of the states that reach it", () => {
  const apart = 'token Name = /[a-z]+/\ntrivia Space = / +/\nmode main\nmode other = Name\nS = "1" Name\n';
  const merged = `token Name = /[a-c]+/
token U = /u/
mode main
mode other = main - "xx" + U
S = "1" Q "x" "x" | "2" Q U | "3" "xx"
Q = Name "y" | "y" Name "y"
`;
  const behindVirtual = `token Name = /[a-c]+/
token U = /u/
require Glued = glued
mode main
mode other = main - "xx" + U
S = "1" Name (Glued "x" "x" | U) | "2" "xx"
`;
  const cases: readonly (readonly [title: string, grammar: string, text: string, kind: string])[] = [
    ["where there is none between", apart, "1‸a", "open"],
    ["not behind trivia of another mode", apart, "1‸ a", "dead-suffix"],
    ["but before such trivia", apart, "1a‸ ", "open"],
    ["which is not always that of the state which takes it", merged, "1ay‸xx", "open"],
    ["before a condition", behindVirtual, "1a‸xx", "open"],
    ["and before what the hole writes", merged, "1a‸xx", "open"],
  ];
  for (const [title, grammar, text, kind] of cases)
    test(`${title}: ${text}`, () => expect(opened(grammar, text)).toBe(kind));
});
