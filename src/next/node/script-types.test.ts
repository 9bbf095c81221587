import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type FileReferences, MemoryFileSystem } from "../../codebase/index.ts";
import type { TypeScriptSourceOptions } from "../../codebase/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { TextIndex } from "../text-index.ts";
import { ScriptedWitness } from "../types/fixtures/scripted-witness.ts";
import { ScriptTypes } from "./script-types.ts";

/** A checker of these files that is opened when it is let. */
function start(
  files: Readonly<Record<string, string>>,
  { openPaths = [] as readonly string[], fails = 0, knowsNames = false } = {},
) {
  const index = new TextIndex();
  for (const [path, text] of Object.entries(files)) index.update(path, text);
  const opened: { options: TypeScriptSourceOptions; witness: ScriptedWitness; isDisposed: boolean }[] = [];
  const problems: string[] = [];
  let letOpen!: () => void;
  const mayOpen = new Promise<void>((resolve) => {
    letOpen = resolve;
  });
  const types = new ScriptTypes({
    ...{ root: "/w", files: index, fileSystem: new MemoryFileSystem({ "/w/node_modules/a/tsconfig.json": "{}" }) },
    whenRead: Promise.resolve(),
    openPaths: () => openPaths,
    async open(options) {
      await mayOpen;
      const texts = [...options.paths].map((path) => [path, index.textOf(path) ?? ""] as const);
      const one = { options, witness: new ScriptedWitness(texts), isDisposed: false };
      opened.push(one);
      if (opened.length <= fails) throw new EmendError("typescript-missing", "There is no TypeScript.");
      return {
        update: (texts) => one.witness.update(texts),
        errorsOf: (paths, asking) => one.witness.errorsOf(paths, asking),
        ...(knowsNames && { referencesOf }),
        async [Symbol.asyncDispose]() {
          one.isDisposed = true;
        },
      };
    },
    onProblem: (message) => void problems.push(message),
  });
  const tell = (path: string, text: string | undefined) => {
    index.update(path, text);
    types.tell(path, text);
  };
  return { types, opened, problems, letOpen, tell };
}

/** What names mean: nothing, and in one file nobody knows. */
async function referencesOf([path = ""]: readonly string[]): Promise<readonly FileReferences[]> {
  if (path === "fails.ts") throw new EmendError("typescript-failed", "It ended.");
  return [{ path, references: [], unresolved: 0, precision: "types" }];
}

const files = { "a.ts": "bad();", "b.js": "good();", "tsconfig.json": "{}", "notes.md": "bad" };

test("is opened for the first script that is looked at, and for nothing else", async () => {
  const { types, opened, letOpen } = start(files);
  letOpen();
  types.want("notes.md");
  await setImmediate();
  expect([opened.length, types.current]).toEqual([0, undefined]);
  types.want("a.ts");
  types.want("b.js");
  await types.settled();
  expect(opened.map(({ options }) => [...options.paths])).toEqual([["a.ts", "b.js", "tsconfig.json"]]);
  expect((await types.current!.errorsOf(["a.ts"])).length).toBe(1);
  await types[Symbol.asyncDispose]();
  expect([opened[0]!.isDisposed, types.current]).toEqual([true, undefined]);
});

test("knows what was told while it was opened, and what editors have open otherwise than the disk", async () => {
  const { types, opened, letOpen, tell } = start(files, { openPaths: ["b.js", "notes.md"] });
  types.want("a.ts");
  await setImmediate();
  tell("a.ts", "good();");
  tell("c.ts", "bad(bad);");
  letOpen();
  await types.settled();
  expect(opened[0]!.options.files?.readFile("/w/b.js")).toBe("good();");
  expect(opened[0]!.options.files?.readFile("/w/a.ts")).toBeUndefined();
  expect(await opened[0]!.options.readText("node_modules/a/tsconfig.json")).toBe("{}");
  expect(await opened[0]!.options.readText("nowhere.json")).toBeUndefined();
  expect((await types.current!.errorsOf(["a.ts"])).length).toBe(0);
  expect((await types.current!.errorsOf(["c.ts"])).length).toBe(2);
  tell("c.ts", undefined);
  expect(types.current!.knows("c.ts")).toBe(false);
  await types[Symbol.asyncDispose]();
});

test("where it ends by itself, it is opened again when a script is looked at, a few times", async () => {
  const { types, opened, problems, letOpen } = start(files, { fails: 1 });
  letOpen();
  types.want("a.ts");
  await types.settled();
  expect([types.current, problems]).toEqual([
    undefined,
    ["Next edits are not checked by types: There is no TypeScript."],
  ]);
  types.want("a.ts");
  await types.settled();
  const second = opened[1]!;
  second.witness.errorsOf = () => Promise.reject(new EmendError("typescript-failed", "It ended."));
  await expect(types.current!.errorsOf(["a.ts"])).rejects.toThrow("It ended.");
  await setImmediate();
  expect([types.current, second.isDisposed]).toEqual([undefined, true]);
  for (let again = 0; again < 3; again += 1) {
    types.want("a.ts");
    await types.settled();
  }
  expect(opened).toHaveLength(3);
  await types[Symbol.asyncDispose]();
});

test("tells what names mean where the checker does, as long as it is open", async () => {
  const { types, opened, letOpen } = start(files);
  letOpen();
  types.want("a.ts");
  await types.settled();
  expect(types.references).toBeUndefined();
  await types[Symbol.asyncDispose]();
  const knowing = start(files, { knowsNames: true });
  knowing.letOpen();
  knowing.types.want("a.ts");
  await knowing.types.settled();
  const asked = knowing.types.references!;
  expect(asked.types).toBe(knowing.types.current);
  expect((await asked.of("a.ts", new Set(["bad"]), new Map()))?.references).toEqual([]);
  await expect(asked.of("fails.ts", new Set(["bad"]), new Map())).rejects.toThrow("It ended.");
  expect([knowing.types.references, knowing.problems]).toEqual([
    undefined,
    ["Next edits are not checked by types: It ended."],
  ]);
  expect(opened).toHaveLength(1);
});

test("one that is closed while it is opened is let go of", async () => {
  const { types, opened, letOpen, problems } = start(files);
  types.want("a.ts");
  await setImmediate();
  const closing = types[Symbol.asyncDispose]();
  letOpen();
  await closing;
  expect([opened.map(({ isDisposed }) => isDisposed), problems]).toEqual([[true], []]);
});
