import { afterEach, expect, test } from "vitest";
import { NameTables, readNames } from "../../names/name-tables.ts";
import { parseScriptTree } from "../../names/node/index.ts";
import { Edit } from "../../text/index.ts";
import { contextAfter } from "../fixtures/context-after.ts";
import { RenameProvider } from "../providers/rename/rename-provider.ts";
import { NamesApart, partsOf, tableOf } from "./names-apart.ts";

let apart: NamesApart | undefined;
afterEach(() => apart?.[Symbol.dispose]());

/** Many functions, each of which calls `first`. */
function longScript(characters: number): string {
  const pieces = ["export function first(a: number) {\n  return a;\n}\n"];
  for (let n = 0, length = 0; length < characters; n += 1) {
    pieces.push(`function work${n}(a: number) {\n  return first(a) + ${n};\n}\n`);
    length += pieces.at(-1)!.length;
  }
  return pieces.join("");
}

test("row 14: a name table is the same after it was sent in parts", () => {
  const question = { path: "a.ts", language: "typescript", text: longScript(300_000) };
  const table = readNames({ parseScript: parseScriptTree }, question)!;
  const parts = [...partsOf(table)];
  expect(parts.length).toBeGreaterThan(5);
  const back = tableOf(parts);
  expect(back.uses).toEqual(table.uses);
  expect(back.scopes).toEqual(table.scopes);
  expect(back.bindings).toEqual(table.bindings);
  expect(back.comments).toEqual(table.comments);
});

test.each([
  ["a script", `${longScript(100_000)}`],
  ["what nests too deeply", `${"a?b:".repeat(20_000)}c`],
])("row 14: the names of %s are the same when read in another process", { timeout: 60_000 }, async (_, text) => {
  apart = new NamesApart();
  const question = { path: "a.ts", language: "typescript", text };
  const table = await apart.read(question);
  expect(table?.uses).toEqual(readNames({ parseScript: parseScriptTree }, question)?.uses);
});

test("row 14: the names of Python are read in another process", { timeout: 60_000 }, async () => {
  apart = new NamesApart();
  const text = "def first(a):\n    return first(a)\n\n".repeat(3_000);
  const table = await apart.read({ path: "a.py", language: "python", text });
  expect(table?.named("first").length).toBe(6_000);
});

test.each([
  ["vue", `<script setup>let first;</script><template>${"<p>{{ first }}</p>\n".repeat(4_000)}</template>`],
  ["svelte", `<script>let first;</script>\n${"<p>{first}</p>\n".repeat(4_000)}`],
])("row 14: the names of a %s component are read in another process", { timeout: 60_000 }, async (language, text) => {
  apart = new NamesApart();
  const table = await apart.read({ path: `a.${language}`, language, text });
  expect(table?.named("first").length).toBe(4_001);
});

test("row 14: a rename in a long script is followed once its names are read", { timeout: 60_000 }, async () => {
  apart = new NamesApart();
  const own = apart;
  const tables = new NameTables({ parseScript: parseScriptTree, apart: (question) => own.read(question) });
  const source = new RenameProvider(tables);
  const before = longScript(1_000_000);
  const at = before.indexOf("first") + "first".length;
  const context = contextAfter("a.ts", before, Edit.insert(at, "Call").apply(before));
  // Texts of this length are not read synchronously.
  expect([...source.propose(context)]).toEqual([]);
  for (let round = 0; round < 3; round += 1) {
    if ((await source.readOn(new Promise(() => undefined))) !== "done") break;
  }
  const [proposal] = source.propose(context);
  expect(proposal?.edit?.edits[0]?.text).toBe("firstCall");
  tables.forget("a.ts");
  expect([...source.propose(context)]).toEqual([]);
});
