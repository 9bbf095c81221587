import { expect, test } from "vitest";
import type { NextEditScene } from "./next-edit-scene.ts";
import { shownScene } from "./shown-scene.ts";

const characters = { name: "characters", isExact: true, count: (text: string) => text.length };

const edit = { path: "b.ts", lines: { start: 4, end: 5 }, before: ["old"], after: ["new"], atMs: 0 };

/** A file of single letters as lines, of which `def` may be written anew, and `bcdefgh` are shown. */
const scene: NextEditScene = {
  ...{ path: "a.ts", language: "typescript", text: "a\nb\nc\nd\ne\nf\ng\nh\ni\n", cursor: 8 },
  ...{ window: { start: 3, end: 6 }, area: { start: 2, end: 7 }, page: { start: 1, end: 8 } },
  history: [edit],
  viewed: [{ path: "c.ts", lines: { start: 0, end: 1 }, text: "seen\n" }],
  diagnostics: [{ line: 3, severity: "error", message: "no d" }],
};

test("all parts of a scene in the order of their distance, with their tokens", () => {
  const { parts } = shownScene(scene, scene, { model: "m", format: "zeta", counter: characters });
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

test("how much there was no room for", () => {
  const told = { history: [edit, edit, edit], viewed: scene.viewed, diagnostics: [] };
  const { leftOut } = shownScene({ ...scene, diagnostics: [] }, told, {
    model: "m",
    format: "zeta",
    counter: characters,
  });
  expect(leftOut).toEqual({ edits: 2, viewed: 0, diagnostics: 0 });
});

test("what has no lines is left out", () => {
  const narrow = { ...scene, page: scene.window, history: [], viewed: [], diagnostics: [] };
  const { parts } = shownScene(narrow, narrow, { model: "m", format: "zeta", counter: characters });
  expect(parts.map(({ kind }) => kind)).toEqual(["window"]);
});
