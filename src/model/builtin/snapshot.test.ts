import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { answersOf, anyWorkspace, fewRuns, modelOf, type Source } from "./builtin.laws.ts";
import { Knowledge } from "./knowledge.ts";
import { fromSnapshot, type Snapshot, toSnapshot } from "./snapshot.ts";

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
const copyOf = ({ header, tables }: Snapshot): Snapshot => ({ header, tables: tables.map((table) => table.slice()) });

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
    const { header, tables } = toSnapshot(modelOf(files).knowledge);
    const again = toSnapshot(fromSnapshot(copyOf({ header, tables })));
    expect(again.header).toBe(header);
    expect(again.tables.map((table, i) => Buffer.compare(table, tables[i]!))).toEqual(tables.map(() => 0));
  });

  it("can be read from Node buffers that are views of a larger buffer", () => {
    const { header, tables } = toSnapshot(modelOf([source]).knowledge);
    const kept = fromSnapshot({ header, tables: tables.map((table) => Buffer.from(table)) });
    expect(toSnapshot(kept).tables.map((table) => [...table])).toEqual(tables.map((table) => [...table]));
  });

  it("may be empty", () => {
    expect(fromSnapshot(toSnapshot(new Knowledge(0))).files.size).toBe(0);
  });
});

describe("a broken snapshot is refused:", () => {
  const whole = toSnapshot(modelOf([source, ["b.py", "python", "def b(): pass\n"]]).knowledge);
  const header = JSON.parse(whole.header) as Record<string, unknown>;
  const withTable = (i: number, change: (table: Uint8Array) => Uint8Array): Snapshot => ({
    ...whole,
    tables: whole.tables.with(i, change(whole.tables[i]!)),
  });

  it.each(whole.tables.map((_, i) => i))("table %i cut, longer or left out", (i) => {
    const longer = (by: number) => (table: Uint8Array) => Uint8Array.of(...table, ...new Uint8Array(by).fill(10));
    const broken = [
      withTable(i, () => new Uint8Array()),
      withTable(i, (table) => table.subarray(0, table.length >> 1)),
      withTable(i, longer(1)),
      withTable(i, longer(4)),
      { ...whole, tables: whole.tables.toSpliced(i, 1) },
      { ...whole, tables: whole.tables.slice(0, i) },
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
