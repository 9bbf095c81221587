import { expect, test } from "vitest";
import { CodeIndex } from "./code-index.ts";
import { type RetrievalOptions, retrieveSnippets } from "./retrieved-snippets.ts";

const files = {
  "cart.ts": "export function addToCart(cart: Cart, item: Item) {}\n",
  "cart2.ts": "export function addToCart(cart: Cart, item: Item) {}\n",
  "price.ts": "export const priceInCents = 3;\n",
  "weather.ts": "export const rainTomorrow = true;\n",
};

/** Which files are found at `|`, the best first. */
function find(marked: string, options: Partial<RetrievalOptions> = {}): string[] {
  const index = new CodeIndex();
  for (const [path, text] of Object.entries(files)) index.set(path, "typescript", text);
  const offset = marked.indexOf("|");
  const place = { text: marked.replace("|", ""), offset };
  const found = retrieveSnippets(index, place, { maxLines: 100, allows: () => true, ...options });
  return found.map(({ snippet, isRival }) => (isRival ? `rival ${snippet.path}` : snippet.path));
}

test("retrieval weighs words by their distance from the cursor, above and below it", () => {
  expect(find("rainTomorrow;\n\n\n\n\n\npriceInCents;\n|")).toEqual(["price.ts", "weather.ts"]);
  expect(find("|\nrainTomorrow;\n\n\n\n\n\npriceInCents;\n")).toEqual(["weather.ts", "price.ts"]);
});

test.each([
  ["near", 1_000, ["weather.ts"]],
  ["far", 30_000, []],
])("row 14: retrieval reads words %s in a line that is a whole file", (_, distance, found) => {
  const between = "0,".repeat(distance / 2);
  expect(find(`rainTomorrow;${between}|`)).toEqual(found);
  expect(find(`|${between};rainTomorrow`)).toEqual(found);
});

test("retrieval ranks text that another piece contains below new text", () => {
  expect(find("priceInCents;\n\n\n\n\n\naddToCart(cart, item);\n|")).toEqual(["cart.ts", "price.ts", "cart2.ts"]);
});

test("retrieval ignores the name that is being typed", () => {
  expect(find("rainTomorrow|")).toEqual([]);
  expect(find("rainTomorrow |")).toEqual(["weather.ts"]);
});

test("retrieval returns only allowed files, within the line limit", () => {
  expect(find("addToCart; rainTomorrow; |", { allows: ({ path }) => path !== "cart.ts" })).not.toContain("cart.ts");
  expect(find("addToCart; rainTomorrow; priceInCents; |", { maxLines: 4 })).toHaveLength(2);
});

test("a retrieved snippet is replaced by an overlapping one that adds as much", () => {
  const rival = { path: "weather.ts", lines: { start: 0, end: 1 }, text: files["weather.ts"], score: 1 };
  expect(find("rainTomorrow; |", { rivals: [rival] })).toEqual(["rival weather.ts"]);
  const long = {
    path: "x.ts",
    lines: { start: 0, end: 60 },
    text: `rainTomorrow\n${"other();\n".repeat(59)}`,
    score: 1,
  };
  expect(find("rainTomorrow; |", { rivals: [long] })).toEqual(["weather.ts", "rival x.ts"]);
});
