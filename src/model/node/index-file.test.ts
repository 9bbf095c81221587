import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EmendError } from "../../text/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { snapshotOf } from "./fixtures/snapshots.ts";
import { type IndexContent, readIndexFile, readIndexHead, writeIndexFile } from "./index-file.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emend-index-file-"));
  path = join(folder, "a.index");
});
afterEach(() => removeFolder(folder));

const head = { name: "größer" };
const empty: IndexContent<typeof head> = { head, tables: [], deflated: [], groups: [] };
/** What is written of a snapshot. */
const contentOf = (value: number, bytes?: number) => {
  const { tables, tokens, groups } = snapshotOf(value, bytes);
  return { head, tables, deflated: [tokens], groups };
};
const noiseOf = (seed: number, bytes: number) => snapshotOf(seed, bytes).groups[0] as Uint8Array;

/** The bytes of all tables; where there are none, the kind of the answer or the error's code. */
async function readTables(leavesTables = false): Promise<Uint8Array[] | string> {
  const answer = await readIndexFile(path, { leavesTables });
  if (answer.kind !== "read") return answer.kind;
  const { tables, deflated, groups } = answer.value;
  try {
    return [...tables, ...deflated, ...groups].map((table) => new Uint8Array(table.slice(0, table.length)));
  } catch (error) {
    return (error as EmendError).code;
  }
}

test.each([false, true])(
  "an index file is read as it was written, tables left on the disk: %s",
  async (leavesTables) => {
    const table = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }),
      fc.tuple(fc.nat(255), fc.nat(100_000)).map(([value, length]) => new Uint8Array(length).fill(value)),
      fc.nat(9).map((seed) => noiseOf(seed, 70_000)),
    );
    const tables = fc.array(table, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(tables, tables, tables, async (tables, deflated, groups) => {
        const bytes = await writeIndexFile(path, { head, tables, deflated, groups });
        expect(statSync(path).size).toBe(bytes);
        const read = await readTables(leavesTables);
        const all = [...tables, ...deflated, ...groups];
        expect(all.map((one, i) => Buffer.compare(one, read[i] as Uint8Array))).toEqual(all.map(() => 0));
        expect(read).toHaveLength(all.length);
        expect(await readIndexHead(path)).toEqual({ kind: "read", value: head, bytes });
      }),
      { numRuns: 30 },
    );
  },
);

test.each(["deflated", "groups"] as const)("a slice of a table on the disk is its bytes: %s", async (kind) => {
  const bytes = noiseOf(5, 100_000);
  await writeIndexFile(path, { ...empty, [kind]: [bytes] });
  const answer = await readIndexFile(path, { leavesTables: true });
  if (answer.kind !== "read") throw new Error(answer.kind);
  const [table] = answer.value[kind];
  const place = fc.nat(100_000);
  fc.assert(
    fc.property(place, fc.oneof(place, fc.nat(200)), (start, length) => {
      const end = Math.min(start + length, bytes.length);
      expect(Buffer.compare(table!.slice(start, end), bytes.subarray(start, end))).toBe(0);
    }),
    {
      examples: [
        [16_384, 0],
        [16_383, 1],
        [16_383, 2],
        [100_000, 0],
      ],
    },
  );
});

test("a table of an index file has its own buffer, so that it can be viewed as numbers", async () => {
  await writeIndexFile(path, contentOf(7));
  const answer = await readIndexFile(path);
  if (answer.kind !== "read") throw new Error(answer.kind);
  for (const table of answer.value.tables) expect([table.byteOffset, table.buffer.byteLength]).toEqual([0, 5_000]);
});

test("an index file compresses tables, except for noise in memory, and no groups", async () => {
  const [same, noise] = [new Uint8Array(200_000).fill(7), noiseOf(7, 200_000)];
  const bytes = (tables: Partial<typeof empty>) => writeIndexFile(path, { ...empty, ...tables });
  for (const one of [bytes({ tables: [same] }), bytes({ deflated: [same] })]) expect(await one).toBeLessThan(2_000);
  for (const one of [bytes({ tables: [noise] }), bytes({ groups: [same] })]) {
    expect(await one).toBeGreaterThan(200_000);
  }
});

test("tables that change meanwhile are copied, each right before it is written", async () => {
  const tables = Array.from({ length: 4 }, (_, i) => noiseOf(i, 100_000));
  const before = tables.map((table) => table.slice());
  const sizes: number[] = [];
  const beforeCopy = async () => {
    // The one before was copied.
    tables[sizes.length - 1]?.fill(255);
    const [temporary] = readdirSync(folder);
    sizes.push(statSync(join(folder, temporary!)).size);
  };
  await writeIndexFile(path, { ...empty, tables }, { beforeCopy });
  const read = (await readTables()) as Uint8Array[];
  expect(read.map((table, i) => Buffer.compare(table, before[i]!))).toEqual(tables.map(() => 0));
  expect(sizes.map((size) => Math.floor(size / 100_000))).toEqual([0, 1, 2, 3]);
});

test("an index file that is too short or too long is reported as broken and never throws", async () => {
  await writeIndexFile(path, contentOf(3, 300));
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(path, whole.subarray(0, length));
    expect([length, await readTables()]).toEqual([length, "broken"]);
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]));
  expect(await readTables()).toBe("broken");
});

test("an index file with a changed byte is reported as broken", async () => {
  await writeIndexFile(path, contentOf(3, 300));
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 0x10;
    writeFileSync(path, changed);
    expect([at, await readTables()]).toEqual([at, "broken"]);
    expect([at, await readTables(true)]).toEqual([at, expect.stringMatching(/^(snapshot-)?broken$/)]);
  }
});

test("a missing index file is absent, and a folder in its place is broken", async () => {
  expect(await readIndexFile(path)).toEqual({ kind: "absent" });
  expect(await readIndexHead(folder)).toMatchObject({ kind: "broken" });
});

test("tables of an index file are not read if its header does not match", async () => {
  await writeIndexFile(path, contentOf(3));
  const answer = await readIndexFile<typeof head>(path, { isWanted: ({ name }) => name === "other" });
  expect(answer).toMatchObject({ kind: "read", value: empty });
});

test("a failed write leaves no index file", async () => {
  const blocked = join(folder, "blocked.index");
  await writeIndexFile(path, empty);
  // Nothing can be moved over a folder that is not empty.
  rmSync(blocked, { force: true });
  mkdirSync(join(blocked, "full"), { recursive: true });
  await expect(writeIndexFile(blocked, empty)).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(["a.index", "blocked.index"]);
});

test.skipIf(process.platform === "win32")("the file is its owner's alone", async () => {
  await writeIndexFile(path, empty);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
