import { expect, test } from "vitest";
import { withMarks, withoutMarks } from "./components/fixtures/component-uses.ts";
import { parseScriptTree } from "./node/parse-script-tree.ts";
import { scriptNames } from "./script-names.ts";

// A text with marks around all declarations and uses of one binding.
test.each([
  ["a function is in scope around itself", "⟨f⟩(); function ⟨f⟩(f) { return f; }"],
  ["a function expression is in scope in itself", "const a = function ⟨f⟩() { ⟨f⟩(); }; f();"],
  ["a `var` is in scope outside of its block", "{ var ⟨a⟩ = 1; let b; } ⟨a⟩; b;"],
  ["a `let` is in scope in its block", "{ let ⟨a⟩; ⟨a⟩; } a;"],
  ["a variable of a loop", "for (const ⟨a⟩ of b) { ⟨a⟩; } a;"],
  ["a destructured variable", "const { a: { ⟨b⟩ = 1 }, ...c } = a; ⟨b⟩; x.b;"],
  ["the type of a rest parameter", "type ⟨T⟩ = 1; function f(...a: Array<⟨T⟩>) {} const [...b]: ⟨T⟩[] = c;"],
  ["an inferred type in the true branch", "type T<A> = A extends (infer ⟨U⟩)[] ? ⟨U⟩ : U;"],
  ["a type parameter", "function f<⟨T⟩>(a: ⟨T⟩): ⟨T⟩ { return a as ⟨T⟩; } let b: T;"],
  ["a key of a mapped type", "type T = { [⟨K⟩ in A]: ⟨K⟩ }; let b: K;"],
  ["a name in shorthand", "const ⟨a⟩ = 1; f({ ⟨a⟩, b: ⟨a⟩, c: x.a }); ({ ⟨a⟩ } = b); export { ⟨a⟩ };"],
  ["an exception", "try { e; } catch (⟨e⟩) { ⟨e⟩; }"],
])("%s", (_, marked) => {
  const text = withoutMarks(marked);
  const table = scriptNames(parseScriptTree(text, { kind: "tsx", source: "module" })!);
  const { binding } = table.at(marked.indexOf("⟨")).find((use) => use.binding !== undefined)!;
  const uses = table.uses.filter((use) => use.binding === binding);
  expect(
    withMarks(
      text,
      uses.map(({ start }) => start),
    ),
  ).toBe(marked);
});

// The name that is resolved at `|`, and the start of its declaration, or -1.
test.each([
  ["function f(a) { | }", "a", 11],
  ["function f(a) {} |", "a", -1],
  ["let a; f((a) => |1);", "a", 10],
  ["let a; f((a) => 1 |);", "a", 4],
  ["type T<A> = A extends (infer U)[] ? |U : B;", "U", 29],
  ["type T<A> = A extends (infer U)[] ? U : |B;", "U", -1],
  ["| let a;", "a", 5],
])("at an offset of %j, %s is the name at %i", (marked, name, expected) => {
  const text = marked.replace("|", "");
  const table = scriptNames(parseScriptTree(text, { kind: "tsx", source: "module" })!);
  const binding = table.resolve(name, table.scopeAt(marked.indexOf("|")));
  const declared = table.uses.find((use) => use.role === "declares" && use.binding === binding);
  expect(binding === undefined ? -1 : declared!.start).toBe(expected);
});

test("a tree is read once", () => {
  const tree = parseScriptTree("let a;", { kind: "ts", source: "module" })!;
  expect(scriptNames(tree)).toBe(scriptNames(tree));
});
