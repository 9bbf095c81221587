import { afterAll, describe, expect, test } from "vitest";
import { BlockReader } from "../../codebase/index.ts";
import { filesOfTree, parseScriptTree, TypeScriptSource } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit, minimalEdit } from "../../text/index.ts";
import { TextIndex } from "../text-index.ts";
import { type MarkedFile, markedFiles } from "./fixtures/marked-files.ts";
import { ScriptedWitness } from "./fixtures/scripted-witness.ts";
import { PresentTypes } from "./present-types.ts";
import { ScriptStates } from "./script-states.ts";
import { WitnessJudge } from "./witness-judge.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

function partsOf(texts: ReadonlyMap<string, string>) {
  const files = new TextIndex();
  for (const [path, text] of texts) files.update(path, text);
  return { files, states: new ScriptStates(reader) };
}

/** What is said of the change of the first file that has one, those of others together with it: `fits MENDED`, or `worse CODE in FILE, …`. */
async function verdict(marked: string, types: (texts: ReadonlyMap<string, string>) => PresentTypes): Promise<string> {
  const files = markedFiles(marked);
  const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
  const [[path, side], ...others] = [...files].filter(([, { before, after }]) => before !== after) as [
    [string, MarkedFile],
    ...(readonly [string, MarkedFile])[],
  ];
  const together = new Map(others.map(([other, { after }]) => [other, after]));
  const known = types(texts);
  const judge = new WitnessJudge({ types: () => known, ...partsOf(texts) });
  const edit = minimalEdit(side.before, side.after);
  const said = await judge.judge({ path, text: side.before, edit, together });
  if (said.kind === "worse") return `worse ${said.findings.map((one) => `${one.code} in ${one.path}`).join(", ")}`;
  return said.kind === "fits" ? `fits ${said.mended}` : "unknown";
}

test.each([
  ["what is wrong where the person did the like does not count", "let a = bad;\nlet b = [2 > bad];\n", [0, 1], "fits"],
  ["on other lines it does", "let a = bad;\nlet b = [2 > bad];\n", [1, 2], "worse"],
] as const)("%s", async (_, marked, [start, end], said) => {
  const [[path, { before, after }]] = [...markedFiles(`--- a.ts\n${marked}`)] as [[string, MarkedFile]];
  const texts = new Map([[path, before]]);
  const known = new PresentTypes({ witness: new ScriptedWitness(texts), texts });
  const judge = new WitnessJudge({ types: () => known, ...partsOf(texts) });
  const alike = [{ path, lines: { start, end } }];
  const verdict = await judge.judge({ path, text: before, edit: minimalEdit(before, after), alike });
  expect(verdict.kind).toBe(said);
});

