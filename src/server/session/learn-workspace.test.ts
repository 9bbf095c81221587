import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IndexCache } from "../../model/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { MemoryFileSystem } from "../../workspace/index.ts";
import { type LearnOptions, type LearntWorkspace, learnWorkspace } from "./learn-workspace.ts";

let folder: string;
let cache: IndexCache;
let fileSystem: MemoryFileSystem;
let timeMs = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-learn-"));
  cache = new IndexCache({ folder, version: "1" });
  timeMs = 1;
  fileSystem = new MemoryFileSystem({}, () => timeMs);
});
afterEach(() => removeFolder(folder));

function learn(options: Partial<LearnOptions> = {}): Promise<LearntWorkspace> {
  const signal = new AbortController().signal;
  const rest = { root: "/w", fileSystem, cache, maxDependencyBytes: 100_000, signal, now: () => performance.now() };
  return learnWorkspace({ ...rest, ...options });
}

/** What happened and what is known now, in one line. */
function summary({ model, cache, learnt, forgotten }: LearntWorkspace): string {
  return `${cache}: +${learnt} -${forgotten} = ${[...model.knowledge.files.keys()].sort().join(" ")}`;
}

const code = (name: string) => `export const ${name} = 1;\n`.repeat(2_000);

test("learns only changed files again, and forgets deleted ones", async () => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  fileSystem.writeFile("/w/b.ts", code("b"));
  const first = await learn();
  expect(summary(first)).toBe("absent: +2 -0 = a.ts b.ts");
  expect(await first.save()).toMatchObject({ kind: "saved" });

  const second = await learn();
  expect(summary(second)).toBe("kept: +0 -0 = a.ts b.ts");
  expect(await second.save()).toBeUndefined();

  timeMs = 2;
  fileSystem.writeFile("/w/a.ts", code("changed"));
  fileSystem.writeFile("/w/c.ts", code("c"));
  fileSystem.remove("/w/b.ts");
  const third = await learn();
  expect(summary(third)).toBe("kept: +2 -1 = a.ts c.ts");
  expect(await third.save()).toMatchObject({ kind: "saved" });
  expect(summary(await learn())).toBe("kept: +0 -0 = a.ts c.ts");
});

test("lists only the folders again that have changed", async () => {
  for (let i = 0; i < 30; i++) fileSystem.writeFile(`/w/folder${i}/a.ts`, code("a"));
  await (await learn()).save();
  const readFolder = vi.spyOn(fileSystem, "readFolder");
  expect(await learn()).toMatchObject({ files: 30, learnt: 0 });
  expect(readFolder.mock.calls).toEqual([["/w"]]);

  timeMs = 2;
  fileSystem.writeFile("/w/folder7/new.ts", code("b"));
  fileSystem.writeFile("/w/folder8/a.ts", code("c"));
  readFolder.mockClear();
  expect(await learn()).toMatchObject({ files: 31, learnt: 2 });
  // Writing in memory changes the folder, too; its rules are those of the folder above.
  expect(readFolder.mock.calls.map(([path]) => path).sort()).toEqual(["/w", "/w", "/w/folder7", "/w/folder8"]);
});

test("does not learn a file again that was touched and not changed", async () => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  await (await learn()).save();
  timeMs = 2;
  fileSystem.writeFile("/w/a.ts", code("a"));
  expect(summary(await learn())).toBe("kept: +0 -0 = a.ts");
});

test("reads a file again whose time changed and whose size did not", async () => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  await (await learn()).save();
  timeMs = 2;
  fileSystem.writeFile("/w/a.ts", code("z"));
  expect(summary(await learn())).toBe("kept: +1 -0 = a.ts");
});

test("restores the same model from the cache", async () => {
  fileSystem.writeFile("/w/a.ts", code("alpha"));
  fileSystem.writeFile("/w/b.ts", code("beta"));
  const first = await learn();
  await first.save();
  const second = await learn();
  const request = { path: "c.ts", language: "typescript", prefix: "export const ", suffix: "\n" };
  expect(second.model.complete(request)).toEqual(first.model.complete(request));
  const { bytes: _, ...statistics } = second.model.statistics;
  expect(first.model.statistics).toMatchObject(statistics);
});

test("remembers and reports files that were refused after reading", async () => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  fileSystem.writeFile("/w/min.js", `${"x".repeat(60_000)}\n`);
  const first = await learn();
  expect(first.skipped.map(({ path, reason }) => `${path} ${reason.kind}`)).toEqual(["min.js minified"]);
  await first.save();
  const second = await learn();
  expect(second.skipped.map(({ path, reason }) => `${path} ${reason.kind}`)).toEqual(["min.js minified"]);
});

test("reads and writes nothing without a cache", async () => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  await (await learn()).save();
  const off = await learn({ cache: undefined });
  expect(summary(off)).toBe("off: +1 -0 = a.ts");
  expect(await off.save()).toBeUndefined();
});

test("learns again, reports and replaces a broken index", async () => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  await (await learn()).save();
  writeFileSync(cache.fileOf("/w"), "emend index\nnonsense");
  const again = await learn();
  expect(summary(again)).toBe("broken: +1 -0 = a.ts");
  expect(again.cacheDetail).toBe("it is cut short");
  await again.save();
  expect(summary(await learn())).toBe("kept: +0 -0 = a.ts");
});

