/**
 * Writes what Emend has for each language into `docs/languages.md`:
 * `tsx scripts/language-table.ts`. The table comes from the records of `src/languages`.
 */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { type Language, languages } from "../src/languages/index.ts";

/** The path of the page that {@link languagePage} is the text of. */
export const languagePagePath = fileURLToPath(new URL("../docs/languages.md", import.meta.url));

const introduction = `# Languages

What Emend has for each language. This page is written by \`npm run docs:languages\` from the records
of \`src/languages\`; a language is known by its id, from VS Code's list.

- **Ghost text** works in every language; its suggestions add no error that the syntax check finds.
- **Syntax check**: a parser, or whether brackets and quotes match.
- **Blocks** are functions, classes and other pieces that edits and plans work on.
- **Rename**: how a rename that was begun by hand finds its other places. *scopes*: every name is
  bound to its declaration; *tree*: scopes and members as far as the syntax tree shows them.
- **References**: how the dependents of a change are found. *names* alone may be too many.
- **Types**: the checker that confirms edits and the impact of a change.
- **Repairs**: whether code that a change breaks is repaired without a model.
- **Grammar**: whether a model's answer can be held to what the grammar allows. The share is that of
  the files of real repositories that the grammar accepts.

`;

type Column = readonly [title: string, cell: (language: Language) => string | undefined];

const columns: readonly Column[] = [
  ["language", ({ name }) => name],
  ["id", ({ id }) => `\`${id}\``],
  ["ghost text", () => "yes"],
  ["syntax check", (language) => syntaxCheckOf(language)],
  ["blocks", ({ blocks }) => blocks && "yes"],
  ["rename", ({ script, isComponent, treeNames }) => (script || isComponent ? "scopes" : treeNames && "tree")],
  ["references", (language) => referencesOf(language)],
  ["types", ({ script, traits }) => (script ? "TypeScript" : traits.server)],
  ["repairs", ({ script }) => script && "yes"],
  ["grammar", ({ fills }) => grammarCell(fills)],
];

function syntaxCheckOf({ script, grammar, checksLayout, brackets }: Language): string | undefined {
  if (script !== undefined) return "oxc-parser";
  if (grammar !== undefined) return checksLayout ? "tree-sitter, indentation" : "tree-sitter";
  return brackets.length > 0 ? "brackets" : undefined;
}

function referencesOf({ script, binder, traits }: Language): string | undefined {
  if (script !== undefined) return "types";
  const resolution = binder && (binder.reader === undefined ? "names" : "classes");
  return traits.server === undefined ? resolution : `${resolution}, ${traits.server}`;
}

function grammarCell(grammar: Language["fills"]): string | undefined {
  const { accepted } = grammar ?? {};
  if (accepted === undefined) return grammar && "yes";
  return `${Math.round((10_000 * accepted.files) / accepted.of) / 100} %`;
}

/** The text of the page. */
export async function languagePage(): Promise<string> {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rows = languages.map((language) => row(columns.map(([, cell]) => cell(language) || "–")));
  const table = row(columns.map(([title]) => title)) + row(columns.map(() => "---")) + rows.join("");
  return format(introduction + table, { parser: "markdown", proseWrap: "always", printWidth: 100 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(languagePagePath, await languagePage());
