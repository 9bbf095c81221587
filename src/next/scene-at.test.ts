import { expect, test } from "vitest";
import type { PastEdit } from "../context/index.ts";
import { EditHistory } from "../context/index.ts";
import type { TokenCounter } from "../model/index.ts";
import { Edit } from "../text/index.ts";
import { defaultSceneSettings, type SceneRequest, type SceneSettings, trySceneAt } from "./scene-at.ts";

/** A line has a token for each of its words. */
const counter: TokenCounter = {
  name: "words",
  isExact: true,
  count: (text) => text.split(/\s+/).filter((word) => word !== "").length,
};

const text = Array.from({ length: 100 }, (_, i) => `line${i}\n`).join("");
const request: SceneRequest = {
  ...{ path: "a.ts", language: "typescript", text, cursor: text.indexOf("line50"), counter },
  ...{ history: [], viewed: [], diagnostics: [] },
};

function sceneAt(more: Partial<SceneRequest>, settings: Partial<SceneSettings> = {}) {
  return trySceneAt({ ...request, ...more }, { ...defaultSceneSettings, pageTokens: 60, ...settings })!;
}

function edited(path: string, before: string, after: string, line = 0): PastEdit {
  const lines = after.split("\n");
  return { path, lines: { start: line, end: line + lines.length }, before: before.split("\n"), after: lines, atMs: 0 };
}

const viewed = (path: string, text: string, start = 0) => ({ path, text, lines: { start, end: start + 2 } });

test("takes over what it is told, with the lines around the cursor", () => {
  const scene = sceneAt({ history: [edited("b.ts", "x", "y")], viewed: [viewed("c.ts", "const c = 1;\n")] });
  expect(scene).toEqual({
    ...{ path: "a.ts", language: "typescript", text, cursor: request.cursor },
    ...{ window: { start: 48, end: 56 }, area: { start: 33, end: 71 }, page: { start: 30, end: 90 } },
    history: [edited("b.ts", "x", "y")],
    viewed: [viewed("c.ts", "const c = 1;\n")],
    diagnostics: [],
  });
});

const histories: readonly (readonly [
  name: string,
  history: readonly PastEdit[],
  settings: Partial<SceneSettings>,
  kept: string,
])[] = [
  ["the newest", [edited("a", "1", "2"), edited("b", "1", "2"), edited("c", "1", "2")], { historyEdits: 2 }, "b c"],
  [
    "those with room",
    [edited("a", "1", "2"), edited("b", "1", "2 2 2"), edited("c", "1", "2")],
    { historyTokens: 7 },
    "a c",
  ],
  ["no file with secrets", [edited("a", "1", "2"), edited(".env", "1", "2")], {}, "a"],
  [
    "no change of nothing but a secret",
    [edited("a.ts", 'const password = "hunter2";', 'const password = "hunter3";')],
    {},
    "",
  ],
];
test.each(histories)("of the history: %s", (_, history, settings, kept) => {
  const scene = sceneAt({ history }, settings);
  expect(scene.history.map(({ path }) => path).join(" ")).toBe(kept);
});

test("is given what an edit history keeps, aged and without secret files", () => {
  const history = new EditHistory();
  for (const [atMs, path] of [
    [0, "old.ts"],
    [500_000, ".npmrc"],
    [600_000, "b.ts"],
  ] as const)
    history.record(path, "a\n", Edit.insert(0, "x"), atMs);
  expect(sceneAt({ history: history.entries(700_000) }).history).toEqual([
    { path: "b.ts", lines: { start: 0, end: 1 }, before: ["a"], after: ["xa"], atMs: 600_000 },
  ]);
});

test("secrets are hidden in the history, in snippets and in diagnostics, and lines stay as many", () => {
  const line = 'const password = "hunter2";';
  const scene = sceneAt({
    history: [edited("b.ts", "x", `${line}\ny`)],
    viewed: [viewed("c.ts", `${line}\n`)],
    diagnostics: [{ line: 50, severity: "error", message: line }],
  });
  const hidden = 'const password = "…";';
  expect(scene.history[0]!.after).toEqual([hidden, "y"]);
  expect(scene.viewed[0]!.text).toBe(`${hidden}\n`);
  expect(scene.diagnostics[0]!.message).toBe(hidden);
});

test.each([
  ["the newest", [viewed("b", "1"), viewed("c", "1"), viewed("d", "1")], { viewedSnippets: 2 }, "c d"],
  ["those with room", [viewed("b", "1"), viewed("c", "1 1 1"), viewed("d", "1")], { viewedTokens: 5 }, "b d"],
  ["no file with secrets", [viewed(".aws/b", "1")], {}, ""],
  ["of the file itself only what is not on the page", [viewed("a.ts", "1", 10), viewed("a.ts", "1", 29)], {}, "a.ts"],
])("of the snippets: %s", (_, snippets, settings, kept) => {
  const scene = sceneAt({ viewed: snippets }, settings);
  expect(scene.viewed.map(({ path }) => path).join(" ")).toBe(kept);
});

test("of the diagnostics those in the area that are nearest to the cursor, in their order", () => {
  const diagnostics = [32, 70, 40, 51, 49, 71].map((line) => ({ line, severity: "error" as const, message: "" }));
  const lines = (max: number) => sceneAt({ diagnostics }, { diagnostics: max }).diagnostics.map(({ line }) => line);
  expect(lines(5)).toEqual([40, 49, 51, 70]);
  expect(lines(2)).toEqual([49, 51]);
});

test("none on a line that is too long, and a cursor outside of the text is an error", () => {
  expect(trySceneAt({ ...request, text: "x".repeat(100_000), cursor: 7 })).toBe(undefined);
  expect(() => trySceneAt({ ...request, cursor: text.length + 1 })).toThrow("lies outside");
});
