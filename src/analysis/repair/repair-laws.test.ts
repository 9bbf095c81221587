import fc from "fast-check";
import { expect, test } from "vitest";
import { modulePath } from "../../names/modules/specifier.ts";
import { nodesAround, type ScriptNode } from "../../names/script-node.ts";
import { Edit } from "../../text/edit.ts";
import { resolvedPath } from "../../workspace/workspace-path.ts";
import { treeOf } from "../fixtures/repair-notation.ts";
import { type CallChange, type Parameter, parametersOf } from "./facts/call-changes.ts";
import { rewrittenArguments } from "./rules/call-repair.ts";
import { pathFrom } from "./script/module-paths.ts";
import { propertiesOf, withoutProperty, withProperties } from "./script/property-list.ts";

const folder = fc
  .array(fc.constantFrom("a", "b", "c.d"), { maxLength: 3 })
  .map((names) => names.map((name) => `${name}/`).join(""));
const file = fc
  .tuple(folder, fc.constantFrom("ring.ts", "loop.tsx", "index.ts", "arc.mts"))
  .map(([path, name]) => path + name);

test("pathFrom returns a specifier that resolves to the file, for each extension style of the imports", () => {
  fc.assert(
    fc.property(file, file, fc.constantFrom("./x", "./x.js", "./x.ts", "./x/index"), (path, target, like) => {
      fc.pre(path !== target);
      const found = resolvedPath(path, pathFrom(path, target, [], like));
      expect(found && modulePath(found)).toBe(modulePath(target));
    }),
    { numRuns: 500 },
  );
});

const parameter = (name: string): Parameter => ({ name, text: name, type: "", isOptional: false, isRest: false });
const value = fc.constantFrom("1", "x", "x.y", "() => z()", "[x, { y }]", "run()");

test("reordering arguments and reversing it restores the call", () => {
  const shuffled = fc
    .array(value, { minLength: 1, maxLength: 4 })
    .chain((values) =>
      fc.tuple(fc.constant(values), fc.shuffledSubarray(names(values.length), { minLength: values.length })),
    );
  fc.assert(
    fc.property(shuffled, ([values, order]) => {
      const text = `f(${values.join(", ")});`;
      const [before, after] = [names(values.length).map(parameter), order.map(parameter)];
      const there = called(text, { before, after, unwrapped: new Map() });
      fc.pre(there !== undefined);
      expect(called(there, { before: after, after: before, unwrapped: new Map() }) ?? there).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test("an argument with side effects is never dropped, nor moved past an argument that depends on them", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.nat(3), (values, gone) => {
      const before = names(values.length).map(parameter);
      const after = before.filter((_, index) => index !== gone);
      const text = called(`f(${values.join(", ")});`, { before, after, unwrapped: new Map() });
      const runs = (list: string) => list.split("run()").length;
      fc.pre(text !== undefined);
      expect(runs(text)).toBe(runs(values.join(", ")));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["const a = 1;\nf(2);\nnew F();", "const a = 1;\nf(2);\nnew F(a);"],
  // Without brackets there is no list of arguments to edit.
  ["const a = 1;\nf(2);\nnew F;", undefined],
])("a new parameter is passed in %j", (text, expected) => {
  const tree = treeOf(text);
  const path = nodesAround(tree.program, text.indexOf("new F"), text.length - 1);
  const change = { before: [], after: [parameter("a")], unwrapped: new Map() };
  const edit = rewrittenArguments(path.at(-1)!, change, text, tree);
  expect(edit && Edit.of([edit]).apply(text)).toBe(expected);
});

test("adding a property and removing it restores the literal", () => {
  const literals = fc
    .subarray(["a: 1", "b", "c: run()"], { minLength: 1 })
    .chain((list) =>
      fc.constantFrom(
        `f({ ${list.join(", ")} });`,
        `f({\n  ${list.join(",\n  ")},\n});`,
        `<F ${list.map((one) => `${one[0]}={1}`).join(" ")} />;`,
      ),
    );
  fc.assert(
    fc.property(literals, fc.shuffledSubarray(["a", "b", "c", "d"]), (text, order) => {
      const owner = ownerIn(text);
      const given = Edit.of([...withProperties(owner, [{ name: "d", value: "x", order }], text)]).apply(text);
      const there = ownerIn(given);
      const { node } = propertiesOf(there).find(({ name }) => name === "d")!;
      expect(Edit.of([withoutProperty(there, node, given)!]).apply(given)).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["f({ a: 1 /* x, y */, b: 2 });", "f({  b: 2 });"],
  ["f({ a: 1, // x, y\n  b: 2 });", "f({  // x, y\n  b: 2 });"],
  ["f({ a: 1 // x, y\n  , b: 2 });", "f({  b: 2 });"],
])("the first property of %j is removed with its own comma", (text, expected) => {
  const owner = ownerIn(text);
  const { node } = propertiesOf(owner).find(({ name }) => name === "a")!;
  expect(Edit.of([withoutProperty(owner, node, text)!]).apply(text)).toBe(expected);
});

test("`this` is no parameter that calls pass", () => {
  const text = "function f(this: X, a: A, b = 1) {}";
  const node = nodesAround(treeOf(text).program, 0, text.length).at(-1)!;
  expect(parametersOf({ node, text }).map(({ name }) => name)).toEqual(["a", "b"]);
});

function names(count: number): string[] {
  return ["a", "b", "c", "d"].slice(0, count);
}

function called(text: string, change: CallChange): string | undefined {
  const tree = treeOf(text);
  const path = nodesAround(tree.program, 0, text.length - 1);
  const edit = rewrittenArguments(path.at(-1)!, change, text, tree);
  return edit && Edit.of([edit]).apply(text);
}

function ownerIn(text: string): ScriptNode {
  const at = text.startsWith("<") ? 1 : 2;
  return nodesAround(treeOf(text).program, at, at + 1).findLast(({ type }) =>
    /^(ObjectExpression|JSXOpeningElement)$/.test(type),
  )!;
}
