import { expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { openHole } from "./fill-session.ts";

const grammar = compileLanguage("javascript");

// The hole is `‸`. The expected one is among the first hundred endings.
test.each([
  ["a plan", "‸}", "{"],
  ["a function for what it alone may hold", "‸return await a }", "async function*a(){"],
  ["an arrow function behind what began", "a = ‸await b }", "async()=>{"],
  ["a loop", "‸break }", "for(;;){"],
  ["a method", "class a { ‸super.b }}", "async*a(){"],
  ["a method behind one that ends", "class a { constructor() { ‸await b }}", "}async*a(){"],
  ["an argument behind one that ends", "a(() => { ‸await b })", "},async()=>{"],
])("otherEndings include %s: %s: %s", (_, marked, expected) => {
  const [before, behind] = marked.split("‸") as [string, string];
  const opening = openHole(grammar, { before, behind });
  if (opening.kind !== "open") throw new Error(opening.kind);
  const { hole } = opening;
  const endings: string[] = [];
  for (const ending of hole.otherEndings(hole.empty)) {
    endings.push(new TextDecoder().decode(ending));
    if (endings.length === 100 || endings.at(-1) === expected) break;
  }
  expect(endings.at(-1)).toBe(expected);
});
