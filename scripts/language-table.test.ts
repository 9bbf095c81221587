import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { languagePage, languagePagePath } from "./language-table.ts";

test("docs/languages.md is what `npm run docs:languages` writes", async () => {
  expect(readFileSync(languagePagePath, "utf8")).toBe(await languagePage());
});