test("learns near files within the time limit, and the rest the next time", async () => {
  for (const name of ["src/near/a", "src/near/b", "src/c", "lib/d", "lib/e"]) {
    fileSystem.writeFile(`/w/${name}.ts`, code("x"));
  }
  const open = { path: "src/near/a.ts", language: "typescript", text: "" };
  // Time passes with each look at the clock.
  let clock = 0;
  const hurried = await learn({ open, budgetMs: 12, now: () => clock++ });
  expect(hurried.isComplete).toBe(false);
  const known = [...hurried.model.knowledge.files.keys()];
  expect(known).toEqual(["src/near/a.ts", "src/near/b.ts", "src/c.ts", "lib/d.ts", "lib/e.ts"].slice(0, known.length));
  expect([1, 2, 3, 4]).toContain(known.length);
  await hurried.save();
  const next = await learn({ open });
  expect([next.isComplete, next.model.knowledge.files.size]).toEqual([true, 5]);
});

test.each<[what: string, listingMs: number, loadingMs: number]>([
  ["listing", 50, 0],
  ["reading the index", 0, 50],
  ["both", 50, 50],
])("runs that are saved learn all files in the end, however slow %s is", async (_, listingMs, loadingMs) => {
  const count = 200;
  for (let index = 0; index < count; index++) {
    fileSystem.writeFile(`/w/lib/${index % 7}/f${index}.ts`, `export const value${index} = ${index};\n`);
  }
  let clock = 0;
  const listFolder = fileSystem.readFolder.bind(fileSystem);
  vi.spyOn(fileSystem, "readFolder").mockImplementation((path) => {
    clock += listingMs;
    return listFolder(path);
  });
  const load = cache.load.bind(cache);
  vi.spyOn(cache, "load").mockImplementation(async (root) => {
    const answer = await load(root);
    clock += loadingMs;
    return answer;
  });
  const open = { path: "lib/0/f0.ts", language: "typescript", text: "" };
  const hurry = () => learn({ open, budgetMs: 20, now: () => clock++ });
  const known: number[] = [];
  for (;;) {
    const run = await hurry();
    expect(run.learnt).toBeGreaterThan(0);
    await run.save();
    known.push(run.model.knowledge.files.size);
    if (run.isComplete) break;
    expect(known.length).toBeLessThan(100);
  }
  expect(known.at(-1)).toBe(count);
  expect(known).toEqual(known.toSorted((a, b) => a - b));
  // What is learnt once is not asked for again, nor is the whole list.
  const again = await hurry();
  expect([again.isComplete, again.learnt]).toEqual([true, 0]);
});

test.each<[kept: boolean, isComplete: boolean]>([
  [false, true],
  [true, false],
])("has its first time limit only without an index that was kept (%s)", async (isKept, isComplete) => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  if (isKept) await (await learn()).save();
  for (const name of ["b", "c", "d", "e"]) fileSystem.writeFile(`/w/${name}.ts`, code(name));
  let clock = 0;
  const learnt = await learn({ budgetMs: 1, firstBudgetMs: 1000, now: () => clock++ });
  expect(learnt.isComplete).toBe(isComplete);
});

test("learns and caches types of the open file's imports, and forgets them with the package", async () => {
  fileSystem.writeFile("/w/src/a.ts", code("a"));
  fileSystem.writeFile("/w/node_modules/dep/package.json", "{}");
  fileSystem.writeFile("/w/node_modules/dep/index.d.ts", code("dep"));
  const open = { path: "src/a.ts", language: "typescript", text: 'import { dep } from "dep";\n' };
  const first = await learn({ open });
  expect(summary(first)).toBe("absent: +2 -0 = node_modules/dep/index.d.ts src/a.ts");
  await first.save();
  expect(summary(await learn())).toBe("kept: +0 -0 = node_modules/dep/index.d.ts src/a.ts");
  fileSystem.remove("/w/node_modules/dep");
  expect(summary(await learn({ open }))).toBe("kept: +0 -1 = src/a.ts");
});

test("learns the types of all imports when it learns everything", async () => {
  fileSystem.writeFile("/w/src/a.ts", 'import { dep } from "dep";\n');
  fileSystem.writeFile("/w/node_modules/dep/package.json", "{}");
  fileSystem.writeFile("/w/node_modules/dep/index.d.ts", code("dep"));
  expect(summary(await learn())).toBe("absent: +2 -0 = node_modules/dep/index.d.ts src/a.ts");
});

test("rejects with the reason of an interruption", async () => {
  fileSystem.writeFile("/w/a.ts", code("a"));
  const controller = new AbortController();
  const reason = new Error("stop");
  controller.abort(reason);
  await expect(learn({ signal: controller.signal })).rejects.toBe(reason);
});

test("reports progress while it learns", async () => {
  for (let i = 0; i < 70; i += 1) fileSystem.writeFile(`/w/${i}.ts`, "a;\n");
  const reports: string[] = [];
  await learn({
    onProgress: ({ phase, files, bytes, totalBytes }) => reports.push(`${phase} ${files} ${bytes}/${totalBytes}`),
  });
  expect(reports[0]).toBe("looking 64 0/0");
  expect(reports.at(-1)).toBe("learning 70 210/210");
});

test("learns a large file in parts with the same result", async () => {
  fileSystem.writeFile("/w/a.ts", code("a").repeat(3));
  const whole = await learn({ cache: undefined });
  const breaths: number[] = [];
  const parted = await learn({
    cache: undefined,
    async yieldBefore(characters) {
      breaths.push(characters);
    },
  });
  expect(breaths.length).toBeGreaterThan(10);
  expect(Math.max(...breaths)).toBeLessThan(20_000);
  expect(parted.model.statistics).toEqual(whole.model.statistics);
});
