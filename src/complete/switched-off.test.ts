import { expect, test } from "vitest";
import { trySwitchedOff } from "./switched-off.ts";

const switches = {
  enabled: true,
  languages: { "*": true, markdown: false },
  fileTypes: { ".ts": true, ".test.ts": false, ".lock": false },
  folders: { "docs/": false, "docs/code": true, vendor: false },
};

test.each([
  ["src/a.go", "go", undefined],
  ["README.md", "markdown", "languages.markdown"],
  ["src/a.ts", "typescript", undefined],
  ["src/a.TEST.ts", "typescript", "fileTypes..test.ts"],
  ["docs/a.ts", "typescript", "folders.docs/"],
  ["docs/code/a.md", "markdown", undefined],
  ["vendored/a.go", "go", undefined],
  ["vendor/a.go", "go", "folders.vendor"],
])("%s (%s): %s", (path, language, setting) => expect(trySwitchedOff(path, language, switches)).toBe(setting));

test("all languages may be off but one", () => {
  const only = { enabled: true, languages: { "*": false, go: true }, fileTypes: {}, folders: {} };
  expect(trySwitchedOff("a.go", "go", only)).toBeUndefined();
  expect(trySwitchedOff("a.rs", "rust", only)).toBe("languages.*");
});

test("all may be off", () => {
  expect(trySwitchedOff("docs/code/a.md", "markdown", { ...switches, enabled: false })).toBe("enabled");
});
