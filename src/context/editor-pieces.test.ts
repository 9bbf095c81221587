import { expect, test } from "vitest";
import type { Diagnostic } from "../text/index.ts";
import { diagnosticPieces, gitDiffPieces, recentEditPieces, symbolPieces } from "./editor-pieces.ts";

const cursor = { path: "a.ts", line: 10 };

test("editor pieces have the diagnostics nearest to the cursor, in line order", () => {
  const at = (line: number, severity: Diagnostic["severity"], message = "m") => ({
    ...{ start: line * 2, end: line * 2 + 1, code: "", message },
    ...(severity && { severity }),
  });
  const text = "a\n".repeat(91);
  const given = [at(12, undefined, "two\n  lines"), at(3, "warning"), at(11, "hint"), at(90, "error")];
  expect(diagnosticPieces(given, cursor, text).map(({ text }) => text)).toEqual([
    "line 4: warning: m\nline 13: error: two lines\n",
  ]);
  expect(diagnosticPieces([at(90, "error"), at(92, "error")], cursor, text)).toEqual([]);
});

test("editor pieces group the declarations of a file, without duplicates, within a line limit", () => {
  const symbols = [
    { name: "a", path: "x.ts", text: "const a: A;" },
    { name: "b", path: "y.ts", text: "const b: B;\n" },
    { name: "a", path: "x.ts", text: "const a: A;" },
    { name: "k", path: ".env", text: "KEY" },
    { name: "c", path: "x.ts", text: "const c: C;" },
    { name: "d", path: "x.ts", text: "const d: D;" },
  ];
  expect(symbolPieces(symbols, 5).map(({ path, text }) => [path, text])).toEqual([
    ["x.ts", "const a: A;\nconst c: C;\n"],
    ["y.ts", "const b: B;\n"],
  ]);
});

test("editor pieces leave files with secrets out of a diff", () => {
  const part = (path: string) => `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;
  expect(gitDiffPieces(part("src/.env") + part("a.ts")).map(({ text }) => text)).toEqual([part("a.ts")]);
  expect(gitDiffPieces(part("keys/id_rsa"))).toEqual([]);
  expect(gitDiffPieces("")).toEqual([]);
});

test("newer edits have a higher priority in a prompt than older ones", () => {
  const edit = (path: string) => ({ path, lines: { start: 10, end: 11 }, before: ["old"], after: ["new"], atMs: 0 });
  const pieces = recentEditPieces([edit("b.ts"), edit("a.ts")], cursor);
  expect(pieces.map(({ path, text }) => [path, text])).toEqual([
    ["b.ts", "+new\n-old\n"],
    ["a.ts", "-old\n"],
  ]);
  expect(pieces[0]!.priority).toBeLessThan(pieces[1]!.priority);
});
