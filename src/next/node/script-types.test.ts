import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { FileReferences } from "../../analysis/index.ts";
import type { TypeScriptSourceOptions } from "../../analysis/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { MemoryFileSystem } from "../../workspace/index.ts";
import { TextIndex } from "../engine/text-index.ts";
import { ScriptedTypeChecker } from "../providers/types/fixtures/scripted-type-checker.ts";
import { ScriptTypes } from "./script-types.ts";

/** A checker of these files whose opening the test controls. */
function start(
  files: Readonly<Record<string, string>>,
  { openPaths = [] as readonly string[], fails = 0, knowsNames = false, culprit = "" } = {},
) {
  const index = new TextIndex();
  for (const [path, text] of Object.entries(files)) index.update(path, text);
  const opened: { options: TypeScriptSourceOptions; checker: ScriptedTypeChecker; isDisposed: boolean }[] = [];
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
      const one = { options, checker: new ScriptedTypeChecker(texts), isDisposed: false };
      opened.push(one);
      if (opened.length <= fails) throw new EmendError("typescript-missing", "There is no TypeScript.");
      return {
        update: (texts) => one.checker.update(texts),
        errorsOf: (paths, asking) => one.checker.errorsOf(paths, asking),
        ...(knowsNames && { referencesOf }),
        ...(options.paths.includes(culprit) && { leftOut: new Map([[culprit, "memory" as const]]) }),
        async [Symbol.asyncDispose]() {
          one.isDisposed = true;
        },
      };
    },
    onProblem: (message) => void problems.push(message),
  });
  const update = (path: string, text: string | undefined) => {
    index.update(path, text);
    types.update(path, text);
  };
  return { types, opened, problems, letOpen, update };
}

/** References of names: none, and unknown in one file. */
async function referencesOf([path = ""]: readonly string[]): Promise<readonly FileReferences[]> {
  if (path === "fails.ts") throw new EmendError("typescript-failed", "It ended.");
  return [{ path, references: [], unresolved: 0, precision: "types" }];
}

const files = { "a.ts": "bad();", "b.js": "good();", "tsconfig.json": "{}", "notes.md": "bad" };