describe("a scripted checker", () => {
  const scripted = (texts: ReadonlyMap<string, string>) =>
    new PresentTypes({ witness: new ScriptedWitness(texts), texts });
  const cases: readonly (readonly [name: string, marked: string, said: string])[] = [
    ["an edit that nobody minds", "--- a.ts\nlet x = [1 > 2];\n", "fits 0"],
    ["one that brings a complaint", "--- a.ts\nlet x = [1 > bad];\n", "worse 1 in a.ts"],
    ["one that mends one of two", "--- a.ts\nlet x = [bad1 > ok] + bad2;\n", "fits 1"],
    ["complaints that were there move along", "--- a.ts\n[ > let y;\n]let x = bad;\n", "fits 0"],
    [
      "another file wants the name that goes",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // wants a.ts:sum\n',
      "worse 2 in b.ts",
    ],
    [
      "another file gets the name that it wanted",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // wants a.ts:total\n',
      "fits 1",
    ],
    [
      "another file gets another text together with it",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // wants a.ts:[sum > total]\n',
      "fits 0",
    ],
    [
      "and may be what is worse",
      '--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\nimport "./a.ts"; // [x > wants a.ts:sum]\n',
      "worse 2 in b.ts",
    ],
    [
      "where others see nothing else, they are not asked",
      '--- a.ts\nexport const x = () => { [sum > total](); };\n--- b.ts\nimport "./a.ts"; // wants a.ts:sum\n',
      "fits 0",
    ],
    [
      "who does not import the file is not asked",
      "--- a.ts\nexport const [sum > total] = 1;\n--- b.ts\n// wants a.ts:sum\n",
      "fits 0",
    ],
  ];
  test.each(cases)("%s", async (_, marked, said) => {
    expect(await verdict(marked, scripted)).toBe(said);
  });

  test("a file that the checker does not know", async () => {
    const types = (texts: ReadonlyMap<string, string>) =>
      new PresentTypes({ witness: new ScriptedWitness(texts), texts, takes: (path) => path.endsWith(".ts") });
    expect(await verdict("--- a.md\n[good > bad]\n", types)).toBe("unknown");
  });

  test("law: an edit that changes nothing fits, and nobody is asked", async () => {
    const text = "let x = bad;\n";
    const witness = new ScriptedWitness([["a.ts", text]]);
    const types = new PresentTypes({ witness, texts: [["a.ts", text]] });
    const judge = new WitnessJudge({ types: () => types, ...partsOf(new Map([["a.ts", text]])) });
    for (const edit of [Edit.empty, Edit.replace({ start: 0, end: 3 }, "let")])
      expect(await judge.judge({ path: "a.ts", text, edit })).toEqual({ kind: "fits", mended: 0 });
    expect(witness.log).toEqual([]);
  });

  test("a question that is given up leaves the checker in a state that is known", async () => {
    const text = "let x = 1;\n";
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const witness = new ScriptedWitness([["a.ts", text]], pause);
    const types = new PresentTypes({ witness, texts: [["a.ts", text]] });
    const judge = new WitnessJudge({ types: () => types, ...partsOf(new Map([["a.ts", text]])) });
    const giving = new AbortController();
    const edit = Edit.insert(0, "bad;");
    const given = judge.judge({ path: "a.ts", text, edit }, { signal: giving.signal });
    setImmediate(() => giving.abort(new Error("enough")));
    await expect(given).rejects.toThrow("enough");
    expect(await types.errorsOf(["a.ts"])).toEqual([]);
    expect(await judge.judge({ path: "a.ts", text, edit })).toMatchObject({ kind: "worse" });
  });

  test("errors known from before are not asked again: one question for an edit", async () => {
    const text = "let x = 1;\n";
    const witness = new ScriptedWitness([["a.ts", text]]);
    const types = new PresentTypes({ witness, texts: [["a.ts", text]] });
    const judge = new WitnessJudge({ types: () => types, ...partsOf(new Map([["a.ts", text]])) });
    await types.errorsOf(["a.ts"]);
    witness.log.length = 0;
    await judge.judge({ path: "a.ts", text, edit: Edit.insert(0, "bad;") });
    expect(witness.log).toEqual(["told a.ts", "asked a.ts"]);
  });
});

describe("TypeScript's own checker", () => {
  const cases: readonly (readonly [name: string, marked: string, said: string])[] = [
    [
      "an argument that was missing",
      `--- send.ts\nexport function send(text: string, times: number) { return text.repeat(times); }\n--- use.ts\nimport { send } from "./send.ts";\nexport const said = send("a"[ > , 2]);\n`,
      "fits 1",
    ],
    [
      "an argument of another type",
      `--- send.ts\nexport function send(text: string) { return text; }\n--- use.ts\nimport { send } from "./send.ts";\nexport const said = send(["a" > 2]);\n`,
      "worse 2345 in use.ts",
    ],
    [
      "callers in another file lack an argument now",
      `--- send.ts\nexport function send(text: string[ > , times: number]) { return text; }\n--- use.ts\nimport { send } from "./send.ts";\nexport const said = send("a");\n`,
      "worse 2554 in use.ts",
    ],
    [
      "a library that is not installed",
      `--- use.ts\n[ > import { z } from "zod";\n]export const said = 1;\n`,
      "fits 0",
    ],
  ];
  test.each(cases)("%s", async (_, marked, said) => {
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
      const witness = source;
      expect(await verdict(marked, () => new PresentTypes({ witness, texts }))).toBe(said);
    } finally {
      await source?.[Symbol.asyncDispose]();
    }
  });
});
