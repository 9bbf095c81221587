import { afterAll, describe, expect, test } from "vitest";
import { ScriptedTypeChecker } from "../../analysis/fixtures/scripted-type-checker.ts";
import { BlockReader, ParseCache, TypeCheckCache } from "../../analysis/index.ts";
import { filesOfTree, TypeScriptSource } from "../../analysis/node/index.ts";
import { parseScriptTree } from "../../names/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit, minimalEdit } from "../../text/index.ts";
import { TextIndex } from "../engine/text-index.ts";
import { type MarkedFile, markedFiles } from "../providers/types/fixtures/marked-files.ts";
import { isOfTheSameChange, namesOfEdit, namesOfPast, TypeErrorCheck } from "./type-error-check.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

function partsOf(texts: ReadonlyMap<string, string>) {
  const files = new TextIndex();
  for (const [path, text] of texts) files.update(path, text);
  return { files, states: new ParseCache(reader) };
}

/**
 * The verdict on the change of the first file that has one, together with the changes of other
 * files: `fits FIXED`, or `worse CODE in FILE, …`. The user's earlier edits replaced the text
 * before `>` in `past` by the text after it.
 */
async function verdict(
  marked: string,
  types: (texts: ReadonlyMap<string, string>) => TypeCheckCache,
  past: readonly string[] = [],
): Promise<string> {
  const files = markedFiles(marked);
  const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
  const [[path, side], ...others] = [...files].filter(([, { before, after }]) => before !== after) as [
    [string, MarkedFile],
    ...(readonly [string, MarkedFile])[],
  ];
  const together = new Map(others.map(([other, { after }]) => [other, after]));
  const known = types(texts);
  const judge = new TypeErrorCheck({ types: () => known, ...partsOf(texts) });
  const edit = minimalEdit(side.before, side.after);
  const alike = past.map((one) => {
    const [before = "", after = ""] = one.split(" > ");
    return { path: "past.ts", lines: { start: 0, end: 1 }, before: [before], after: [after], atMs: 0 };
  });
  const result = await judge.judge({ path, text: side.before, edit, together, alike });
  if (result.kind === "worse" || result.kind === "unfinished")
    return `${result.kind} ${result.findings.map((one) => `${one.code} in ${one.path}`).join(", ")}`;
  return result.kind === "fits" ? `fits ${result.mended}` : "unknown";
}