test("the type checker of a workspace is opened for the first viewed script, and for no other file", async () => {
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

test("the type checker of a workspace has the changes made while it was opened, and the texts of open documents", async () => {
  const { types, opened, letOpen, update } = start(files, { openPaths: ["b.js", "notes.md"] });
  types.want("a.ts");
  await setImmediate();
  update("a.ts", "good();");
  update("c.ts", "bad(bad);");
  letOpen();
  await types.settled();
  expect(opened[0]!.options.files?.readFile("/w/b.js")).toBe("good();");
  expect(opened[0]!.options.files?.readFile("/w/a.ts")).toBeUndefined();
  expect(await opened[0]!.options.readText("node_modules/a/tsconfig.json")).toBe("{}");
  expect(await opened[0]!.options.readText("nowhere.json")).toBeUndefined();
  expect((await types.current!.errorsOf(["a.ts"])).length).toBe(0);
  expect((await types.current!.errorsOf(["c.ts"])).length).toBe(2);
  update("c.ts", undefined);
  expect(types.current!.knows("c.ts")).toBe(false);
  await types[Symbol.asyncDispose]();
});

test("the type checker of a workspace is opened again a few times when it ended and a script is viewed", async () => {
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
  second.checker.errorsOf = () => Promise.reject(new EmendError("typescript-failed", "It ended."));
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

test("the type checker of a workspace resolves references where the checker does, as long as it is open", async () => {
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
  const requests = knowing.types.references!;
  expect(requests.types).toBe(knowing.types.current);
  expect((await requests.of("a.ts", new Set(["bad"]), new Map()))?.references).toEqual([]);
  await expect(requests.of("fails.ts", new Set(["bad"]), new Map())).rejects.toThrow("It ended.");
  expect([knowing.types.references, knowing.problems]).toEqual([
    undefined,
    ["Next edits are not checked by types: It ended."],
  ]);
  expect(opened).toHaveLength(1);
});

test("a type checker whose owner is disposed while it is opened is disposed", async () => {
  const { types, opened, letOpen, problems } = start(files);
  types.want("a.ts");
  await setImmediate();
  const closing = types[Symbol.asyncDispose]();
  letOpen();
  await closing;
  expect([opened.map(({ isDisposed }) => isDisposed), problems]).toEqual([[true], []]);
});

test.each([
  ["memory", "typescript-memory"],
  ["time", "typescript-stalled"],
])("row 16: a file on which the checker needs too much %s is left out until its text changes", async (_, code) => {
  const { types, opened, problems, letOpen, update } = start(files);
  letOpen();
  types.want("a.ts");
  await types.settled();
  opened[0]!.checker.errorsOf = () => Promise.reject(new EmendError(code, "It was ended."));
  await expect(types.current!.errorsOf(["a.ts"])).rejects.toThrow("It was ended.");
  await setImmediate();
  expect(problems).toEqual([
    "Next edits are not checked by types: It was ended. Left out until the text changes: a.ts.",
  ]);
  types.want("b.js");
  await types.settled();
  const { options } = opened[1]!;
  expect([[...options.paths], options.files?.readFile("/w/a.ts")]).toEqual([["b.js", "tsconfig.json"], null]);
  expect([types.current!.knows("a.ts"), types.current!.knows("b.js")]).toEqual([false, true]);
  update("a.ts", "bad();");
  expect(types.current!.knows("a.ts")).toBe(false);
  update("a.ts", "bad(bad);");
  expect((await types.current!.errorsOf(["a.ts"])).length).toBe(2);
  await types[Symbol.asyncDispose]();
});

test("row 16: a left-out file is passed again once its text changed, and starts on such files are not counted", async () => {
  const { types, opened, letOpen, update } = start(files, { openPaths: ["a.ts"] });
  letOpen();
  for (let time = 0; time < 6; time += 1) {
    types.want("a.ts");
    await types.settled();
    update("a.ts", `bad(${time});`);
    opened.at(-1)!.checker.errorsOf = () => Promise.reject(new EmendError("typescript-stalled", "It was ended."));
    await expect(types.current!.errorsOf(["a.ts"])).rejects.toThrow("It was ended.");
    await setImmediate();
  }
  expect(opened).toHaveLength(6);
  update("a.ts", undefined);
  types.want("b.js");
  await types.settled();
  expect([...opened.at(-1)!.options.paths]).toEqual(["b.js", "tsconfig.json"]);
  await types[Symbol.asyncDispose]();
});

test("row 16: a file that the checker leaves out when opened is named, and stays out until its text changes", async () => {
  const { types, problems, letOpen, update } = start(files, { culprit: "b.js" });
  letOpen();
  types.want("a.ts");
  await types.settled();
  expect(problems).toEqual([
    "Next edits are checked by types without some files: b.js needs too much memory. Left out until the text changes.",
  ]);
  update("b.js", "good();");
  expect([types.current!.knows("a.ts"), types.current!.knows("b.js")]).toEqual([true, false]);
  update("b.js", "good(1);");
  expect(types.current!.knows("b.js")).toBe(true);
  await types[Symbol.asyncDispose]();
});

test("row 16: of several files of a request the next start finds the cause", async () => {
  const { types, opened, letOpen } = start(files);
  letOpen();
  types.want("a.ts");
  await types.settled();
  opened[0]!.checker.errorsOf = () => Promise.reject(new EmendError("typescript-stalled", "It was ended."));
  await expect(types.current!.errorsOf(["a.ts", "b.js"])).rejects.toThrow("It was ended.");
  await setImmediate();
  types.want("a.ts");
  await types.settled();
  expect(opened[1]!.options.suspects).toEqual(["a.ts", "b.js"]);
  await types[Symbol.asyncDispose]();
});
