import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { EmendError } from "../../text/index.ts";
import { MemoryFileSystem } from "../../workspace/memory-file-system.ts";
import { ScriptedTypeChecker } from "../fixtures/scripted-type-checker.ts";
import type { FileReferences } from "../graph/reference.ts";
import type { TypeScriptSourceOptions } from "./typescript-source.ts";
import { WorkspaceTypes } from "./workspace-types.ts";

/** A checker of these files whose opening the test controls. */
function start(
  files: Readonly<Record<string, string>>,
  { openPaths = [] as readonly string[], fails = 0, knowsNames = false, failsToInclude = false, culprit = "" } = {},
) {
  const texts = new Map(Object.entries(files));
  const index = { paths: () => texts.keys(), textOf: (path: string) => texts.get(path) };
  const clock = new FakeClock();
  const opened: { options: TypeScriptSourceOptions; checker: ScriptedTypeChecker; isDisposed: boolean }[] = [];
  const problems: string[] = [];
  let letOpen!: () => void;
  const mayOpen = new Promise<void>((resolve) => {
    letOpen = resolve;
  });
  const types = new WorkspaceTypes({
    ...{
      root: "/w",
      files: index,
      clock,
      fileSystem: new MemoryFileSystem({ "/w/node_modules/a/tsconfig.json": "{}" }),
    },
    whenRead: Promise.resolve(),
    openPaths: () => openPaths,
    async open(options) {
      await mayOpen;
      const known = [...options.paths].map((path) => [path, index.textOf(path) ?? ""] as const);
      const one = { options, checker: new ScriptedTypeChecker(known), isDisposed: false };
      opened.push(one);
      if (opened.length <= fails) throw new EmendError("typescript-missing", "There is no TypeScript.");
      return {
        update: (texts) => one.checker.update(texts),
        errorsOf: (paths, asking) => one.checker.errorsOf(paths, asking),
        ...(knowsNames && { referencesOf }),
        ...(failsToInclude && { include: () => Promise.reject(new EmendError("typescript-memory", "It was ended.")) }),
        ...(options.paths.includes(culprit) && { leftOut: new Map([[culprit, "memory" as const]]) }),
        async [Symbol.asyncDispose]() {
          one.isDisposed = true;
        },
      };
    },
    onProblem: (message) => void problems.push(message),
  });
  const update = (path: string, text: string | undefined) => {
    if (text === undefined) texts.delete(path);
    else texts.set(path, text);
    types.update(path, text);
  };
  return { types, opened, problems, letOpen, update, clock };
}

/** References of names: none, and unknown in one file. */
async function referencesOf([path = ""]: readonly string[]): Promise<readonly FileReferences[]> {
  if (path === "fails.ts") throw new EmendError("typescript-failed", "It ended.");
  return [{ path, references: [], unresolved: 0, precision: "types" }];
}

const files = { "a.ts": "bad();", "b.js": "good();", "tsconfig.json": "{}", "notes.md": "bad" };

test("the type checker of a workspace is opened for the first script that needs types, and for no other file", async () => {
  const { types, opened, letOpen } = start(files);
  letOpen();
  expect(await types.want("notes.md", { isUrgent: true })).toBeUndefined();
  expect([opened.length, types.current]).toEqual([0, undefined]);
  void types.want("a.ts");
  await types.want("b.js", { isUrgent: true });
  expect(opened.map(({ options }) => [...options.paths])).toEqual([["a.ts", "b.js", "tsconfig.json"]]);
  expect((await types.current!.errorsOf(["a.ts"])).length).toBe(1);
  await types[Symbol.asyncDispose]();
  expect([opened[0]!.isDisposed, types.current]).toEqual([true, undefined]);
});

test("the type checker of a workspace has the changes made while it was opened, and the texts of open documents", async () => {
  const { types, opened, letOpen, update } = start(files, { openPaths: ["b.js", "notes.md"] });
  const wanted = types.want("a.ts", { isUrgent: true });
  await setImmediate();
  update("a.ts", "good();");
  update("c.ts", "bad(bad);");
  letOpen();
  expect(await wanted).toBe(types.current);
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
  await types.want("a.ts", { isUrgent: true });
  expect([types.current, problems]).toEqual([
    undefined,
    ["Next edits are not checked by types: There is no TypeScript."],
  ]);
  await types.want("a.ts", { isUrgent: true });
  const second = opened[1]!;
  second.checker.errorsOf = () => Promise.reject(new EmendError("typescript-failed", "It ended."));
  await expect(types.current!.errorsOf(["a.ts"])).rejects.toThrow("It ended.");
  await setImmediate();
  expect([types.current, second.isDisposed]).toEqual([undefined, true]);
  for (let again = 0; again < 3; again += 1) {
    await types.want("a.ts", { isUrgent: true });
  }
  expect(opened).toHaveLength(3);
  await types[Symbol.asyncDispose]();
});

