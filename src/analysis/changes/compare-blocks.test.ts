import { describe, expect, test } from "vitest";
import { languageOf } from "../../languages/index.ts";
import { codeTokens } from "./code-tokens.ts";
import { callsWithOtherArguments, differsInArgumentsOnly } from "./compare-blocks.ts";

function tokens(path: string, text: string) {
  return codeTokens(text, languageOf(path)).filter(({ isIdle }) => !isIdle);
}

/** The functions called with other arguments, and whether only arguments changed. */
const cases: readonly (readonly [
  path: string,
  before: string,
  after: string,
  calls: string,
  isInArguments: boolean,
])[] = [
  ["a.py", "f(a)", "f(a, b)", "f", true],
  ["a.py", "f(a, b)", "f(a)", "f", true],
  ["a.py", "f()", "f(b)", "f", true],
  ["a.py", "f(a, k=b)", "f(a, k=c)", "f", true],
  ["a.py", "return f(a)", "return f(a) + 1", "", false],
  // A change in a nested call or object does not count.
  ["a.py", "f(g(a))", "f(g(a, b))", "g", true],
  ["a.py", 'f({"k": a})', 'f({"k": a, "l": b})', "", true],
  // A new call is the purpose of the change.
  ["a.py", "f(a)", "g(a)", "", false],
  // A local with a changed initializer is a changed argument; one from the same function is not.
  ["a.py", "x = old(a)\nf(x)", "x = new(a)\nf(x)", "f", false],
  ["a.py", "x = make(a)\nf(x)", "x = make(a, b)\nf(x)", "make", true],
  ["a.py", "x = 1\nf(k=x)", "x = 2\nf(k=x)", "f", false],
  ["a.py", "x = 1\nf(x=y)", "x = 2\nf(x=y)", "", false],
  ["a.cs", "{ var x = A.Old(y); F<int>(x); }", "{ var x = B.New(y); F<int>(x); }", "F", false],
  ["a.cs", "{ return new T(new U()); }", "{ return new T(new U(x)); }", "U", true],
  ["a.ts", "{ if (f(a)) return; }", "{ if (f(b)) return; }", "f", true],
];

describe("arguments that a change passes", () => {
  test.each(cases)("%s: %j to %j", (path, before, after, calls, isInArguments) => {
    const [old, now] = [tokens(path, before), tokens(path, after)];
    expect(callsWithOtherArguments(old, now).join(" ")).toBe(calls);
    expect(differsInArgumentsOnly(old, now)).toBe(isInArguments);
  });
});