describe("the type error check with a scripted type checker", () => {
  const scripted = (texts: ReadonlyMap<string, string>) =>
    new TypeCheckCache({ checker: new ScriptedTypeChecker(texts), texts });
  const cases: readonly (readonly [name: string, marked: string, expected: string])[] = [
    ["an edit without diagnostics", "--- a.ts\nlet x = [1 > 2];\n", "fits 0"],
    ["an edit that adds a diagnostic", "--- a.ts\nlet x = [1 > bad];\n", "worse 1 in a.ts"],
    ["an edit that fixes one of two errors", "--- a.ts\nlet x = [bad1 > ok] + bad2;\n", "fits 1"],
    ["old diagnostics move with the text", "--- a.ts\n[ > let y;\n]let x = bad;\n", "fits 0"],
    [
      "another file uses the removed name",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // wants a.ts:sum\n',
      "worse 2 in b.ts",
    ],
    [
      "another file used the added name before",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // wants a.ts:total\n',
      "fits 1",
    ],
    [
      "another file changes in the same chain",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // wants a.ts:[sum > total]\n',
      "fits 0",
    ],
    [
      "the error is in another file of the chain",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // [x > wants a.ts:sum]\n',
      "worse 2 in b.ts",
    ],
    [
      "dependents are not checked where the exported names are unchanged",
      '--- a.ts\nexport const x = () => { [sum > total](); };\n--- b.ts\nimport "./a.ts"; // wants a.ts:sum\n',
      "fits 0",
    ],
    [
      "a file without an import of the edited one is not checked",
      "--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\n// wants a.ts:sum\n",
      "fits 0",
    ],
  ];
  test.each(cases)("type error check with a scripted checker: %s", async (_, marked, expected) => {
    expect(await verdict(marked, scripted)).toBe(expected);
  });

  test("returns unknown for a file that the checker does not know", async () => {
    const types = (texts: ReadonlyMap<string, string>) =>
      new TypeCheckCache({ checker: new ScriptedTypeChecker(texts), texts, takes: (path) => path.endsWith(".ts") });
    expect(await verdict("--- a.md\n[good > bad]\n", types)).toBe("unknown");
  });

  test("law: an edit that changes nothing fits without a request to the checker", async () => {
    const text = "let x = bad;\n";
    const checker = new ScriptedTypeChecker([["a.ts", text]]);
    const types = new TypeCheckCache({ checker, texts: [["a.ts", text]] });
    const judge = new TypeErrorCheck({ types: () => types, ...partsOf(new Map([["a.ts", text]])) });
    for (const edit of [Edit.empty, Edit.replace({ start: 0, end: 3 }, "let")])
      expect(await judge.judge({ path: "a.ts", text, edit })).toEqual({ kind: "fits", mended: 0 });
    expect(checker.log).toEqual([]);
  });

  test("an aborted check leaves the checker in a known state", async () => {
    const text = "let x = 1;\n";
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const checker = new ScriptedTypeChecker([["a.ts", text]], pause);
    const types = new TypeCheckCache({ checker, texts: [["a.ts", text]] });
    const judge = new TypeErrorCheck({ types: () => types, ...partsOf(new Map([["a.ts", text]])) });
    const giving = new AbortController();
    const edit = Edit.insert(0, "bad;");
    const given = judge.judge({ path: "a.ts", text, edit }, { signal: giving.signal });
    setImmediate(() => giving.abort(new Error("enough")));
    await expect(given).rejects.toThrow("enough");
    expect(await types.errorsOf(["a.ts"])).toEqual([]);
    expect(await judge.judge({ path: "a.ts", text, edit })).toMatchObject({ kind: "worse" });
  });

  test("the other files of a chain are checked together, in the state that the checker has", async () => {
    const texts = new Map(["a.ts", "b.ts", "c.ts"].map((path) => [path, "let x = 1;\n"]));
    const checker = new ScriptedTypeChecker(texts);
    const types = new TypeCheckCache({ checker, texts });
    const judge = new TypeErrorCheck({ types: () => types, ...partsOf(texts) });
    const text = texts.get("a.ts")!;
    const together = new Map(["b.ts", "c.ts"].map((path) => [path, "let y = 1;\n"]));
    await judge.judge({ path: "a.ts", text, edit: Edit.replace({ start: 4, end: 5 }, "y"), together });
    const there = "update b.ts c.ts a.ts";
    expect(checker.log).toEqual(["errors a.ts", there, "errors a.ts", "errors b.ts c.ts", there, "errors b.ts c.ts"]);
  });

  test.each<readonly [string, readonly string[], boolean]>([
    ["bad;", ["a.ts"], true],
    ["ok;", ["a.ts"], false],
    ["bad;", ["b.ts"], false],
    ["bad;", ["none.ts", "a.ts"], true],
    ["bad;", [], false],
  ])("hasErrors with %s in a.ts, for %j: %s", async (text, paths, isWrong) => {
    const texts = new Map([
      ["a.ts", text],
      ["b.ts", ""],
    ]);
    const types = new TypeCheckCache({ checker: new ScriptedTypeChecker(texts), texts });
    expect(await new TypeErrorCheck({ types: () => types, ...partsOf(texts) }).hasErrors(paths)).toBe(isWrong);
    expect(await new TypeErrorCheck({ types: () => undefined, ...partsOf(texts) }).hasErrors(paths)).toBe(false);
  });

  test("cached errors are not requested again: one request for an edit", async () => {
    const text = "let x = 1;\n";
    const checker = new ScriptedTypeChecker([["a.ts", text]]);
    const types = new TypeCheckCache({ checker, texts: [["a.ts", text]] });
    const judge = new TypeErrorCheck({ types: () => types, ...partsOf(new Map([["a.ts", text]])) });
    await types.errorsOf(["a.ts"]);
    checker.log.length = 0;
    await judge.judge({ path: "a.ts", text, edit: Edit.insert(0, "bad;") });
    expect(checker.log).toEqual(["update a.ts", "errors a.ts"]);
  });
});

