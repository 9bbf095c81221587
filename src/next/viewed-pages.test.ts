import { expect, test } from "vitest";
import type { TokenCounter } from "../model/index.ts";
import { defaultSceneSettings, type SceneSettings } from "./scene-at.ts";
import { viewedPages } from "./viewed-pages.ts";

/** A line has a token for each of its words. */
const counter: TokenCounter = {
  name: "words",
  isExact: true,
  count: (text) => text.split(/\s+/).filter((word) => word !== "").length,
};

/** Files, the one looked at last first, each with the place in it at `|`, and the pages as `path[lines]`, the oldest first. */
test.each<[name: string, files: Record<string, string>, settings: Partial<SceneSettings>, pages: readonly string[]]>([
  ["a whole file that is short", { a: "1\n|2\n" }, {}, ["a[0, 2)"]],
  ["the oldest first", { a: "|1\n", b: "|1\n" }, {}, ["b[0, 1)", "a[0, 1)"]],
  ["the last ones", { a: "|1\n", b: "|1\n", c: "|1\n" }, { viewedSnippets: 2 }, ["b[0, 1)", "a[0, 1)"]],
  ["none where none are wanted", { a: "|1\n" }, { viewedSnippets: 0 }, []],
  ["the lines nearest to the place", { a: "1\n2\n3\n4|\n5\n6\n" }, { viewedSnippets: 1, viewedTokens: 3 }, ["a[2, 5)"]],
  ["the end where the place is there", { a: "1\n2\n3\n4\n|" }, { viewedSnippets: 1, viewedTokens: 2 }, ["a[2, 5)"]],
  [
    "an even share of each",
    { a: "1\n|2\n3\n", b: "|1 1\n2\n" },
    { viewedSnippets: 2, viewedTokens: 4 },
    ["b[0, 1)", "a[1, 3)"],
  ],
  [
    "no file without room for the line",
    { a: "1 1 1|\n", b: "|1\n" },
    { viewedSnippets: 2, viewedTokens: 4 },
    ["b[0, 1)"],
  ],
  ["no blank file", { a: "|\n \n", b: "|" }, {}, []],
])("%s", (_, files, settings, pages) => {
  const places = Object.entries(files).map(([path, marked]) => ({
    ...{ path, language: "typescript", text: marked.replace("|", ""), offset: marked.indexOf("|") },
  }));
  const shown = viewedPages(places, { ...defaultSceneSettings, ...settings }, counter);
  expect(shown.map(({ path, lines: { start, end } }) => `${path}[${start}, ${end})`)).toEqual(pages);
  for (const { path, lines, text } of shown) {
    const whole = places.find((one) => one.path === path)!.text.split(/(?<=\n)/);
    expect(text).toBe(whole.slice(lines.start, lines.end).join(""));
  }
});

test("a place behind the end of a text that is shorter by now is its end, and no file is read that is not needed", () => {
  const read: string[] = [];
  function* places() {
    for (const path of ["a", "b", "c"]) {
      read.push(path);
      yield { path, language: "typescript", text: "1\n2\n", offset: 99 };
    }
  }
  const shown = viewedPages(places(), { ...defaultSceneSettings, viewedSnippets: 2 });
  expect([shown.length, read]).toEqual([2, ["a", "b"]]);
});
