import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { answersOf, anyWorkspace, fewRuns, modelOf, type Source } from "./builtin.laws.ts";
import { Knowledge } from "./knowledge.ts";
import { fromSnapshot, type Snapshot, toSnapshot } from "./snapshot.ts";
import type { TableBytes } from "./table-memory.ts";

const source: Source = ["src/a.ts", "typescript", 'import { b } from "./b.ts";\nexport const a = b.c("😀", 1);\n'];

/** The code of the error that reading throws, or `read`. */
function read(snapshot: Snapshot): string {
  try {
    fromSnapshot(snapshot);
    return "read";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** The snapshot as a disk gives it back: its tables are its own. */
const copyOf = (snapshot: Snapshot): Snapshot => {
  const copies = (tables: readonly TableBytes[]) => tables.map((table) => table.slice(0, table.length));
  return { ...snapshot, tables: copies(snapshot.tables), groups: copies(snapshot.groups) };
};

/** The bytes of all tables. */
const bytesOf = ({ tables, groups }: Snapshot): number[][] =>
  [...tables, ...groups].map((table) => [...table.slice(0, table.length)]);

describe("a snapshot of the builtin model", () => {
  test("law: gives the same answers as the original, also after learning and forgetting more", () =>
    fc.assert(
      fc.asyncProperty(anyWorkspace, anyWorkspace, async (files, more) => {
        const learnt = modelOf(files);
        for (const [path] of files.slice(3)) learnt.forget(path);
        const kept = modelOf([], fromSnapshot(copyOf(toSnapshot(learnt.knowledge))));
        expect(await answersOf(kept)).toBe(await answersOf(learnt));
        for (const model of [kept, learnt]) {
          for (const file of more) model.learn(...file);
          for (const [path] of files.slice(0, 1)) model.forget(path);
        }
        expect(await answersOf(kept)).toBe(await answersOf(learnt));
      }),
      fewRuns,
    ));

  law("is kept the same again", [anyWorkspace], (files) => {
    const first = toSnapshot(modelOf(files).knowledge);
    const again = toSnapshot(fromSnapshot(copyOf(first)));
    expect(again.header).toBe(first.header);
    expect(bytesOf(again)).toEqual(bytesOf(first));
  });

  it("can be read from Node buffers that are views of a larger buffer", () => {
    const first = toSnapshot(modelOf([source]).knowledge);
    const buffers = (tables: readonly TableBytes[]) => tables.map((table) => Buffer.from(table.slice(0, table.length)));
    const kept = fromSnapshot({ ...first, tables: buffers(first.tables), groups: buffers(first.groups) });
    expect(bytesOf(toSnapshot(kept))).toEqual(bytesOf(first));
  });

  it("may be empty", () => {
    expect(fromSnapshot(toSnapshot(new Knowledge(0))).files.size).toBe(0);
  });
});

describe("a broken snapshot is refused:", () => {
  const whole = toSnapshot(modelOf([source, ["b.py", "python", "def b(): pass\n"]]).knowledge);
  const header = JSON.parse(whole.header) as Record<string, unknown>;
  const tables = [...whole.tables, ...(whole.groups as readonly Uint8Array[])];
  const split = (changed: readonly Uint8Array[]): Snapshot => ({
    ...whole,
    tables: changed.slice(0, whole.tables.length),
    groups: changed.slice(whole.tables.length),
  });
  const withTable = (i: number, change: (table: Uint8Array) => Uint8Array): Snapshot =>
    split(tables.with(i, change(tables[i]!)));

  it.each(tables.map((_, i) => i))("table %i cut, longer or left out", (i) => {
    const longer = (by: number) => (table: Uint8Array) => Uint8Array.of(...table, ...new Uint8Array(by).fill(10));
    const broken = [
      withTable(i, () => new Uint8Array()),
      withTable(i, (table) => table.subarray(0, table.length >> 1)),
      withTable(i, longer(1)),
      withTable(i, longer(4)),
      split(tables.toSpliced(i, 1)),
      split(tables.slice(0, i)),
    ];
    // The names are the first table. Their number is known and not their length (known failure).
    if (i > 0) broken.push(...[1, 2, 3, 4].map((by) => withTable(i, (table) => table.subarray(0, table.length - by))));
    expect(broken.map(read)).toEqual(broken.map(() => "snapshot-broken"));
  });

  it.each([
    ["an empty header", ""],
    ["half a header", whole.header.slice(0, whole.header.length >> 1)],
    ["a header that is no object", "null"],
    ["another format", JSON.stringify({ ...header, format: -1 })],
    ["no contexts", JSON.stringify({ ...header, contexts: undefined })],
    ["other contexts", JSON.stringify({ ...header, contexts: [0] })],
    ["no corpus", JSON.stringify({ ...header, corpus: undefined })],
    ["no files", JSON.stringify({ ...header, files: undefined })],
    ["a file beyond the tables", JSON.stringify({ ...header, files: [["a.ts", "typescript", 1, 0, 99_999]] })],
    ...(["length", "slotBits"] as const).flatMap((field) =>
      [0, 1, 2, 3].map((bit): [string, string] => {
        const corpus = header["corpus"] as Record<typeof field, number>;
        return [
          `bit ${bit} of ${field}`,
          JSON.stringify({ ...header, corpus: { ...corpus, [field]: corpus[field] ^ (1 << bit) } }),
        ];
      }),
    ),
  ])("%s", (_, changed) => {
    expect(read({ ...whole, header: changed })).toBe("snapshot-broken");
  });

  it("unlike an unchanged one", () => {
    expect(read(whole)).toBe("read");
  });
});