describe("the type error check with TypeScript's own checker", () => {
  const cases: readonly (readonly [name: string, marked: string, expected: string, past?: readonly string[]])[] = [
    [
      "an argument that was missing",
      `--- send.ts\nexport function send(text: string, times: number) { return text.repeat(times); }\n--- use.ts\nimport { send } from "./send.ts";\nexport const said = send("a"[ > , 2]);\n`,
      "fits 1",
    ],
    [
      "an argument of another type",
      `--- send.ts\nexport function send(text: string) { return text; }\n--- use.ts\nimport { send } from "./send.ts";\nexport const said = send(["a" > 2]);\n`,
      "worse 2345 in use.ts",
      ['send("a") > send(2)'],
    ],
    [
      "callers in another file lack an argument now",
      `--- send.ts\nexport function send(text: string[ > , times: number]) { return text; }\n--- use.ts\nimport { send } from "./send.ts";\nexport const said = send("a");\n`,
      "worse 2554 in use.ts",
    ],
    [
      "what was renamed and takes another parameter is called by its new name: that one is missing was hidden",
      `--- send.ts\nexport function post(text: string, times: number) { return text; }\n--- use.ts\nimport { [send > post] } from "./send.ts";\nexport const said = [send > post]("a");\n`,
      "fits 1",
    ],
    [
      "but not what is wrong elsewhere",
      `--- send.ts\nexport function post(text: string) { return text; }\n--- use.ts\nimport { [send > post] } from "./send.ts";\nexport const said = [send > post]("a");\nconst two: string = ["" > 2];\n`,
      "worse 2322 in use.ts",
    ],
    [
      "a library that is not installed",
      `--- use.ts\n[ > import { z } from "zod";\n]export const said = 1;\n`,
      "fits 0",
    ],
    [
      "an import goes, and its uses are still there",
      `--- a.ts\nexport const log = 1;\n--- use.ts\n[import { log } from "./a.ts";\n > ]export const said = log;\n`,
      "worse 2304 in use.ts",
    ],
    [
      "as it went elsewhere",
      `--- a.ts\nexport const log = 1;\n--- use.ts\n[import { log } from "./a.ts";\n > ]export const said = log;\n`,
      "unfinished 2304 in use.ts",
      ['import { log } from "../a.ts"; > '],
    ],
    [
      "another one than elsewhere",
      `--- a.ts\nexport const log = 1;\n--- use.ts\n[import { log } from "./a.ts";\n > ]export const said = log;\n`,
      "worse 2304 in use.ts",
      ['import { send } from "./a.ts"; > '],
    ],
    [
      "a member is called that is not there yet",
      "--- a.ts\nexport class Session { client = 1; run() { return this.[client > query]; } }\n",
      "unfinished 2339 in a.ts",
      ["this.client > this.query"],
    ],
    [
      "a parameter is passed on that is not there yet",
      "--- a.ts\ndeclare function run(sql: string, ctx?: object): void;\nexport function get(sql: string) { run(sql[ > , ctx]); }\n",
      "unfinished 2304 in a.ts",
      ["run(sql); > run(sql, ctx);", "find(sql: string) { > find(sql: string, ctx: object) {"],
    ],
    [
      "the same where something else is wrong with it",
      "--- a.ts\ndeclare function run(sql: string): void;\nexport function get(sql: string) { run([sql > ctx, sql]); }\n",
      "worse 2554 in a.ts",
      ["run(sql); > run(ctx, sql);"],
    ],
    [
      "what others import goes, as it went elsewhere",
      `--- a.ts\n[export const log = 1;\n > ]export {};\n--- use.ts\nimport { log } from "./a.ts";\nexport const said = log;\n`,
      "unfinished 2305 in use.ts",
      ["export const log = 2; > "],
    ],
    [
      "a name is declared twice, as nowhere else",
      "--- a.ts\nexport const size = 1;\nexport const [count > size] = 2;\n",
      "worse 2451 in a.ts, 2451 in a.ts",
      ["count > size"],
    ],
  ];
  const all = cases.map(([name, marked, verdict, past = []]) => [name, marked, verdict, past] as const);
  test.each(all)("the type error check: %s", async (_, marked, expected, past) => {
    let source: TypeScriptSource | undefined;
    try {
      const files = markedFiles(marked);
      const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
      source = await TypeScriptSource.open({
        root: "/made-up",
        paths: [...texts.keys()],
        readText: async (path) => texts.get(path),
        files: filesOfTree("/made-up", texts),
      });
      const checker = source;
      expect(await verdict(marked, () => new TypeCheckCache({ checker, texts }), past)).toBe(expected);
    } finally {
      await source?.[Symbol.asyncDispose]();
    }
  });
});

