import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BackgroundScheduler } from "../../async/background-scheduler.ts";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { IndexCache } from "../../model/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { MemoryFileSystem, TextStore, type WatchRequest } from "../../workspace/index.ts";
import { LearningModel, type LearningState, WorkspaceLearning } from "./workspace-learning.ts";

let folder: string;
let cache: IndexCache;
let disk: MemoryFileSystem;
let clock: FakeClock;
let states: LearningState[];
let problems: string[];
let timeMs = 0;
let watched: WatchRequest | undefined;
/** The paths of the reported changes. */
let changed: string[];
let beforeWatching: () => void;
const open: WorkspaceLearning[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-learning-"));
  cache = new IndexCache({ folder, version: "1" });
  timeMs = 1;
  disk = new MemoryFileSystem({ "/w/.git/HEAD": "" }, () => timeMs);
  clock = new FakeClock();
  states = [];
  problems = [];
  watched = undefined;
  changed = [];
  beforeWatching = () => undefined;
});
afterEach(async () => {
  for (const learning of open.splice(0)) await learning[Symbol.asyncDispose]();
  removeFolder(folder);
});

function start(
  model = new LearningModel(),
  texts = new TextStore({ root: "/w", fileSystem: disk }),
): WorkspaceLearning {
  const learning = new WorkspaceLearning({
    ...{ root: "/w", fileSystem: disk, texts, cache, clock, model },
    scheduler: new BackgroundScheduler({ clock, yieldThread: () => Promise.resolve() }),
    async watch(request) {
      beforeWatching();
      watched = request;
      return { add: () => undefined, async [Symbol.asyncDispose]() {} };
    },
    onState: (state) => states.push(state),
    onOpen: () => undefined,
    onRules: () => undefined,
    onChange: (changes) => void changed.push(...changes.map(({ path }) => path)),
    onProblem: (message) => problems.push(message),
  });
  open.push(learning);
  return learning;
}

/** The disk reports that something happened at `path`. */
function touch(path: string): void {
  watched!.onChange(path);
  clock.advance(200);
}

const code = (name: string) => `export const ${name} = 1;\n`.repeat(2_000);
const known = (model: LearningModel) => [...model.current.knowledge.files.keys()].sort().join(" ");

test("reports what has changed while the workspace was learnt", async () => {
  disk.writeFile("/w/a.ts", code("a"));
  beforeWatching = () => disk.writeFile("/w/emend.config.json", "{}");
  await start().settled();
  expect(changed).toEqual(["emend.config.json"]);
});

test("learns the whole workspace, then each change", async () => {
  disk.writeFile("/w/a.ts", code("a"));
  disk.writeFile("/w/b.ts", code("b"));
  const model = new LearningModel();
  const learning = start(model);
  expect(learning.state.kind).toBe("waiting");
  await learning.settled();
  expect([learning.state, known(model)]).toMatchObject([{ kind: "learnt", files: 2 }, "a.ts b.ts"]);
  expect(states.map(({ kind }) => kind).filter((kind, i, all) => kind !== all[i - 1])).toEqual(["learning", "learnt"]);

  timeMs = 2;
  disk.writeFile("/w/c.ts", code("c"));
  touch("/w/c.ts");
  await expect.poll(() => known(model)).toBe("a.ts b.ts c.ts");
  await learning.settled();
  expect(learning.state).toMatchObject({ kind: "learnt", files: 3 });
  disk.remove("/w/a.ts");
  touch("/w/a.ts");
  await expect.poll(() => known(model)).toBe("b.ts c.ts");
  expect(problems).toEqual([]);
});

test("learns documents that were never saved, and does not save them", async () => {
  disk.writeFile("/w/a.ts", code("a"));
  const model = new LearningModel();
  const texts = new TextStore({ root: "/w", fileSystem: disk });
  texts.setUnsaved([{ path: "new-1", language: "typescript", text: code("early") }]);
  const learning = start(model, texts);
  await learning.settled();
  expect(known(model)).toBe("a.ts new-1");
  texts.setUnsaved([{ path: "new-2", language: "typescript", text: code("late") }]);
  await expect.poll(() => known(model)).toBe("a.ts new-2");
  timeMs = 2;
  disk.writeFile("/w/b.ts", code("b"));
  touch("/w/b.ts");
  await expect.poll(() => known(model)).toBe("a.ts b.ts new-2");
  clock.advance(60_000);
  await learning.settled();
  expect(known(model)).toBe("a.ts b.ts new-2");
  const saved = await cache.load("/w");
  if (saved.kind !== "kept") throw new Error(saved.kind);
  const words = new TextDecoder().decode(saved.value.snapshot.tables[0]).split("\n");
  expect(["a", "b", "early", "late"].map((word) => words.includes(word))).toEqual([true, true, false, false]);
  expect(saved.value.files.map(({ path }) => path)).toEqual(["a.ts", "b.ts"]);
  expect(problems).toEqual([]);
});

