import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { recordOf, snapshotOf } from "./fixtures/snapshots.ts";
import { contentHash, IndexCache, type IndexCacheOptions } from "./index-cache.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "emend-cache-")), "indexes");
});
afterEach(() => removeFolder(join(folder, "..")));

const open = (options: Partial<IndexCacheOptions> = {}) => new IndexCache({ folder, version: "1.0.0", ...options });

/**
 * What the cache has for a root, in a word: the value all over its tables, or why there is none.
 */
async function look(root: string, cache = open()): Promise<number | string> {
  const answer = await cache.load(root);
  if (answer.kind !== "kept") return answer.kind;
  const { value } = JSON.parse(answer.value.snapshot.header) as { readonly value: number };
  const { tables, tokens, groups } = answer.value.snapshot;
  const isWhole =
    [tables[0]!, tokens.slice(0, tokens.length)].every((table) => table.every((byte) => byte === value)) &&
    groups[0]!.slice(0, 1)[0] === value;
  return isWhole ? value : "mixed";
}

test("the index cache stores an index with its record", async () => {
  const cache = open();
  expect(await cache.load("/w")).toEqual({ kind: "absent" });
  const saved = await cache.save("/w", recordOf("a.ts"), snapshotOf(1));
  const size = statSync(cache.fileOf("/w")).size;
  expect(saved).toEqual({ kind: "saved", bytes: size });
  expect(await look("/w")).toBe(1);
  const described = await cache.describe("/w");
  expect(described).toMatchObject({ kind: "kept", value: { ...recordOf("a.ts"), bytes: size } });
});

test("the index cache has one index for each workspace, and a later one replaces the earlier", async () => {
  await open().save("/one", recordOf("a"), snapshotOf(1));
  await open().save("/two", recordOf("a"), snapshotOf(2));
  await open().save("/one", recordOf("a"), snapshotOf(3));
  expect([await look("/one"), await look("/two"), await look("/three")]).toEqual([3, 2, "absent"]);
});

test("an index of another version is a cache miss", async () => {
  await open().save("/w", recordOf("a"), snapshotOf(1));
  const next = open({ version: "1.0.1" });
  expect(await look("/w", next)).toBe("other-version");
  expect(await next.describe("/w")).toEqual({ kind: "other-version" });
  await next.save("/w", recordOf("a"), snapshotOf(2));
  expect([await look("/w", next), await look("/w")]).toEqual([2, "other-version"]);
});

test("an index file under another workspace's name is a cache miss", async () => {
  const cache = open();
  await cache.save("/w", recordOf("a"), snapshotOf(1));
  copyFileSync(cache.fileOf("/w"), cache.fileOf("/other"));
  expect(await look("/other")).toBe("other-version");
});

test("a broken index file is reported and replaced", async () => {
  const cache = open();
  await cache.save("/w", recordOf("a"), snapshotOf(1));
  truncateSync(cache.fileOf("/w"), 4_000);
  expect(await cache.load("/w")).toEqual({ kind: "broken", detail: "it is cut short" });
  await cache.save("/w", recordOf("a"), snapshotOf(2));
  expect(await look("/w")).toBe(2);
});

test("the index cache keeps notes beside an index, and removes them with it", async () => {
  const cache = open({ maxBytes: 8_000 });
  await cache.saveNotes("/w", ["too early"]);
  expect(await cache.loadNotes("/w")).toBeUndefined();
  await cache.save("/w", recordOf("a"), snapshotOf(1));
  await cache.saveNotes("/w", { folders: ["é"] });
  await cache.saveNotes("/w", { folders: ["ö"] });
  expect(await cache.loadNotes("/w")).toEqual({ folders: ["ö"] });
  expect(await open({ version: "1.0.1" }).loadNotes("/w")).toBeUndefined();
  await cache.save("/other", recordOf("a"), snapshotOf(1));
  expect(await look("/w")).toBe("absent");
  expect(await cache.loadNotes("/w")).toBeUndefined();
  expect(readdirSync(folder)).toHaveLength(1);
});

