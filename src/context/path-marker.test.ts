import { expect, test } from "vitest";
import { pathMarker } from "./path-marker.ts";

const cases: readonly (readonly [path: string, language: string, marker: string])[] = [
  ["src/a.ts", "typescript", "// Path: src/a.ts\n"],
  ["run", "python", "# Path: run\n# Language: Python\n"],
  ["a.css", "css", "/* Path: a.css */\n"],
  ["a.json", "json", ""],
  ["a.txt", "plaintext", ""],
  ["a.xyz", "no-such-language", ""],
];
for (const [path, language, marker] of cases)
  test(`${path}, ${language}`, () => expect(pathMarker(path, language)).toBe(marker));
