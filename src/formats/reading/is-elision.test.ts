import { expect, test } from "vitest";
import { isElision } from "./is-elision.ts";

const elisions: readonly (readonly [row: string, path?: string])[] = [
  ["// ... existing code ..."],
  ["  // ... same ..."],
  ["# ... same ...", "a.py"],
  ["{/* ... existing code ... */}"],
  ["{ /* … */ }"],
  ["/* ... */"],
  ["<!-- ... existing markup ... -->"],
  ["-- ... other columns ..."],
  [";; ..."],
  ["% ... remaining cases ..."],
  ["(* ... *)"],
  ["{# ... rest of the template ... #}"],
  ["// ..."],
  ["# ...", "a.py"],
  ["// …"],
  ["// [...]"],
  ["// ... existing imports ..."],
  ["// ... (rest of the code)"],
  ["# ... rest of the function", "a.py"],
  ["// ...existing code"],
  ["// rest of the code"],
  ["# Rest of the file remains unchanged", "a.py"],
  ["// rest of your component here"],
  ["// Existing code..."],
  ["// remaining code unchanged"],
  ["# existing methods remain unchanged", "a.py"],
  ["// Other existing methods stay the same"],
  ["/* unchanged */"],
  ["// --- existing code ---"],
  ["# code omitted for brevity"],
  ["... existing code ..."],
  ["...", "a.ts"],
  ["…", "a.go"],
  ["  ..."],
  ["// ... 既存のコード ..."],
  ["// 省略"],
];

for (const [row, path] of elisions) {
  test(`a row is an elision: ${row}`, () => expect(isElision(row, path)).toBe(true));
}

const codeRows: readonly (readonly [row: string, path?: string])[] = [
  [""],
  ["..", "a.ts"],
  ["...", "a.py"],
  ["    ...", "a.pyi"],
  ["...", "a.yaml"],
  ["...", "a.h"],
  ["...args"],
  ["...rest,"],
  ["...existing.code,"],
  ["[...a, ...b]"],
  ["f(...)"],
  ["// existing users"],
  ["// Loading existing users..."],
  ["// ... then the rest is parsed"],
  ["// and so on ..."],
  ["// the rest of the arguments"],
  ["# Existing imports", "a.py"],
  ["# The same file again", "a.py"],
  ["// TODO: ..."],
  ["// ...rest"],
  ["//   ...existing,"],
  ["// * ... {}"],
  [" * ..."],
  ["return x; // ... existing code ..."],
  ['"..."'],
  ["#!/bin/sh"],
  ["rest of the code"],
];

for (const [row, path] of codeRows) {
  test(`a row of code is no elision: ${row}`, () => expect(isElision(row, path)).toBe(false));
}
