import { describe, expect, test } from "vitest";
import { SerialQueue } from "../../async/index.ts";
import { MemoryFileSystem } from "../memory-file-system.ts";
import { TextQueue, type TextQueueOptions } from "./text-queue.ts";
import { TextStore } from "./text-store.ts";

/** A queue over these files of the disk, and what was taken: `path=text`, `path-` for no text. */
function start(files: Readonly<Record<string, string>>, options: Partial<TextQueueOptions> = {}) {
  const absolute = Object.entries(files).map(([path, text]) => [`/w/${path}`, text] as const);
  const disk = new MemoryFileSystem(Object.fromEntries(absolute));
  const store = new TextStore({ root: "/w", fileSystem: disk });
  const taken: string[][] = [];
  const failures: string[] = [];
  const queue = new TextQueue({
    texts: store,
    isWanted: () => true,
    async take(answers) {
      taken.push(answers.map((one) => (one.kind === "source" ? `${one.path}=${one.text}` : `${one.path}-`)));
    },
    onFailure: (error) => failures.push((error as Error).message),
    ...options,
  });
  return { queue, store, disk, taken, failures };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `${n}.ts`);

describe("texts of a queue", () => {
  test("are taken in the order in which they were added, each once while it waits", async () => {
    const { queue, taken } = start({ "a.ts": "a", "b.ts": "b", "c.ts": "c" });
    queue.add(["c.ts", "none.ts"]);
    queue.add(["a.ts", "c.ts"]);
    queue.add(["b.ts"]);
    await queue.settled();
    expect(taken.flat()).toEqual(["c.ts=c", "none.ts-", "a.ts=a", "c.ts=c", "b.ts=b"]);
  });

  test("are taken 24 together, and no empty batch is", async () => {
    const { queue, taken } = start({});
    queue.add(numbered(48));
    await queue.settled();
    queue.add(numbered(25));
    await queue.settled();
    expect(taken.map(({ length }) => length)).toEqual([24, 24, 24, 1]);
  });

  test("are taken again when they change while they are read", async () => {
    const { queue, taken, store, disk } = start({ "a.ts": "old" });
    queue.add(["a.ts"]);
    disk.writeFile("/w/a.ts", "new!");
    store.changed(["a.ts"]);
    queue.add(["a.ts"]);
    await queue.settled();
    expect(taken.flat().at(-1)).toBe("a.ts=new!");
  });

  test("are missing where they are not wanted when they are taken", async () => {
    const unwanted = new Set(["a.ts"]);
    const { queue, taken } = start({ "a.ts": "a", "b.ts": "b" }, { isWanted: (path) => !unwanted.has(path) });
    queue.add(["a.ts", "b.ts"]);
    await queue.settled();
    unwanted.clear();
    queue.add(["a.ts"]);
    await queue.settled();
    expect(taken.flat()).toEqual(["a.ts-", "b.ts=b", "a.ts=a"]);
  });

  test.each([
    ["all", "a.py=open"],
    ["disk", "a.py=saved"],
  ] as const)("of %s are those of the store", async (of, expected) => {
    const { queue, store, taken } = start({ "a.py": "saved" }, { of });
    store.setUnsaved([{ path: "a.py", language: "python", text: "open" }]);
    queue.add(["a.py"]);
    await queue.settled();
    expect(taken.flat()).toEqual([expected]);
  });
});

test("reading waits for its turn", async () => {
  const turns = new SerialQueue();
  const { queue, taken } = start({ "a.ts": "a" }, { turns });
  const turn = await turns.take(undefined);
  queue.add(["a.ts"]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(taken).toEqual([]);
  turn[Symbol.dispose]();
  await queue.settled();
  expect(taken).toEqual([["a.ts=a"]]);
});

test("a failure is reported, and later texts are taken", async () => {
  let count = 0;
  const { queue, failures } = start(
    {},
    {
      async take() {
        count += 1;
        if (count === 1) throw new Error("broken");
      },
    },
  );
  queue.add(numbered(30));
  await queue.settled();
  expect([failures, count]).toEqual([["broken"], 1]);
  queue.add(["a.ts"]);
  await queue.settled();
  expect([failures, count]).toEqual([["broken"], 2]);
});

test("texts that are added while a failure is reported are taken", async () => {
  const taken: string[] = [];
  const { queue } = start(
    {},
    {
      async take(answers) {
        taken.push(...answers.map(({ path }) => path));
        if (taken.length === 1) throw new Error("broken");
      },
      onFailure: () => queue.add(["b.ts"]),
    },
  );
  queue.add(["a.ts"]);
  await queue.settled();
  expect(taken).toEqual(["a.ts", "b.ts"]);
});

test("a queue that is disposed of takes nothing more and reports nothing", async () => {
  const { queue, failures, taken } = start(
    {},
    {
      async take(answers, signal) {
        taken.push(answers.map(({ path }) => path));
        queue[Symbol.dispose]();
        signal.throwIfAborted();
      },
    },
  );
  queue.add(numbered(60));
  await queue.settled();
  queue.add(["later.ts"]);
  await queue.settled();
  expect([taken.length, failures]).toEqual([1, []]);
});
