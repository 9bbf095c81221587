import fc from "fast-check";
import { expect, test } from "vitest";
import { SimilarSnippets } from "./similar-snippets.ts";

const show = (snippets: ReturnType<SimilarSnippets["find"]>) =>
  snippets.map(({ path, lines, score }) => `${path} [${lines.start}, ${lines.end}) ${score.toFixed(3)}`);

test("plain Jaccard similarity selects one window of each file with most common words, the best last", () => {
  const files = [
    { path: "a", text: "alpha beta\ngamma\ndelta\n" },
    { path: "b", text: "none\nalpha beta gamma\nnone other\n" },
    { path: "c", text: "else\n" },
  ];
  const similar = new SimilarSnippets({ mode: "plain-jaccard", windowLines: 1 });
  expect(show(similar.find("alpha beta gamma", files))).toEqual(["a [0, 1) 0.667", "b [1, 2) 1.000"]);
  expect(show(similar.find("alpha beta gamma", files, 1))).toEqual(["b [1, 2) 1.000"]);
});

test("weighted similarity counts rare words more than common ones", () => {
  const common = "shared\n";
  const files = [
    { path: "a", text: `${common}ledger\n` },
    { path: "b", text: `${common}window\n` },
  ];
  const weighted = new SimilarSnippets({ windowLines: 1 });
  expect(weighted.find("shared ledger", files).at(-1)).toMatchObject({ path: "a", lines: { start: 1, end: 2 } });
});

test("similarity counts parts of names: `openCart` is like `open_cart`", () => {
  const files = [{ path: "a", text: "open_cart()\n" }];
  expect(new SimilarSnippets().find("openCart()", files)).toHaveLength(1);
  expect(new SimilarSnippets({ mode: "plain-jaccard" }).find("openCart()", files)).toHaveLength(0);
});

test("similar snippets are found only up to the limit of a long file", () => {
  const text = `alpha\n${"filler\n".repeat(100)}beta\n`;
  const similar = new SimilarSnippets({ maxCharacters: 100 });
  expect(similar.find("alpha", [{ path: "a", text }])).toHaveLength(1);
  expect(similar.find("beta", [{ path: "a", text }])).toHaveLength(0);
});

test("SimilarSnippets remembers no more files than its limit", () => {
  const similar = new SimilarSnippets({ maxFiles: 3 });
  for (let i = 0; i < 10; i++) similar.find("alpha", [{ path: `f${i}`, text: "alpha" }]);
  expect(similar.size).toBe(3);
});

test("law: plain Jaccard windows and scores equal those of comparing sets", () => {
  const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "the", "x1", "if");
  const text = fc.array(
    fc.array(word, { maxLength: 4 }).map((line) => line.join(" ")),
    { maxLength: 12 },
  );
  const similar = new SimilarSnippets({ mode: "plain-jaccard", windowLines: 4 });
  const stops = new Set(["the", "if"]);
  const wordsOf = (lines: readonly string[]) =>
    new Set(lines.flatMap((line) => line.split(" ")).filter((one) => one !== "" && !stops.has(one)));
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 5 }), (before, files) => {
      const wanted = wordsOf(before.slice(-4));
      const expected = files.flatMap((lines, i) => {
        const all = lines.length === 0 ? [""] : lines;
        let best = { start: -1, score: 0 };
        for (let start = 0; start === 0 || start + 4 <= all.length; start++) {
          const window = wordsOf(all.slice(start, start + 4));
          const common = [...window].filter((one) => wanted.has(one)).length;
          const score = common / (window.size + wanted.size - common);
          if (score > best.score) best = { start, score };
        }
        return best.start < 0 ? [] : [{ path: `f${i}`, start: best.start, score: best.score }];
      });
      const found = similar.find(
        before.join("\n"),
        files.map((lines, i) => ({ path: `f${i}`, text: lines.join("\n") })),
        100,
      );
      const sorted = expected.sort((one, other) => one.score - other.score);
      expect(found.map(({ path, lines, score }) => ({ path, start: lines.start, score }))).toEqual(sorted);
    }),
  );
});
