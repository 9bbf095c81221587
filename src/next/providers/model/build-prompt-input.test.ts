import { expect, test } from "vitest";
import { EditHistory, type PastEdit } from "../../../context/index.ts";
import { redacted } from "../../../model/fixtures/redacted.ts";
import type { TokenCounter } from "../../../model/index.ts";
import { type Diagnostic, Edit } from "../../../text/index.ts";
import {
  type PromptInputRequest,
  recentlyViewedSnippets,
  settingsWithin,
  shownPromptInput,
  tryBuildPromptInput,
} from "./build-prompt-input.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";
import { defaultPromptInputSettings, type PromptInputSettings } from "./prompt-input-settings.ts";

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
  return tryBuildPromptInput(
    { ...request, ...more },
    { ...defaultPromptInputSettings, excerptTokens: 60, ...settings },
  )!;
}

function edited(path: string, before: string, after: string, line = 0): PastEdit {
  const lines = after.split("\n");
  return { path, lines: { start: line, end: line + lines.length }, before: before.split("\n"), after: lines, atMs: 0 };
}

function diagnosticAt(line: number, message = ""): Diagnostic {
  const start = text.indexOf(`line${line}\n`);
  return { start, end: start + 4, code: "", message };
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
    diagnostics: [diagnosticAt(50, line)],
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
  const diagnostics = [32, 70, 40, 51, 49, 71].map((line) => diagnosticAt(line));
  const lines = (max: number) =>
    promptInputAt({ diagnostics }, { diagnostics: max }).diagnostics.map(({ line }) => line);
  expect(lines(5)).toEqual([40, 49, 51, 70]);
  expect(lines(2)).toEqual([49, 51]);
});

test("there is no prompt input on a line that is too long, and a cursor outside the text throws", () => {
  expect(tryBuildPromptInput({ ...request, text: "x".repeat(100_000), cursor: 7 })).toBe(undefined);
  expect(() => tryBuildPromptInput({ ...request, cursor: text.length + 1 })).toThrow("lies outside");
});

const { excerptTokens, historyTokens, viewedTokens, regionTokens } = defaultPromptInputSettings;

/** A context, and the tokens of the excerpt, the history, the snippets and the editable region. */
test.each([
  ["unknown", undefined, [excerptTokens, historyTokens, viewedTokens, regionTokens]],
  ["large", 32_768, [excerptTokens, historyTokens, viewedTokens, regionTokens]],
  ["just large enough", 8_334, [excerptTokens, historyTokens, viewedTokens, regionTokens]],
  ["small", 4_096, [983, 491, 983, 1_228]],
  ["tiny", 1_000, [240, 120, 240, 300]],
])("the token limits of a prompt fit into a context that is %s", (_, context, tokens) => {
  const within = settingsWithin(defaultPromptInputSettings, context);
  expect([within.excerptTokens, within.historyTokens, within.viewedTokens, within.regionTokens]).toEqual(tokens);
  expect(within).toMatchObject({ linesAbove: 2, linesBelow: 5, contextLines: 15 });
});

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

const characters = { name: "characters", isExact: true, count: (text: string) => text.length };

const lines = { start: 4, end: 5 };
const edit = { path: "b.ts", lines, before: [redacted("old")], after: [redacted("new")], atMs: 0 };

/** A file with a letter a line: `def` are the editable region, and `bcdefgh` the excerpt. */
const promptInput: NextEditPromptInput = {
  ...{ path: "a.ts", language: "typescript", text: "a\nb\nc\nd\ne\nf\ng\nh\ni\n", cursor: 8 },
  ...{ window: { start: 3, end: 6 }, area: { start: 2, end: 7 }, page: { start: 1, end: 8 } },
  history: [edit],
  viewed: [{ path: "c.ts", lines: { start: 0, end: 1 }, text: redacted("seen\n") }],
  diagnostics: [{ line: 3, severity: "error", message: redacted("no d") }],
};

test("a prompt input is listed as parts with their tokens", () => {
  const { parts } = shownPromptInput(promptInput, promptInput, { model: "m", format: "zeta", counter: characters });
  const rows = parts.map(({ kind, path, lines, text, tokens }) => `${kind} ${path}:${lines.start} ${tokens} ${text}`);
  expect(rows.map((row) => row.replaceAll("\n", "⏎"))).toEqual([
    "viewed c.ts:0 5 seen⏎",
    "edit b.ts:4 10 +new⏎-old⏎",
    "diagnostic a.ts:3 11 error: no d",
    "above a.ts:1 4 b⏎c⏎",
    "window a.ts:3 6 d⏎e⏎f⏎",
    "below a.ts:6 4 g⏎h⏎",
  ]);
});

test("the number of edits, snippets and diagnostics that did not fit is reported", () => {
  const offered = { history: [edit, edit, edit], viewed: promptInput.viewed, diagnostics: [] };
  const { leftOut } = shownPromptInput({ ...promptInput, diagnostics: [] }, offered, {
    model: "m",
    format: "zeta",
    counter: characters,
  });
  expect(leftOut).toEqual({ edits: 2, viewed: 0, diagnostics: 0 });
});

test("a part without lines is left out", () => {
  const narrow = { ...promptInput, page: promptInput.window, history: [], viewed: [], diagnostics: [] };
  const { parts } = shownPromptInput(narrow, narrow, { model: "m", format: "zeta", counter: characters });
  expect(parts.map(({ kind }) => kind)).toEqual(["window"]);
});
