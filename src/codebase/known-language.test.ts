import { expect, test } from "vitest";
import { tryKnownLanguage } from "./known-language.ts";

test("tryKnownLanguage returns the language, plaintext for .txt, and undefined for an unknown name", () => {
  expect(tryKnownLanguage("a/b.ts")).toBe("typescript");
  expect(tryKnownLanguage("notes.TXT")).toBe("plaintext");
  expect(tryKnownLanguage("bin/run")).toBeUndefined();
  expect(tryKnownLanguage("bin/run", "#!/bin/sh")).toBe("shellscript");
  expect(tryKnownLanguage("a.unheard")).toBeUndefined();
});
