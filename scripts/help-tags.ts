/**
 * Writes `editors/neovim/doc/tags`, which Vim reads for `:help emend`:
 * `tsx scripts/help-tags.ts`, a part of `npm run build`. Git ignores the file, so that a clone
 * stays clean; the package contains it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The tags file of help files, as Vim's `:helptags` writes it: a row `TAG<Tab>FILE<Tab>/*TAG*` for
 * each `*TAG*` between white space, sorted by bytes.
 */
export function helpTags(files: ReadonlyMap<string, string>): string {
  const rows = [...files].flatMap(([file, text]) =>
    Array.from(text.matchAll(/(?<!\S)\*([^*\s|]+)\*(?!\S)/g), ([, tag]) => {
      return `${tag}\t${file}\t/*${tag!.replaceAll(/[\\/]/g, "\\$&")}*\n`;
    }),
  );
  return rows.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))).join("");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL("../editors/neovim/doc", import.meta.url));
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  const files = new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  writeFileSync(join(folder, "tags"), helpTags(files));
}
