import fc from "fast-check";
import { expect, test } from "vitest";
import { Edit } from "../../../text/edit.ts";
import { treeOf } from "../../fixtures/repair-notation.ts";
import { renameUses } from "./binding-uses.ts";

/** Statements that use `ring`, shadow it, or only look as if they did. */
const statement = fc.constantFrom(
  "ring();",
  "const a$ = ring.ring + x.ring;",
  "f$({ ring: ring });",
  "// ring in a comment",
  `"ring"; \`ring \${ring}\`;`,
  "/ring/.test(y$);",
  "function g$(ring) { return ring; }",
  "{ const ring = 1; h$(ring); }",
  "for (const ring of z$) ring();",
  "let v$: typeof ring | Other['ring'];",
  "class C$ { ring = ring; m(ring: number) { return this.ring + ring; } }",
  "try { ring(); } catch (ring) { ring.stop(); }",
  "const j$ = <p title='ring' ring={ring}>ring {ring}</p>;",
  "ring: while (true) break ring;",
  "const { ring: other$ } = ring;",
  "switch (ring) { case ring.a: ring(); }",
);

const script = fc
  .array(statement, { minLength: 1, maxLength: 12 })
  .map((list) => `import { ring } from "./ring";\n${list.map((one, i) => one.replaceAll("$", String(i))).join("\n")}`);

test("renaming a binding and reversing it restores the text", () => {
  fc.assert(
    fc.property(script, (text) => {
      const renamed = rename(text, "ring", "loop");
      expect(rename(renamed.replace("{ ring }", "{ loop }"), "loop", "ring").replace("{ loop }", "{ ring }")).toBe(
        text,
      );
    }),
    { numRuns: 200 },
  );
});

test("a rename leaves strings, comments and JSX text unchanged", () => {
  fc.assert(
    fc.property(script, (text) => {
      const renamed = rename(text, "ring", "loop");
      const quoted = /\/\/.*|"[^"\n]*"|'[^'\n]*'|\/ring\/|>ring |`ring /g;
      expect(renamed.match(quoted)).toEqual(text.match(quoted));
    }),
    { numRuns: 200 },
  );
});

test("a binding is not renamed to a name that is bound at one of its uses", () => {
  const text = 'import { ring } from "./ring";\nfunction g(loop) { return ring; }';
  expect(renameUses(treeOf(text), "ring", "loop")).toBeUndefined();
  expect(renameUses(treeOf(`${text}\nring();`), "ring", "arc")).toHaveLength(2);
  expect(renameUses(treeOf('import { ring } from "./ring"; let loop = ring;'), "ring", "loop")).toBeUndefined();
});

test.each([
  ["export const { ring, b = ring } = x;", "export const { ring: loop, b = loop } = x;"],
  ["let ring; ({ ring } = x);", "let loop; ({ ring: loop } = x);"],
  ["{ var ring = 1; } ring();", "{ var loop = 1; } loop();"],
  // An own name of a function does not hide it from the places around.
  ["function ring(loop) { return loop; }", "function loop(loop) { return loop; }"],
  ["type ring = 1; function f(...a: ring[]) {}", "type loop = 1; function f(...a: loop[]) {}"],
  ["const ring = 1; module.exports = { ring };", "const loop = 1; module.exports = { loop };"],
])("%s", (text, expected) => {
  expect(rename(text, "ring", "loop")).toBe(expected);
});

test("an import of the new name is no collision where it takes the place of the old one", () => {
  const tree = treeOf('import { ring, loop } from "./ring"; ring(); function f(loop) {}');
  expect(renameUses(tree, "ring", "loop")).toBeUndefined();
  expect(renameUses(tree, "ring", "loop", { isImported: true })).toHaveLength(1);
});

function rename(text: string, from: string, to: string): string {
  const edits = renameUses(treeOf(text), from, to);
  if (edits === undefined) throw new Error(`${to} should be free in ${text}`);
  return Edit.tryOf(edits)!.apply(text);
}
