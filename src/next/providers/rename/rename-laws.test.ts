import fc from "fast-check";
import { expect, test } from "vitest";
import { renameUses } from "../../../analysis/repair/script/binding-uses.ts";
import type { NameTable } from "../../../names/name-table.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { scriptNames } from "../../../names/script-names.ts";
import { Edit } from "../../../text/index.ts";
import { expectedOf, playRenames, readWorkspace } from "./fixtures/rename-notation.ts";

/**
 * Statements that use `ring`, shadow it, declare a `loop` of their own, or only look as if they
 * did; `$` makes their names unique.
 */
const statement = fc.constantFrom(
  "ring();",
  "const a$ = ring.ring + x.ring;",
  "f$({ ring });",
  "f$({ ring: ring, [ring]: 1 });",
  "// ring in a comment",
  `"ring"; \`ring \${ring}\`;`,
  "/ring/.test(y$);",
  "function g$(ring) { return ring; }",
  "function k$({ ring, b = ring }) { return ring; }",
  "{ const ring = 1; h$(ring); }",
  "for (const ring of z$) ring();",
  "let v$: typeof ring | Other['ring'];",
  "class C$ { ring = ring; m(ring: number) { return this.ring + ring; } }",
  "try { ring(); } catch (ring) { ring.stop(); }",
  "ring: while (true) break ring;",
  "const { ring: other$ } = ring;",
  "switch (ring) { case ring.a: ring(); }",
  "const l$ = (p$ = ring) => { var q$ = ring; return p$ + q$; };",
);
const capturing = fc.constantFrom(
  "type T$<U> = U extends infer ring ? ring : typeof ring;",
  "function n$(loop) { return ring + loop; }",
  "{ const loop = 1; h$(ring, loop); }",
  "for (const loop of ring) ring(loop);",
);

function script(one: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(one, { minLength: 1, maxLength: 12 })
    .map((list) => list.map((text, i) => text.replaceAll("$", String(i))).join("\n"));
}

/** Returns the text after the marked edit, and after all proposals for it. */
function renamed(marked: string): { readonly present: string; readonly after: string } {
  const { index, proposals } = playRenames(readWorkspace(marked));
  const present = index.textOf("a.ts")!;
  const edits = proposals.flatMap(({ edit }) => edit!.edits).sort((one, other) => one.start - other.start);
  return { present, after: Edit.of(edits).apply(present) };
}

function tableOf(text: string): NameTable {
  return scriptNames(parseScriptTree(text, { kind: "ts", source: "module" })!);
}

test("law: all proposals together equal the rename by definition", () => {
  fc.assert(
    fc.property(script(statement), (body) => {
      const before = `import { ring as ring } from "./ring";\n${body}`;
      const { after } = renamed(`import { ring as ⟦ring→loop⟧ } from "./ring";\n${body}`);
      const edits = renameUses(parseScriptTree(before, { kind: "ts", source: "module" })!, "ring", "loop")!;
      expect(after).toBe(Edit.of(edits).apply(before).replace("as ring", "as loop"));
    }),
    { numRuns: 200 },
  );
});

test("law: no use of the old name is left behind, and no name is captured", () => {
  fc.assert(
    fc.property(script(fc.oneof({ weight: 3, arbitrary: statement }, capturing)), (body) => {
      const before = tableOf(`let ring = 1;\n${body}`);
      const { after } = renamed(`let ⟦ring→loop⟧ = 1;\n${body}`);
      const table = tableOf(after);
      const [top] = [table.scopes[0]!.names.get("loop")!];
      // As many uses refer to it as before, except where the new name refers to something else.
      const kept = table.named("ring").filter(({ role, binding }) => role === "uses" && binding === undefined);
      for (const { scope } of kept) expect(table.resolve("loop", scope)).not.toBe(top);
      const meant = before.named("ring").filter(({ binding }) => binding === before.scopes[0]!.names.get("ring"));
      const now = table.named("loop").filter(({ binding }) => binding === top);
      expect(now.length + kept.length).toBe(meant.length);
    }),
    { numRuns: 200 },
  );
});

test("law: after all proposals are accepted, no more are made", () => {
  fc.assert(
    fc.property(script(statement), (body) => {
      const { present, after } = renamed(`let ⟦ring→loop⟧ = 1;\n${body}`);
      // As one edit of the whole text, made by the person.
      fc.pre(present !== after && !/[→⟦⟧]/.test(body + after));
      const marked = `⟦let ring = 1;\n${body}→${after}⟧`;
      expect(playRenames(readWorkspace(marked)).proposals.filter(({ likelihood }) => likelihood > 0.5)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

test("law: proposals are inside the text, at whole identifiers, at most one per place", () => {
  const word = fc.constantFrom(
    "ring",
    "loop",
    "x",
    "a.ring",
    "ring,",
    "(",
    ")",
    "{",
    "}",
    "const ",
    "function f",
    "=> ",
    ";",
    "\n",
  );
  const soup = fc.array(word, { maxLength: 40 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(soup, soup, soup, word, word, (head, middle, tail, old, fresh) => {
      const marked = `const ring = 1;\n${head} ⟦${old}→${fresh}⟧ ${middle} ⟦ring→loop⟧ ${tail}`;
      const { index, proposals } = playRenames(readWorkspace(marked));
      const text = index.textOf("a.ts")!;
      expect(text).toBe(expectedOf(marked));
      const places = new Set<number>();
      for (const { edit } of proposals) {
        for (const { start, end } of edit!.edits) {
          expect(places.has(start)).toBe(false);
          places.add(start);
          const isWithinWord = (at: number) => /\w/.test(text.charAt(at - 1)) && /\w/.test(text.charAt(at));
          expect(isWithinWord(start) || isWithinWord(end)).toBe(false);
        }
      }
    }),
    { numRuns: 300 },
  );
});
