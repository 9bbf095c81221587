import { expect, test } from "vitest";
import { redacted } from "../../../model/fixtures/redacted.ts";
import type { NextEditPromptInput } from "./next-edit-prompt-input.ts";
import { shownPromptInput } from "./shown-prompt-input.ts";

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
