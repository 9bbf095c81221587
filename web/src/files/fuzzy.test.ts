import { describe, expect, test } from "vitest";
import { tryMatchFuzzy } from "./fuzzy.ts";

/** The text with the matched characters in brackets; `undefined` where it does not match. */
function matched(query: string, text: string): string | undefined {
  const at = tryMatchFuzzy(query, text)?.at;
  return at && [...text].map((character, offset) => (at.includes(offset) ? `[${character}]` : character)).join("");
}

describe("tryMatchFuzzy", () => {
  test.each([
    ["pf", "src/plan/plan-form.tsx", "src/plan/[p]lan-[f]orm.tsx"],
    ["cart", "src/cart.ts", "src/[c][a][r][t].ts"],
    ["src cart", "src/cart.ts", "[s][r][c]/[c][a][r][t].ts"],
    ["FORM", "planForm.ts", "plan[F][o][r][m].ts"],
    ["xyz", "src/cart.ts", undefined],
    ["trac", "src/cart.ts", undefined],
    ["", "src/cart.ts", "src/cart.ts"],
  ])("%s in %s", (query, text, expected) => expect(matched(query, text)).toBe(expected));

  test.each([
    ["plan", ["src/plan/form.ts", "src/plan.ts"], "src/plan.ts"],
    ["pf", ["src/proof.ts", "src/planForm.ts"], "src/planForm.ts"],
    ["index", ["src/a/very/long/folder/index.ts", "src/index.ts"], "src/index.ts"],
  ])("the best match of %s in %j is %s", (query, texts, expected) => {
    const scoreOf = (text: string) => tryMatchFuzzy(query, text)!.score;
    expect(texts.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0]).toBe(expected);
  });
});
