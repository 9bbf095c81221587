import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { snapshotOf } from "./fixtures/snapshots.ts";
import { readIndexFile, readIndexHead, writeIndexFile } from "./index-file.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-index-file-"));
  path = join(folder, "a.index");
});
afterEach(() => removeFolder(folder));

const head = { name: "größer" };

async function readTables(): Promise<Uint8Array[] | string> {
  const answer = await readIndexFile(path);
  return answer.kind === "read" ? answer.value.tables.map((table) => new Uint8Array(table)) : answer.kind;
}

test("an index file is read as it was written", async () => {
  const table = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.tuple(fc.nat(255), fc.nat(100_000)).map(([value, length]) => new Uint8Array(length).fill(value)),
    fc.nat(9).map((seed) => snapshotOf(seed, 70_000).tables[1]!),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(table, { maxLength: 6 }), async (tables) => {
      const bytes = await writeIndexFile(path, { head, tables });
      expect(statSync(path).size).toBe(bytes);
      const read = await readTables();
      expect(tables.map((one, i) => Buffer.compare(one, read[i] as Uint8Array))).toEqual(tables.map(() => 0));
      expect(read).toHaveLength(tables.length);
      expect(await readIndexHead(path)).toEqual({ kind: "read", value: head, bytes });
    }),
    { numRuns: 30 },
  );
});

test("a table of an index file has its own buffer, so that it can be viewed as numbers", async () => {
  await writeIndexFile(path, { head, tables: snapshotOf(7).tables });
  const answer = await readIndexFile(path);
  if (answer.kind !== "read") throw new Error(answer.kind);
  for (const table of answer.value.tables) expect([table.byteOffset, table.buffer.byteLength]).toEqual([0, 5_000]);
});

test("an index file compresses tables, except for noise", async () => {
  const { tables } = snapshotOf(7, 200_000);
  expect(await writeIndexFile(path, { head, tables: [tables[0]!] })).toBeLessThan(2_000);
  expect(await writeIndexFile(path, { head, tables: [tables[1]!] })).toBeGreaterThan(200_000);
});

test("tables that change meanwhile are copied, a few at a time, right before they are written", async () => {
  const tables = Array.from({ length: 9 }, (_, i) => new Uint8Array(100_000).fill(i));
  const sizes: number[] = [];
  const beforeCopy = async () => {
    // The one before was copied.
    tables[sizes.length - 1]?.fill(255);
    const [temporary] = readdirSync(folder);
    sizes.push(statSync(join(folder, temporary!)).size);
  };
  await writeIndexFile(path, { head, tables }, { beforeCopy });
  const read = (await readTables()) as Uint8Array[];
  expect(read.map((table, i) => Buffer.compare(table, new Uint8Array(100_000).fill(i)))).toEqual(tables.map(() => 0));
  const written = sizes.map((size) => sizes.indexOf(size));
  expect(written).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8]);
});

test("an index file that is too short or too long is reported as broken and never throws", async () => {
  await writeIndexFile(path, { head, tables: snapshotOf(3, 300).tables });
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(path, whole.subarray(0, length));
    expect([length, await readTables()]).toEqual([length, "broken"]);
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]));
  expect(await readTables()).toBe("broken");
});

test("an index file with a changed byte is reported as broken", async () => {
  await writeIndexFile(path, { head, tables: snapshotOf(3, 300).tables });
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 0x10;
    writeFileSync(path, changed);
    expect([at, await readTables()]).toEqual([at, "broken"]);
  }
});

test("a missing index file is absent, and a folder in its place is broken", async () => {
  expect(await readIndexFile(path)).toEqual({ kind: "absent" });
  expect(await readIndexHead(folder)).toMatchObject({ kind: "broken" });
});

test("tables of an index file are not read if its header does not match", async () => {
  await writeIndexFile(path, { head, tables: snapshotOf(3).tables });
  const answer = await readIndexFile<typeof head>(path, ({ name }) => name === "other");
  expect(answer).toMatchObject({ kind: "read", value: { head, tables: [] } });
});

test("a failed write leaves no index file", async () => {
  const blocked = join(folder, "blocked.index");
  await writeIndexFile(path, { head, tables: [] });
  // Nothing can be moved over a folder that is not empty.
  rmSync(blocked, { force: true });
  mkdirSync(join(blocked, "full"), { recursive: true });
  await expect(writeIndexFile(blocked, { head, tables: [] })).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(["a.index", "blocked.index"]);
});

test.skipIf(process.platform === "win32")("the file is its owner's alone", async () => {
  await writeIndexFile(path, { head, tables: [] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