test("the type checker of a workspace resolves references where the checker does, as long as it is open", async () => {
  const { types, opened, letOpen } = start(files);
  letOpen();
  await types.want("a.ts", { isUrgent: true });
  const none = new Map();
  expect(await types.current!.referencesWith(none, "a.ts", new Set(["bad"]))).toBeUndefined();
  await types[Symbol.asyncDispose]();
  const knowing = start(files, { knowsNames: true });
  knowing.letOpen();
  await knowing.types.want("a.ts", { isUrgent: true });
  const known = knowing.types.current!;
  expect(await known.referencesWith(none, "a.ts", new Set(["bad"]))).toMatchObject({ references: [] });
  await expect(known.referencesWith(none, "fails.ts", new Set(["bad"]))).rejects.toThrow("It ended.");
  expect([knowing.types.current, knowing.problems]).toEqual([
    undefined,
    ["Next edits are not checked by types: It ended."],
  ]);
  expect(opened).toHaveLength(1);
});

test("no type checker is started while someone types, and one is after a pause", async () => {
  const { types, opened, letOpen, update, clock } = start(files);
  letOpen();
  for (let key = 0; key < 50; key += 1) {
    void types.want("a.ts");
    update("a.ts", `good${key}();`);
    clock.advance(399);
    await setImmediate();
  }
  expect(opened).toHaveLength(0);
  const wanted = types.want("a.ts");
  clock.advance(400);
  expect(await wanted).toBe(types.current);
  expect(opened).toHaveLength(1);
  await types[Symbol.asyncDispose]();
});

test("the type checker is ended five minutes after the last request, and opened again for the next, any number of times", async () => {
  const { types, opened, letOpen, clock, problems } = start(files);
  letOpen();
  for (let time = 1; time <= 5; time += 1) {
    const known = await types.want("a.ts", { isUrgent: true });
    clock.advance(299_999);
    expect((await known!.errorsOf(["a.ts"])).length).toBe(1);
    clock.advance(299_999);
    expect(types.current).toBe(known);
    clock.advance(1);
    await setImmediate();
    expect([types.current, opened.length, opened.at(-1)!.isDisposed]).toEqual([undefined, time, true]);
  }
  expect([problems, clock.waiting]).toEqual([[], 0]);
});

test("the type checker is not ended while it works on a request", async () => {
  const { types, opened, letOpen, clock } = start(files);
  letOpen();
  const known = await types.want("a.ts", { isUrgent: true });
  let answer!: () => void;
  const until = new Promise<void>((resolve) => (answer = resolve));
  opened[0]!.checker.errorsOf = () => until.then(() => []);
  const pending = known!.errorsOf(["a.ts"]);
  await setImmediate();
  clock.advance(1_000_000);
  expect(opened[0]!.isDisposed).toBe(false);
  answer();
  expect(await pending).toEqual([]);
  clock.advance(300_000);
  await setImmediate();
  expect(opened[0]!.isDisposed).toBe(true);
});

test("a type checker whose owner is disposed while it is opened is disposed", async () => {
  const { types, opened, letOpen, problems } = start(files);
  void types.want("a.ts", { isUrgent: true });
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
  await types.want("a.ts", { isUrgent: true });
  opened[0]!.checker.errorsOf = () => Promise.reject(new EmendError(code, "It was ended."));
  await expect(types.current!.errorsOf(["a.ts"])).rejects.toThrow("It was ended.");
  await setImmediate();
  expect(problems).toEqual([
    "Next edits are not checked by types: It was ended. Left out until the text changes: a.ts.",
  ]);
  await types.want("b.js", { isUrgent: true });
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
    await types.want("a.ts", { isUrgent: true });
    update("a.ts", `bad(${time});`);
    opened.at(-1)!.checker.errorsOf = () => Promise.reject(new EmendError("typescript-stalled", "It was ended."));
    await expect(types.current!.errorsOf(["a.ts"])).rejects.toThrow("It was ended.");
    await setImmediate();
  }
  expect(opened).toHaveLength(6);
  update("a.ts", undefined);
  await types.want("b.js", { isUrgent: true });
  expect([...opened.at(-1)!.options.paths]).toEqual(["b.js", "tsconfig.json"]);
  await types[Symbol.asyncDispose]();
});

test("row 16: a file that the checker leaves out when opened is named, and stays out until its text changes", async () => {
  const { types, problems, letOpen, update } = start(files, { culprit: "b.js" });
  letOpen();
  await types.want("a.ts", { isUrgent: true });
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
  await types.want("a.ts", { isUrgent: true });
  opened[0]!.checker.errorsOf = () => Promise.reject(new EmendError("typescript-stalled", "It was ended."));
  await expect(types.current!.errorsOf(["a.ts", "b.js"])).rejects.toThrow("It was ended.");
  await setImmediate();
  await types.want("a.ts", { isUrgent: true });
  expect(opened[1]!.options.suspects).toEqual(["a.ts", "b.js"]);
  await types[Symbol.asyncDispose]();
});

test("row 16: where a file cannot be opened for a request, the next start finds which of its imports is the cause", async () => {
  const { types, opened, letOpen } = start(files, { openPaths: ["b.js"], failsToInclude: true });
  letOpen();
  await types.want("a.ts", { isUrgent: true });
  expect(opened[0]!.options.requested).toEqual(["b.js"]);
  await expect(types.current!.errorsOf(["a.ts"])).rejects.toThrow("It was ended.");
  await setImmediate();
  await types.want("a.ts", { isUrgent: true });
  expect(opened[1]!.options.suspects).toEqual(["a.ts"]);
  await types[Symbol.asyncDispose]();
});
