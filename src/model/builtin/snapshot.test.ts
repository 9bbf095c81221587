import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { answersOf, anyWorkspace, fewRuns, modelOf, places, readPlace, type Source } from "./builtin.laws.ts";
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
  const [tokens] = copies([snapshot.tokens]);
  return { ...snapshot, tables: copies(snapshot.tables), tokens: tokens!, groups: copies(snapshot.groups) };
};

/** The snapshot with its tokens on a disk, in parts of 16 of them; and the parts that were read. */
function onDisk(snapshot: Snapshot): { readonly snapshot: Snapshot; readonly read: Set<number> } {
  const read = new Set<number>();
  const { tokens, ...rest } = copyOf(snapshot);
  const slice = (start: number, end: number) => {
    read.add(start);
    return tokens.slice(start, end);
  };
  return { snapshot: { ...rest, tokens: { length: tokens.length, partBytes: 64, slice } }, read };
}

/** The bytes of all tables. */
const bytesOf = ({ tables, tokens, groups }: Snapshot): number[][] =>
  [...tables, tokens, ...groups].map((table) => [...table.slice(0, table.length)]);

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
    const [tokens] = buffers([first.tokens]);
    const kept = fromSnapshot({
      ...first,
      tables: buffers(first.tables),
      tokens: tokens!,
      groups: buffers(first.groups),
    });
    expect(bytesOf(toSnapshot(kept))).toEqual(bytesOf(first));
  });

  describe("with its tokens on a disk", () => {
    const words = "load save user order total items find Order".split(" ");
    const word = (n: number) => words[n % words.length]!;
    const files = Array.from({ length: 10 }, (_, i): Source => {
      const lines = Array.from({ length: 40 }, (_, j) => {
        const n = i * 31 + j * 17;
        return `const ${word(n)} = ${word(n + 3)}.${word(n + j)}(${word(n >> 2)}, ${i * j});\n`;
      });
      const text = `import { ${word(i)} } from "./${word(i + 1)}.ts";\n${lines.join("")}`;
      return [`src/${word(i)}${i}.ts`, "typescript", text];
    });
    const learnt = modelOf(files);
    const taken = toSnapshot(learnt.knowledge);

    it.each(places)("answers at $prefix|$suffix as one in memory", async (place) => {
      const { snapshot } = onDisk(taken);
      const kept = modelOf([], fromSnapshot(snapshot));
      expect(await kept.next({ ...place, limit: 100 })).toEqual(await learnt.next({ ...place, limit: 100 }));
      const request = { ...place, maxLines: 4, limit: 3, minProbability: 0 };
      expect(kept.complete(request)).toEqual(learnt.complete(request));
    });

    it("reads those that a request compares", async () => {
      const numbers = Array.from({ length: 5_000 }, (_, i) => i).join(" ");
      // In large tables, few contexts are taken for others.
      const large = modelOf([["numbers.txt", "plaintext", numbers], ...files], new Knowledge(2_000_000));
      const { snapshot, read } = onDisk(toSnapshot(large.knowledge));
      const kept = modelOf([], fromSnapshot(snapshot));
      expect(read.size).toBe(0);
      await kept.next(readPlace("const user = |"));
      expect(read.size * 64).toBeLessThan(snapshot.tokens.length * 0.6);
    });

    it("learns and forgets as one in memory", async () => {
      const { snapshot } = onDisk(taken);
      const models = [modelOf([], fromSnapshot(snapshot)), modelOf([], fromSnapshot(copyOf(taken)))];
      for (const model of models) {
        model.forget(files[3]![0]);
        model.learn(files[4]![0], "typescript", files[5]![2]);
        model.learn("src/new.ts", "typescript", files[6]![2].slice(40));
      }
      const [kept, copied] = await Promise.all(models.map(answersOf));
      expect(kept).toBe(copied);
      const [ofKept, ofCopied] = models.map((model) => bytesOf(toSnapshot(model.knowledge)));
      expect(ofKept).toEqual(ofCopied);
    });
  });

  it("may be empty", () => {
    expect(fromSnapshot(toSnapshot(new Knowledge(0))).files.size).toBe(0);
  });
});

describe("a broken snapshot is refused:", () => {
  const whole = toSnapshot(modelOf([source, ["b.py", "python", "def b(): pass\n"]]).knowledge);
  const header = JSON.parse(whole.header) as Record<string, unknown>;
  const tables = [...whole.tables, ...([whole.tokens, ...whole.groups] as Uint8Array[])];
  const split = (changed: readonly Uint8Array[]): Snapshot => ({
    ...whole,
    tables: changed.slice(0, whole.tables.length),
    tokens: changed[whole.tables.length] ?? new Uint8Array(),
    groups: changed.slice(whole.tables.length + 1),
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
    [
      "a file beyond the tables",
      JSON.stringify({ ...header, files: { ...Object(header["files"]), ends: [0, 99_999] } }),
    ],
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
