import fc from "fast-check";
import { expect, test } from "vitest";
import { CodeIndex } from "./code-index.ts";
import { wordLines } from "./worded-lines.ts";

function ask(index: CodeIndex, words: string, limit = 10): string[] {
  const ids = new Set(wordLines(words, index.words, { kind: "identifiers", knownOnly: true }).words);
  return index
    .search(
      Array.from(ids, (word) => ({ word, weight: 1 })),
      { limit },
    )
    .map(({ file, lines, score }) => `${file.path} [${lines.start}, ${lines.end}) ${score.toFixed(2)}`);
}

const filler = (count: number) => "nothing here\n".repeat(count);

test("the code index finds the window that contains a word", () => {
  const index = new CodeIndex();
  index.set("a", "typescript", `${filler(35)}openCart();\n${filler(30)}`);
  index.set("b", "typescript", filler(50));
  const found = ask(index, "openCart").map((line) => line.replace(/ \S+$/, ""));
  expect(found.sort()).toEqual(["a [20, 40)", "a [30, 50)"]);
});

test("the code index finds no removed or changed text", () => {
  const index = new CodeIndex();
  index.set("a", "typescript", "openCart();\n");
  index.set("a", "typescript", "closeCart();\n");
  index.set("b", "typescript", "openCart();\n");
  index.delete("b");
  expect(ask(index, "openCart").map((line) => line[0])).toEqual(["a"]);
  index.delete("a");
  expect(ask(index, "openCart cart")).toEqual([]);
  expect([index.size, index.characters]).toEqual([0, 0]);
});

test("the code index refuses secret files and files over its limit", () => {
  const index = new CodeIndex({ maxCharacters: 20 });
  expect(index.set(".env", "plaintext", "KEY=1")).toBe(false);
  expect(index.set("a", "typescript", "0123456789")).toBe(true);
  expect(index.set("b", "typescript", "0123456789!")).toBe(false);
  expect(index.set("a", "typescript", "x".repeat(21))).toBe(false);
  expect(index.has("a")).toBe(false);
});

test("the code index leaves out files with a boost of 0", () => {
  const index = new CodeIndex();
  index.set("a", "typescript", "openCart();\n");
  const [word] = wordLines("openCart", index.words, { kind: "identifiers", knownOnly: true }).words;
  expect(index.search([{ word: word!, weight: 1 }], { limit: 1, boost: () => 0 })).toEqual([]);
});

test("the code index finds files by name and by folder", () => {
  const index = new CodeIndex();
  for (const path of ["b/package.json", "a/package.json", "a/x.ts", "x.ts"]) index.set(path, "json", "{}");
  expect(index.pathsNamed("package.json")).toEqual(["a/package.json", "b/package.json"]);
  expect(index.pathsIn("a")).toEqual(["a/package.json", "a/x.ts"]);
  index.delete("a/package.json");
  index.delete("a/x.ts");
  expect(index.pathsNamed("package.json")).toEqual(["b/package.json"]);
  expect([...index.folders].sort()).toEqual(["", "b"]);
});

test("the layout of the code index changes with files and manifests, not with code", () => {
  const index = new CodeIndex();
  const layouts = [index.layout];
  const after = (change: () => void) => {
    change();
    layouts.push(index.layout);
  };
  after(() => index.set("a.ts", "typescript", "1"));
  after(() => index.set("a.ts", "typescript", "2"));
  after(() => index.set("package.json", "json", "{}"));
  after(() => index.set("package.json", "json", "{ }"));
  after(() => index.delete("a.ts"));
  expect(layouts.map((layout, i) => i > 0 && layout !== layouts[i - 1])).toEqual([
    false,
    true,
    false,
    true,
    true,
    true,
  ]);
});

test("law: results of the code index do not depend on the order of updates and sweeps", () => {
  const line = fc.constantFrom("openCart();", "closeCart(total);", "const total = sum();", "", "// prices");
  const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));
  const changes = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.option(text)), { maxLength: 12 });
  fc.assert(
    fc.property(changes, fc.boolean(), (all, isSwept) => {
      const moved = new CodeIndex();
      const files = new Map<string, string>();
      if (isSwept) {
        for (let i = 0; i < 30; i++) moved.set("big", "typescript", `${"a b1 c2 d3 cart total\n".repeat(2_000)}${i}`);
        moved.delete("big");
      }
      for (const [path, content] of all) {
        if (content === null) {
          moved.delete(path);
          files.delete(path);
        } else {
          moved.set(path, "typescript", content);
          files.set(path, content);
        }
      }
      const fresh = new CodeIndex();
      for (const [path, content] of files) fresh.set(path, "typescript", content);
      expect(ask(moved, "cart total prices", 100)).toEqual(ask(fresh, "cart total prices", 100));
    }),
    { numRuns: 40 },
  );
});
