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
  ["src/a.TEST.ts", "typescript", "fileTypes.test.ts"],
  ["docs/a.ts", "typescript", "folders.docs/"],
  ["docs/code/a.md", "markdown", undefined],
  ["vendored/a.go", "go", undefined],
  ["vendor/a.go", "go", "folders.vendor"],
])("the setting that switches off %s (%s) is %s", (path, language, setting) =>
  expect(trySwitchedOff(path, language, switches)).toBe(setting),
);

test("ghost text can be on for one language and off for all others", () => {
  const only = { enabled: true, languages: { "*": false, go: true }, fileTypes: {}, folders: {} };
  expect(trySwitchedOff("a.go", "go", only)).toBeUndefined();
  expect(trySwitchedOff("a.rs", "rust", only)).toBe("languages.*");
});

test("ghost text can be off everywhere", () => {
  expect(trySwitchedOff("docs/code/a.md", "markdown", { ...switches, enabled: false })).toBe("enabled");
});

test.each([
  ["a.ts", { ".ts": false }, "fileTypes.ts"],
  ["a.d.ts", { ".d.ts": false }, "fileTypes.d.ts"],
  ["a.lock", { lock: false }, "fileTypes.lock"],
])("row 54: a file type's setting is named with one dot: %s by %j: %s", (path, fileTypes, setting) => {
  expect(trySwitchedOff(path, "plaintext", { enabled: true, languages: {}, fileTypes, folders: {} })).toBe(setting);
});

test.each([
  ["a/src/b.ts", "**/src", true],
  ["src/b.ts", "**/src", true],
  ["srcs/b.ts", "**/src", false],
  ["src/b.ts", "src/**", true],
  ["src/deep/b.ts", "src/**/*", true],
  ["b.ts", "src/**", false],
  ["src/deep/b.ts", "./src", true],
  ["src/b.ts", "./src/", true],
  ["packages/a/src/b.ts", "packages/*/src", true],
  ["packages/a/b/src/b.ts", "packages/*/src", false],
  ["packages/src/b.ts", "packages/*/src", false],
  ["packages/a/b/src/b.ts", "packages/**/src", true],
  ["lib/a.ts", "{lib,vendor}", true],
  ["vendor2/a.ts", "vendor[0-9]", true],
  ["vendorx/a.ts", "vendor[!0-9]", true],
  ["src1/a.ts", "src?", true],
  ["src/.cache/a.ts", "src/*", true],
  ["a.ts", "**", true],
  ["app/[id]/a.ts", "app/[id]", true],
  ["Src/a.ts", "**/src", false],
])("row 53: folders: %s by %s: %s", (path, folder, isOff) => {
  const only = { enabled: true, languages: {}, fileTypes: {}, folders: { [folder]: false } };
  expect(trySwitchedOff(path, "typescript", only)).toBe(isOff ? `folders.${folder}` : undefined);
});

test("row 53: the setting of the deepest folder applies, and of two patterns for it the longest", () => {
  const folders = { "src/**": false, "src/a": true, "**/generated": false, "src/a/generated": true };
  const only = { enabled: true, languages: {}, fileTypes: {}, folders };
  expect(trySwitchedOff("src/b/c.ts", "typescript", only)).toBe("folders.src/**");
  expect(trySwitchedOff("src/a/c.ts", "typescript", only)).toBeUndefined();
  expect(trySwitchedOff("src/a/b/generated/c.ts", "typescript", only)).toBe("folders.**/generated");
  expect(trySwitchedOff("src/a/generated/c.ts", "typescript", only)).toBeUndefined();
});

test.each([
  ["src/a.ts", "*.ts", true],
  ["src/A.TS", "*.ts", true],
  ["a.tsx", "*.ts", false],
  ["src/a.ts", "**/*.ts", true],
  ["src/a.test.ts", "*.test.*", true],
  ["src/a.tsx", "*.{ts,tsx}", true],
  ["src/a.ts", "src/*.ts", true],
  ["lib/a.ts", "src/*.ts", false],
  ["Makefile", "Make*", true],
  ["a.ts", "ts", true],
])("row 53: file types: %s by %s: %s", (path, fileType, isOff) => {
  const only = { enabled: true, languages: {}, fileTypes: { [fileType]: false }, folders: {} };
  expect(trySwitchedOff(path, "typescript", only)).toBe(isOff ? `fileTypes.${fileType}` : undefined);
});

test("row 53: a longer file ending overrides a shorter one, also in a glob", () => {
  const only = { enabled: true, languages: {}, fileTypes: { "**/*.ts": false, ".test.ts": true }, folders: {} };
  expect(trySwitchedOff("src/a.ts", "typescript", only)).toBe("fileTypes.**/*.ts");
  expect(trySwitchedOff("src/a.test.ts", "typescript", only)).toBeUndefined();
});
