import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formats } from "../formats/index.ts";

const page = new URL("../../docs/edit.md", import.meta.url);

test("the page about edits lists every format (UPDATE_DOCS=1 writes the table, biome aligns it)", () => {
  const text = readFileSync(page, "utf8");
  const rows = ["| format | |", "| --- | --- |", ...formats.map(({ name, title }) => `| \`${name}\` | ${title} |`)];
  const written = text.replace(
    /(<!-- formats -->\n)[\s\S]*?(\n<!-- \/formats -->)/,
    (_, start, end) => `${start}\n${rows.join("\n")}\n${end}`,
  );
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(page, written);
  expect(withoutAlignment(readFileSync(page, "utf8"))).toBe(withoutAlignment(written));
});

/** The page without what the formatter adds to tables. */
function withoutAlignment(text: string): string {
  return text.replace(/ +/g, " ").replace(/-{3,}/g, "---");
}
