import { expect, test } from "vitest";
import type { PastEdit } from "../../../context/index.ts";
import { EditHistory } from "../../../context/index.ts";
import type { TokenCounter } from "../../../model/index.ts";
import { Edit } from "../../../text/index.ts";
import {
  defaultPromptInputSettings,
  type PromptInputRequest,
  type PromptInputSettings,
  tryBuildPromptInput,
} from "./build-prompt-input.ts";

/** Counts a token for each word. */
const counter: TokenCounter = {
  name: "words",
  isExact: true,
  count: (text) => text.split(/\s+/).filter((word) => word !== "").length,
};

const text = Array.from({ length: 100 }, (_, i) => `line${i}\n`).join("");
const request: PromptInputRequest = {
  ...{ path: "a.ts", language: "typescript", text, cursor: text.indexOf("line50"), counter },
  ...{ history: [], viewed: [], diagnostics: [] },
};

function promptInputAt(more: Partial<PromptInputRequest>, settings: Partial<PromptInputSettings> = {}) {
  return tryBuildPromptInput({ ...request, ...more }, { ...defaultPromptInputSettings, pageTokens: 60, ...settings })!;
}

function edited(path: string, before: string, after: string, line = 0): PastEdit {
  const lines = after.split("\n");
  return { path, lines: { start: line, end: line + lines.length }, before: before.split("\n"), after: lines, atMs: 0 };
}

const viewed = (path: string, text: string, start = 0) => ({ path, text, lines: { start, end: start + 2 } });

test("a prompt input has the given history and snippets and the lines around the cursor", () => {
  const promptInput = promptInputAt({
    history: [edited("b.ts", "x", "y")],
    viewed: [viewed("c.ts", "const c = 1;\n")],
  });
  expect(promptInput).toEqual({
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
  settings: Partial<PromptInputSettings>,
  kept: string,
])[] = [
  [
    "the newest within the limit",
    [edited("a", "1", "2"), edited("b", "1", "2"), edited("c", "1", "2")],
    { historyEdits: 2 },
    "b c",
  ],
  [
    "those that fit into the tokens",
    [edited("a", "1", "2"), edited("b", "1", "2 2 2"), edited("c", "1", "2")],
    { historyTokens: 7 },
    "a c",
  ],
  ["none of a secret file", [edited("a", "1", "2"), edited(".env", "1", "2")], {}, "a"],
  [
    "none that changes only a secret",
    [edited("a.ts", 'const password = "hunter2";', 'const password = "hunter3";')],
    {},
    "",
  ],
];
test.each(histories)("a prompt input keeps edits of the history: %s", (_, history, settings, kept) => {
  const promptInput = promptInputAt({ history }, settings);
  expect(promptInput.history.map(({ path }) => path).join(" ")).toBe(kept);
});

test("a prompt input has the recent entries of an edit history, without secret files", () => {
  const history = new EditHistory();
  for (const [atMs, path] of [
    [0, "old.ts"],
    [500_000, ".npmrc"],
    [600_000, "b.ts"],
  ] as const)
    history.record(path, "a\n", Edit.insert(0, "x"), atMs);
  expect(promptInputAt({ history: history.entries(700_000) }).history).toEqual([
    { path: "b.ts", lines: { start: 0, end: 1 }, before: ["a"], after: ["xa"], atMs: 600_000 },
  ]);
});

test("secrets are redacted in the history, in snippets and in diagnostics, and the number of lines stays", () => {
  const line = 'const password = "hunter2";';
  const promptInput = promptInputAt({
    history: [edited("b.ts", "x", `${line}\ny`)],
    viewed: [viewed("c.ts", `${line}\n`)],
    diagnostics: [{ line: 50, severity: "error", message: line }],
  });
  const hidden = 'const password = "…";';
  expect(promptInput.history[0]!.after).toEqual([hidden, "y"]);
  expect(promptInput.viewed[0]!.text).toBe(`${hidden}\n`);
  expect(promptInput.diagnostics[0]!.message).toBe(hidden);
});

test.each([
  ["the newest within the limit", [viewed("b", "1"), viewed("c", "1"), viewed("d", "1")], { viewedSnippets: 2 }, "c d"],
  [
    "those that fit into the tokens",
    [viewed("b", "1"), viewed("c", "1 1 1"), viewed("d", "1")],
    { viewedTokens: 5 },
    "b d",
  ],
  ["none of a secret file", [viewed(".aws/b", "1")], {}, ""],
  ["of the document only lines outside the excerpt", [viewed("a.ts", "1", 10), viewed("a.ts", "1", 29)], {}, "a.ts"],
])("a prompt input keeps snippets: %s", (_, snippets, settings, kept) => {
  const promptInput = promptInputAt({ viewed: snippets }, settings);
  expect(promptInput.viewed.map(({ path }) => path).join(" ")).toBe(kept);
});

test("a prompt input keeps the diagnostics of the area that are nearest to the cursor, in their order", () => {
  const diagnostics = [32, 70, 40, 51, 49, 71].map((line) => ({ line, severity: "error" as const, message: "" }));
  const lines = (max: number) =>
    promptInputAt({ diagnostics }, { diagnostics: max }).diagnostics.map(({ line }) => line);
  expect(lines(5)).toEqual([40, 49, 51, 70]);
  expect(lines(2)).toEqual([49, 51]);
});

test("there is no prompt input on a line that is too long, and a cursor outside the text throws", () => {
  expect(tryBuildPromptInput({ ...request, text: "x".repeat(100_000), cursor: 7 })).toBe(undefined);
  expect(() => tryBuildPromptInput({ ...request, cursor: text.length + 1 })).toThrow("lies outside");
});