test("learns changes made during learning", async () => {
  disk.writeFile("/w/a.ts", code("a"));
  const model = new LearningModel();
  const learning = start(model);
  await new Promise<void>((resolve) => {
    const wait = () => (states.at(-1)?.kind === "learnt" ? resolve() : setTimeout(wait, 0));
    wait();
  });
  timeMs = 2;
  disk.writeFile("/w/late.ts", code("late"));
  await learning.settled();
  expect(known(model)).toBe("a.ts late.ts");
});

test("learns no cached file again, and caches newer files when the disk has been quiet", async () => {
  disk.writeFile("/w/a.ts", code("a"));
  await start().settled();
  states.length = 0;
  const model = new LearningModel();
  const second = start(model);
  await second.settled();
  expect(states.map(({ kind }) => kind)).toEqual(["learnt"]);
  expect(known(model)).toBe("a.ts");

  timeMs = 2;
  disk.writeFile("/w/b.ts", code("b"));
  touch("/w/b.ts");
  await expect.poll(() => known(model)).toBe("a.ts b.ts");
  await second.settled();
  clock.advance(60_000);
  await second.settled();
  const kept = await cache.describe("/w");
  expect(kept.kind === "kept" && kept.value.files.map(({ path }) => path).sort()).toEqual(["a.ts", "b.ts"]);
});

test("learns the types of imports, and lists their packages", async () => {
  disk.writeFile("/w/a.ts", 'import { x } from "@scope/dep/sub";\n');
  disk.writeFile(
    "/w/node_modules/@scope/dep/package.json",
    '{ "exports": { "./sub": { "types": "./lib/sub.d.ts" } } }',
  );
  disk.writeFile("/w/node_modules/@scope/dep/lib/sub.d.ts", code("x"));
  const learning = start();
  await learning.settled();
  const folder = "node_modules/@scope/dep";
  expect(learning.dependencies).toEqual([`${folder}/lib/sub.d.ts`, `${folder}/package.json`]);
});

test("learns changes made during saving afterwards", async () => {
  disk.writeFile("/w/a.ts", code("a"));
  const model = new LearningModel();
  const learning = start(model);
  await learning.settled();
  timeMs = 2;
  disk.writeFile("/w/b.ts", code("b"));
  touch("/w/b.ts");
  await expect.poll(() => known(model)).toBe("a.ts b.ts");
  await learning.settled();

  let go: () => void = () => undefined;
  const saving = vi.spyOn(cache, "save").mockImplementation(async () => {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    return { kind: "saved", bytes: 1 };
  });
  clock.advance(60_000);
  await expect.poll(() => saving.mock.calls.length).toBe(1);
  timeMs = 3;
  disk.writeFile("/w/c.ts", code("c"));
  touch("/w/c.ts");
  await expect.poll(() => learning.workspace?.files.has("c.ts")).toBe(true);
  expect(known(model)).toBe("a.ts b.ts");
  go();
  await expect.poll(() => known(model)).toBe("a.ts b.ts c.ts");
});

test("reports a missing folder without rejecting", async () => {
  disk = new MemoryFileSystem({});
  const learning = start();
  await learning.settled();
  expect(learning.state.kind).toBe("failed");
  expect(problems).toEqual([expect.stringMatching(/^Learning \/w failed: /)]);
});

test("disposing during learning reports nothing, and disposing twice is harmless", async () => {
  for (let i = 0; i < 50; i += 1) disk.writeFile(`/w/${i}.ts`, code(`x${i}`));
  const learning = start();
  await new Promise((resolve) => setTimeout(resolve, 1));
  await learning[Symbol.asyncDispose]();
  await learning[Symbol.asyncDispose]();
  expect(problems).toEqual([]);
  expect(learning.state.kind).not.toBe("failed");
});