describe("an unresolved name is part of the same change as earlier edits", () => {
  /** `past` and `edit` are `old > new`; the diagnostic is at `«…»`. */
  const cases: readonly (readonly [past: string, edit: string, diagnostic: string, isOne: boolean, code?: string])[] = [
    ["client > clientQuery", "client > clientQuery", "this.«clientQuery»()", true],
    ["f(sql) > f(sql, ctx)", "g(sql) > g(sql, ctx)", "«ctx»", true],
    ["import pg from 'pg' > ", "import pg from 'pg' > ", "«pg».types", true],
    ["import { a } from './old' > import { a } from './new'", "'./old' > './new'", "from «'./new'»", true],
    ["'../old.js' > '../new.js'", "'../old.js' > '../new.js'", "from «'../new.js'»", true],
    ["#own > #other", "#own > #other", "this.«#other»", true],
    ["this.client() > this.clientQuery()", "client > clientQuery", "this.«clientQuery»()", true, "2339"],
    ["  count = 0; >   amount = 0;", "count > amount", "this.«amount»", true, "2339"],
    ["  private count: number; >   private amount: number;", "count > amount", "this.«amount»", true, "2339"],
    ["type A = { count: 1 } > type A = { amount: 1 }", "count > amount", "a.«amount»", true, "2339"],
    ["add(count: number) > add(amount: number)", "count > amount", "this.«amount»", false, "2339"],
    ["this.count += count > this.count += amount", "count > amount", "this.«amount»", false, "2339"],
    ["client > clientQuery", "other > clientQuery", "this.«client»()", false],
    ["client > session", "client > clientQuery", "this.«clientQuery»()", false],
    ["", "client > clientQuery", "this.«clientQuery»()", false],
    ["f(sql) > f(sql, ctx)", "g(sql) > g(sql, ctx)", "«g(sql, ctx)»", false],
    ["pg > pg, pool", "pg > pg, pool", "«pg».types", false],
    ["", "", "«»", false],
    ["port > port, ssl", "port > port, ssl", "{ «ssl» }", false, "2353"],
    ["a > b", "a > b", "let «b»", false, "2451"],
  ];
  const rows = cases.map(
    ([past, edit, diagnostic, isOne, code = "2304"]) => [past, edit, diagnostic, isOne, code] as const,
  );
  test.each(rows)("earlier edit %s, edit %s, diagnostic %s: %s", (past, edit, diagnostic, isOne, code) => {
    const [before = "", after = ""] = past.split(" > ");
    const [old = "", now = ""] = edit.split(" > ");
    const start = diagnostic.indexOf("«");
    const end = diagnostic.indexOf("»") - 1;
    const names = {
      own: namesOfEdit(old, Edit.replace({ start: 0, end: old.length }, now)),
      past: namesOfPast([{ before: [before], after: [after] }]),
    };
    expect(isOfTheSameChange({ code, start, end }, diagnostic.replaceAll(/[«»]/g, ""), names)).toBe(isOne);
  });
});