describe("the size limit of the index cache", () => {
  test("removes the least recently used index", async () => {
    const cache = open({ maxBytes: 20_000 });
    for (const [index, root] of ["/a", "/b", "/c"].entries()) {
      await cache.save(root, recordOf("a"), snapshotOf(1));
      utimesSync(cache.fileOf(root), 1000 + index, 1000 + index);
    }
    // Loading counts as use, describing does not.
    await cache.load("/a");
    await cache.describe("/b");
    await cache.save("/d", recordOf("a"), snapshotOf(1));
    expect(await Promise.all(["/a", "/b", "/c", "/d"].map((root) => look(root)))).toEqual([1, "absent", 1, 1]);
  });

  test("rejects an index larger than the limit and keeps the others", async () => {
    const cache = open({ maxBytes: 7_000 });
    await cache.save("/a", recordOf("a"), snapshotOf(1));
    expect(await cache.save("/b", recordOf("a"), snapshotOf(1, 9_000))).toMatchObject({ kind: "too-large" });
    expect(await cache.save("/c", recordOf("a"), snapshotOf(1, 900_000))).toMatchObject({ kind: "too-large" });
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([cache.fileOf("/a")]);
  });

  test("removes old temporary files but not those that are being written", async () => {
    const cache = open();
    await cache.save("/a", recordOf("a"), snapshotOf(1));
    for (const [name, ageS] of [
      ["old.tmp", 3600],
      ["new.tmp", 5],
      ["unknown", 3600],
    ] as const) {
      writeFileSync(join(folder, name), "x");
      const time = Date.now() / 1000 - ageS;
      utimesSync(join(folder, name), time, time);
    }
    await cache.save("/a", recordOf("a"), snapshotOf(2));
    expect(
      readdirSync(folder)
        .filter((name) => !name.endsWith(".index"))
        .sort(),
    ).toEqual(["new.tmp", "unknown"]);
  });
});

test("an interrupted write leaves the previous index and no other file", async () => {
  const cache = open();
  await cache.save("/w", recordOf("a"), snapshotOf(1));
  const controller = new AbortController();
  const saving = cache.save("/w", recordOf("a"), snapshotOf(2, 4_000_000), { signal: controller.signal });
  const reason = new Error("stop");
  while (!readdirSync(folder).some((name) => name.endsWith(".tmp"))) await setImmediate();
  controller.abort(reason);
  await expect(saving).rejects.toBe(reason);
  expect(await look("/w")).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
});

test("a cache folder that cannot be created is reported as a result", async () => {
  writeFileSync(join(folder, "..", "file"), "");
  const cache = new IndexCache({ folder: join(folder, "..", "file", "deep"), version: "1" });
  expect(await cache.save("/w", recordOf("a"), snapshotOf(1))).toMatchObject({ kind: "failed" });
  expect(await cache.load("/w")).toMatchObject({ kind: expect.stringMatching(/absent|broken/) });
});

test.skipIf(process.platform === "win32")("the folder is its owner's alone", async () => {
  await open().save("/w", recordOf("a"), snapshotOf(1));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

describe("the index cache shared with other processes", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  const script = fileURLToPath(new URL("fixtures/writer.ts", import.meta.url));
  function startWriter(value: number, times: number): ChildProcess {
    const child = spawn(process.execPath, ["--import", "tsx", script, folder, "/w", String(value), String(times)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    children.push(child);
    return child;
  }

  test("keeps the previous index when a writing process is killed", async () => {
    const cache = open();
    await cache.save("/w", recordOf("a"), snapshotOf(9));
    const child = startWriter(1, 1_000);
    const temporary = () => readdirSync(folder).filter((name) => name.endsWith(".tmp"));
    // Any moment will do at which a file is partly written; the index may have been replaced
    // before.
    let partial: string[] = [];
    await expect
      .poll(
        () => {
          partial = temporary().filter(
            (name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
          );
          return partial.length;
        },
        { timeout: 20_000, interval: 1 },
      )
      .toBeGreaterThan(0);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect([1, 9]).toContain(await look("/w"));
    await cache.save("/w", recordOf("a"), snapshotOf(5));
    expect(await look("/w")).toBe(5);
  });

  test("keeps the last complete index of two concurrent writers", async () => {
    const writers = [startWriter(1, 4), startWriter(2, 4)];
    const over = Promise.all(writers.map((writer) => once(writer, "exit")));
    let running = true;
    over.finally(() => {
      running = false;
    });
    const seen = new Set<number | string>();
    while (running) seen.add(await look("/w"));
    expect((await over).map(([code]) => code)).toEqual([0, 0]);
    expect([...seen].filter((value) => ![1, 2, "absent"].includes(value))).toEqual([]);
    expect([1, 2]).toContain(await look("/w"));
    expect(readdirSync(folder)).toHaveLength(1);
    expect(existsSync(open().fileOf("/w"))).toBe(true);
  });
});

test("index content is distinguished by its hash", () => {
  expect(contentHash("a")).toMatch(/^[0-9a-f]{32}$/);
  expect(contentHash("a")).not.toBe(contentHash("b"));
});
