import { describe, expect, test } from "vitest";
import { LibraryDiagnostics } from "./library-diagnostics.ts";
import type { FileDiagnostic } from "./type-checker.ts";

/** A diagnostic at the first specifier in a text. */
function finding(path: string, text: string, code = "2307"): FileDiagnostic {
  const { index, 0: quoted } = /'[^']*'/.exec(text)!;
  return { path, code, start: index, end: index + quoted.length, message: `Cannot find module ${quoted}.` };
}

describe("LibraryDiagnostics.has for an unresolved module", () => {
  const old = "import { a } from 'src/old';";
  const lib = "import z from 'lib/sub';";
  const library = new LibraryDiagnostics([finding("lib.ts", lib)], [old]);

  test.each([
    ["import { z } from 'zod';", true],
    ["import '@scope/name/sub';", true],
    ["import { readFile } from 'node:fs';", true],
    // It was unresolved before, in any file.
    ["import z from 'lib/sub';", true],
    // A specifier that the change itself removes is a file that it moved or removed.
    ["import { a } from 'src/old';", false],
    ["import { a } from './a';", false],
    ["import { a } from '../a.ts';", false],
    ["import { a } from '/a';", false],
    ["import { a } from '@/a';", false],
    ["import { a } from '~/a';", false],
    ["import { a } from '#a';", false],
  ])("%s is about a library: %s", (text, expected) => {
    expect(library.has(finding("new.ts", text))).toBe(expected);
  });

  test("other diagnostics are recognised as library diagnostics by their code", () => {
    const text = "import z from 'zod';";
    expect(library.has(finding("a.ts", text, "7016"))).toBe(true);
    expect(library.has(finding("a.ts", text, "2305"))).toBe(false);
  });
});
