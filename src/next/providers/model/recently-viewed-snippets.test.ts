import { expect, test } from "vitest";
import type { TokenCounter } from "../../../model/index.ts";
import { defaultPromptInputSettings, type PromptInputSettings } from "./build-prompt-input.ts";
import { recentlyViewedSnippets } from "./recently-viewed-snippets.ts";

/** Counts a token for each word. */
const counter: TokenCounter = {
  name: "words",
  isExact: true,
  count: (text) => text.split(/\s+/).filter((word) => word !== "").length,
};

// Files, the last viewed first, each with the position in it at `|`, and the snippets as
// `path[lines]`, the oldest first.
test.each<
  [name: string, files: Record<string, string>, settings: Partial<PromptInputSettings>, pages: readonly string[]]
>([
  ["the whole of a short file", { a: "1\n|2\n" }, {}, ["a[0, 2)"]],
  ["the oldest first", { a: "|1\n", b: "|1\n" }, {}, ["b[0, 1)", "a[0, 1)"]],
  ["only the last viewed files", { a: "|1\n", b: "|1\n", c: "|1\n" }, { viewedSnippets: 2 }, ["b[0, 1)", "a[0, 1)"]],
  ["none when the limit is 0", { a: "|1\n" }, { viewedSnippets: 0 }, []],
  [
    "the lines nearest to the position",
    { a: "1\n2\n3\n4|\n5\n6\n" },
    { viewedSnippets: 1, viewedTokens: 3 },
    ["a[2, 5)"],
  ],
  [
    "the end of a file when the position is there",
    { a: "1\n2\n3\n4\n|" },
    { viewedSnippets: 1, viewedTokens: 2 },
    ["a[2, 5)"],
  ],
  [
    "an even share of tokens for each file",
    { a: "1\n|2\n3\n", b: "|1 1\n2\n" },
    { viewedSnippets: 2, viewedTokens: 4 },
    ["b[0, 1)", "a[1, 3)"],
  ],
  [
    "no file whose line does not fit",
    { a: "1 1 1|\n", b: "|1\n" },
    { viewedSnippets: 2, viewedTokens: 4 },
    ["b[0, 1)"],
  ],
  ["no blank file", { a: "|\n \n", b: "|" }, {}, []],
])("recently viewed snippets are %s", (_, files, settings, pages) => {
  const places = Object.entries(files).map(([path, marked]) => ({
    ...{ path, language: "typescript", text: marked.replace("|", ""), offset: marked.indexOf("|") },
  }));
  const shown = recentlyViewedSnippets(places, { ...defaultPromptInputSettings, ...settings }, counter);
  expect(shown.map(({ path, lines: { start, end } }) => `${path}[${start}, ${end})`)).toEqual(pages);
  for (const { path, lines, text } of shown) {
    const whole = places.find((one) => one.path === path)!.text.split(/(?<=\n)/);
    expect(text).toBe(whole.slice(lines.start, lines.end).join(""));
  }
});

test("a position past the end of a text counts as its end, and no unneeded file is read", () => {
  const read: string[] = [];
  function* places() {
    for (const path of ["a", "b", "c"]) {
      read.push(path);
      yield { path, language: "typescript", text: "1\n2\n", offset: 99 };
    }
  }
  const shown = recentlyViewedSnippets(places(), { ...defaultPromptInputSettings, viewedSnippets: 2 });
  expect([shown.length, read]).toEqual([2, ["a", "b"]]);
});
