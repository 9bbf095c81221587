import { describe, expect, test } from "vitest";
import { languageById, languageOf, languages, scriptKindOf } from "./languages.ts";

describe("languageOf", () => {
  /** Path, first line, id. */
  const cases: readonly (readonly [string, string, string])[] = [
    ["src/index.ts", "", "typescript"],
    ["src/index.d.ts", "", "typescript"],
    ["src/index.d.mts", "", "typescript"],
    ["C:\\work\\App.TSX", "", "typescriptreact"],
    ["file:///work/a%20b/main.py?version=2#L3", "", "python"],
    ["lib.rs", "", "rust"],
    ["stdio.h", "", "c"],
    ["vector.hpp", "", "cpp"],
    ["Gemfile", "", "ruby"],
    ["Dockerfile", "", "dockerfile"],
    ["web.dockerfile", "", "dockerfile"],
    ["tsconfig.json", "", "jsonc"],
    ["package.json", "", "json"],
    ["notes.test.md", "", "markdown"],
    ["bin/run", "#!/usr/bin/env python3", "python"],
    ["bin/run", "#!/bin/bash -e", "shellscript"],
    ["bin/run", "#!/usr/bin/env -S node --no-warnings", "javascript"],
    ["bin/run", "#!/usr/bin/env tsx", "typescript"],
    ["bin/run", "<?php", "php"],
    ["bin/run", "#!/usr/bin/php", "php"],
    ["page", "<!DOCTYPE html>", "html"],
    ["bin/run", "just words", "plaintext"],
    ["archive.tar.gz", "", "plaintext"],
    [".bashrc", "", "shellscript"],
    ["", "", "plaintext"],
  ];
  for (const [path, firstLine, id] of cases) {
    test(`${path} ${firstLine} is ${id}`, () => expect(languageOf(path, firstLine).id).toBe(id));
  }
});

describe("scriptKindOf", () => {
  const cases = [
    ["a.ts", "ts"],
    ["a.mts", "ts"],
    ["a.d.ts", "dts"],
    ["a.d.cts", "dts"],
    ["a.d.css.ts", "dts"],
    ["a.dd.ts", "ts"],
    ["a.tsx", "tsx"],
    ["a.js", "jsx"],
    ["a.py", undefined],
  ] as const;
  for (const [path, kind] of cases) {
    test(`${path} is read as ${kind}`, () => expect(scriptKindOf(languageOf(path), path)).toBe(kind));
  }
});

describe("the table", () => {
  test("every id, extension and file name of the registry is unique and in lower case, extensions with their dot", () => {
    const once = (values: readonly string[]) => expect(values).toEqual([...new Set(values)]);
    once(languages.map((language) => language.id));
    once(languages.flatMap((language) => language.extensions));
    once(languages.flatMap((language) => language.filenames));
    for (const { extensions, filenames } of languages) {
      for (const extension of extensions) expect(extension).toMatch(/^\.[^A-Z]+$/);
      for (const filename of filenames) expect(filename).toBe(filename.toLowerCase());
    }
  });

  test("languageById finds each row of the registry", () => {
    for (const language of languages) expect(languageById(language.id)).toBe(language);
    expect(languageById("klingon")).toBeUndefined();
  });
});
