import { afterAll, expect, test } from "vitest";
import { type AtomicChange, BlockReader, classifyChanges, workLikelihood } from "../../../analysis/index.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { brokenLikelihood, likelihoodWithoutDiagnostic } from "./likelihood-without-diagnostic.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** The first change between two texts of a script. */
function changeOf(before: string, after: string): AtomicChange {
  const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
  const stateOf = (text: string) => ({ text, blocks: reader.tryBlocks("a.ts", text)! });
  return classifyChanges([{ path: "a.ts", before: stateOf(before), after: stateOf(after) }])[0]!;
}

type Relation = Parameters<typeof likelihoodWithoutDiagnostic>[0]["reach"]["relation"];

/**
 * A declaration before and after, the relation, the text of the block, whether it is work, and the
 * crowd.
 */
type Case = readonly [before: string, after: string, relation: Relation, text: string, isWork: boolean, crowd?: number];

const f = "function f(a: A) {}";
const cases: readonly Case[] = [
  [f, "function f(a: A, b?: B) {}", "called-by", "function g(b: B) { f(b.a); }", true],
  [f, "function f(a: A, b?: B) {}", "called-by", "function g() { f(x); }", false],
  [f, "function f(a: A, b?: B) {}", "called-by", "function g(b: B) { f(b.a); }", false, 8],
  [f, "function f(a: A | string) {}", "called-by", "function g(a: A) { f(a); }", true, 2],
  [f, "function f(a: A): void {}", "called-by", "function g(a: A) { f(a); }", false],
  [f, "async function f(a: A) {}", "called-by", "function g() { f(x); }", true, 8],
  [f, "function f(a: A): Promise<void> {}", "called-by", "function g() { if (x) { f(x); } }", true],
  [f, "async function f(a: A) {}", "called-by", "async function g() { await f(x); }", false],
  [f, "async function f(a: A) {}", "called-by", "function g() { return f(x); }", false],
  [f, "async function f(a: A) {}", "called-by", "const g = () => f(x);", false],
  [f, "async function f(a: A) {}", "called-by", "function g() { void f(x); f2(x); }", false],
  ["function f() { return new K(1); }", "function f() { return new K(2); }", "instantiates", "constructor(a) {}", true],
  ["function f() { return k(1); }", "function f() { return k(2); }", "calls", "function k(a) {}", false],
  ["function f() { return 1; }", "function f() { return 2; }", "called-by", "function g() { f(); }", false],
  ["interface T { a?: 1 }", "interface T { a?: 2 }", "type-used-by", "function g(t: T) { t.a; }", true],
  ["interface T { a?: 1 }", "interface T { a?: 1; b?: 2 }", "type-used-by", "function g(t: T) { t.a; }", false],
  ["function f(a) {}", "", "called-by", "function g(a) { f(a); }", false],
];

const g = "function f(a) {}";
const scripts: readonly Case[] = [
  [g, "function f(a, b) {}", "called-by", "f(1)", true],
  [g, "function f(b, a) {}", "called-by", "f(1)", true, 8],
  [g, "function f() {}", "called-by", "f(1)", true],
  [g, "function f(a, b = 1) {}", "called-by", "f(1)", false, 2],
  [g, "function f(a, ...b) {}", "called-by", "f(1)", false, 2],
  [g, "function f(b) {}", "called-by", "f(1)", false, 2],
];

test.each(scripts.map((one) => [one] as const))(
  "a JavaScript block without a diagnostic is work or not: %s",
  ([before, after, relation, text, isWork, crowd = 1]) => {
    const reach = { change: changeOf(before, after), relation, crowd };
    const likelihood = likelihoodWithoutDiagnostic({
      reach,
      text,
      signs: [],
      block: { kind: "function", path: "a.js" },
    });
    expect(likelihood >= workLikelihood).toBe(isWork);
  },
);

test.each(cases.map((one) => [one] as const))(
  "a block without a diagnostic is work or not: %s",
  ([before, after, relation, text, isWork, crowd = 1]) => {
    const reach = { change: changeOf(before, after), relation, crowd };
    const likelihood = likelihoodWithoutDiagnostic({
      reach,
      text,
      signs: [],
      block: { kind: "function", path: "a.ts" },
    });
    expect(likelihood >= workLikelihood).toBe(isWork);
    expect(likelihood).toBeLessThan(brokenLikelihood);
  },
);

test("a test is less likely to change than other code", () => {
  const reach = { change: changeOf(f, "function f(a: A | B) {}"), relation: "called-by", crowd: 1 } as const;
  const of = (kind: "function" | "test") =>
    likelihoodWithoutDiagnostic({ reach, text: "f(a)", signs: [], block: { kind, path: "a.ts" } });
  expect(of("test")).toBeLessThan(of("function"));
});
