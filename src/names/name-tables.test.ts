import { expect, test } from "vitest";
import { ComponentParsers } from "./components/component-parsers.ts";
import { NameTables } from "./name-tables.ts";
import { parseScriptTree } from "./node/parse-script-tree.ts";
import type { ScriptTreeParser } from "./script-node.ts";

/** Returns a cache over a parser that counts its calls. */
function countingTables(): { readonly tables: NameTables; readonly parsed: () => number } {
  let count = 0;
  const parseScript: ScriptTreeParser = (text, goal) => {
    count++;
    return parseScriptTree(text, goal);
  };
  return { tables: new NameTables({ parseScript }), parsed: () => count };
}

test("the text before the edits is parsed once, however often it is edited", () => {
  const { tables, parsed } = countingTables();
  for (let i = 0; i < 20; i++) {
    expect(tables.of("a.ts", "typescript", "let a;")!.named("a")).toHaveLength(1);
    expect(tables.of("a.ts", "typescript", `let a${i};`)!.named(`a${i}`)).toHaveLength(1);
  }
  expect(parsed()).toBe(21);
});

test("the least recently used names are evicted", () => {
  const { tables, parsed } = countingTables();
  for (let i = 0; i < 1_000; i++) tables.of(`${i}.ts`, "typescript", "let a;");
  tables.of("999.ts", "typescript", "let a;");
  expect(parsed()).toBe(1_000);
  tables.of("0.ts", "typescript", "let a;");
  expect(parsed()).toBe(1_001);
});

test("a byte order mark moves no offset, and other languages have no names without a grammar", () => {
  const { tables } = countingTables();
  expect(tables.of("a.ts", "typescript", "\uFEFFlet a;")!.named("a")[0]!.start).toBe(5);
  expect(tables.of("a.py", "python", "a = 1")).toBeUndefined();
});

test("components are read once the parser of their language is loaded", async () => {
  const components = new ComponentParsers();
  const tables = new NameTables({ parseScript: parseScriptTree, components });
  const texts = {
    vue: "<script setup>let a;</script><template>{{ a }}</template>",
    svelte: "<script>let a;</script>{a}",
  };
  for (const [language, text] of Object.entries(texts)) {
    const path = `a.${language}`;
    expect(tables.of(path, language, text)).toBeUndefined();
    expect(components.isLoaded(language)).toBe(false);
    expect(await tables.readLeftOut(new Promise(() => undefined))).toBe("done");
    expect(tables.of(path, language, text)!.named("a")).toHaveLength(2);
    expect(tables.once(path, language, `${text} `)!.named("a")).toHaveLength(2);
  }
});

test("components have no names without their parsers", () => {
  const { tables } = countingTables();
  expect(tables.of("a.vue", "vue", "<script setup>let a;</script>")).toBeUndefined();
});
