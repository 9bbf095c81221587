import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { nestingBound, openBracketsBound } from "./nesting.ts";

/** `<…>` is repeated 500 times, and the text after it as often, from the inside out. */
const deep: readonly (readonly [text: string, end?: string])[] = [
  ["x = <(>a", ")"],
  ["<[>", "]"],
  ["<{>", "}"],
  ["<a?b:>c"],
  ["if(a){b}<else if(a){b}>"],
  ["if(a){\n b;\n}\n<else if(a){\n  b;\n}\n>"],
  ["x=<!>a"],
  ["<x=>>a"],
  ["<x=>\n>a"],
  ["a<.b>"],
  ["a<+b>"],
  ["a<()>"],
  ["<`${>a", "}`"],
  ["let x:<a<>b", ">"],
  ["<<a>>", "</a>"],
  ["x=<{a:>1", "}"],
  ["<a=>b"],
  ["<a**>b"],
  ["type X=<A extends B?C:>D"],
  ["<a:>;"],
  ["<new >a"],
  ["<while(a)>;"],
  ["<await >a"],
  ["a<[]>"],
];

test.each(deep)("row 14: %s nests", (shape, end) => {
  const [, front, piece, back] = /^([^<]*(?:let x:)?)<(.+)>([^>]*)$/s.exec(shape!)!;
  const text = (count: number) => front + piece!.repeat(count) + back + (end ?? "").repeat(count);
  expect(nestingBound(text(500))).toBeGreaterThanOrEqual(500);
  expect(nestingBound(text(5))).toBeLessThan(100);
});

test.each([
  ["equal statements", "a = b + c;\n".repeat(5_000)],
  ["statements without semicolons", "a = b + c\n".repeat(5_000)],
  ["a table", `x = [\n${"  [1, 'a', -2],\n".repeat(5_000)}]`],
  ["minified code", "function f(a){return a?b:c}var x=f(1)+2;".repeat(5_000)],
  ["brackets in a string", `x = "${"(".repeat(5_000)}"`],
  ["brackets in a comment", `/* ${"(".repeat(5_000)} */\n// ${"[".repeat(5_000)}`],
  ["prose with apostrophes", "// don't (do\nit's (a) test\n".repeat(5_000)],
])("row 14: %s does not nest deeply", (_, text) => {
  expect(nestingBound(text)).toBeLessThan(60);
});

test("handwritten code stays far below the nesting limits", () => {
  const folder = new URL(".", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  for (const name of names) expect(nestingBound(readFileSync(new URL(name, folder), "utf8"))).toBeLessThan(300);
  expect(names.length).toBeGreaterThan(10);
});

test("brackets around a text increase its nesting bound by one", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "+", "(", ")", "[", "]", ";", ",", "\n", " ", "?", ":")), (pieces) => {
      const text = pieces.join("");
      // A closer without an opener would end the bracket around.
      const depths = [0];
      for (const character of text) {
        depths.push(depths.at(-1)! + ("([".includes(character) ? 1 : ")]".includes(character) ? -1 : 0));
      }
      fc.pre(Math.min(...depths) === 0);
      expect(nestingBound(`(${text}`)).toBeGreaterThan(nestingBound(text));
    }),
  );
});

test.each([
  ["(((", 3],
  ["({[", 3],
  ["a<b<c<d", 3],
  ["a<b;c<d;e<f", 1],
  ["a<b\nc<d\ne<f", 1],
  ["(a)(b)(c)", 1],
  [")))(", 1],
  [`"(((" + '[[[' // {{{`, 0],
  ["/* ((( */ (", 1],
  ["it's (a) test", 0],
  ["if (a) { f([1, 2]); }", 3],
])("row 14: %j has at most %i open brackets at once", (text, most) => {
  expect(openBracketsBound(text)).toBe(most);
});
