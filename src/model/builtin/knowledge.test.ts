import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { fixtures } from "../../syntax/node/fixtures/read-fixtures.ts";
import {
  answersOf,
  anySource,
  anyWorkspace,
  fewRuns,
  modelOf,
  places,
  readPlace,
  type Source,
} from "./builtin.laws.ts";
import type { BuiltinModel } from "./builtin-model.ts";
import { Knowledge } from "./knowledge.ts";

describe("a file that is learnt in parts", () => {
  const tablesOf = ({ knowledge: { corpus, vocabulary } }: BuiltinModel): unknown => [
    ...[corpus.describe(), corpus.tables(), vocabulary.names, vocabulary.counts],
  ];

  test("law: gives the same knowledge as one that is learnt at once, with any requests in between", () =>
    fc.assert(
      fc.asyncProperty(anyWorkspace, anySource, fc.integer({ min: 1, max: 40 }), async (files, text, characters) => {
        const other: Source = ["src/other.ts", "typescript", text];
        const [whole, parted] = [modelOf(files), modelOf(files)];
        whole.learn(...other);
        // What was known of the file before goes.
        parted.learn(other[0], "typescript", "const before = 1;");
        for (const _ of parted.learnInParts(...other, characters)) await parted.next(readPlace("const a = |;"));
        expect(await answersOf(parted)).toBe(await answersOf(whole));
        const [plain, steps] = [modelOf(files), modelOf(files)];
        plain.learn(...other);
        for (const _ of steps.learnInParts(...other, characters));
        expect(tablesOf(steps)).toEqual(tablesOf(plain));
      }),
      fewRuns,
    ));

  test("and stopped leaves no knowledge, or a file that can be forgotten", async () => {
    const [first, ...others] = fixtures.map(({ name, language, text }): Source => [name, language, text]);
    const before = await answersOf(modelOf(others));
    const model = modelOf(others);
    for (let pauses = 1; pauses < 30; pauses += 3) {
      const learning = model.learnInParts(...first!, 100);
      for (let i = 0; i < pauses; i++) learning.next();
      learning.return();
      model.forget(first![0]);
      expect(model.knowledge.files.size).toBe(others.length);
    }
    expect(await answersOf(model)).toBe(before);
  });
});

describe("a forgotten file", () => {
  test("law: has no effect on any answer", () =>
    fc.assert(
      fc.asyncProperty(anyWorkspace, anySource, async (files, text) => {
        const model = modelOf(files);
        const before = await answersOf(model);
        const other: Source = ["src/other.ts", "typescript", text];
        model.learn(...other);
        const between = await answersOf(model);
        model.forget(other[0]);
        expect(await answersOf(model)).toBe(before);
        model.learn(...other);
        expect(await answersOf(model)).toBe(between);
      }),
      fewRuns,
    ));

  test("law: does not change the knowledge of other files", () =>
    fc.assert(
      fc.asyncProperty(anyWorkspace, anyWorkspace, async (files, others) => {
        const strangers = others.map(([path, language, text]): Source => [`other/${path}`, language, text]);
        const model = modelOf([]);
        // One of each in turn; then the strangers go.
        for (let i = 0; i < 5; i++) {
          for (const file of [strangers[i], files[i]]) if (file !== undefined) model.learn(...file);
        }
        for (const [path] of strangers) model.forget(path);
        expect(await answersOf(model)).toBe(await answersOf(modelOf(files)));
      }),
      fewRuns,
    ));

  it("frees memory, and answers are the same after the tables are rebuilt", async () => {
    const model = modelOf(fixtures.slice(0, 8).map(({ name, language, text }) => [name, language, text]));
    const before = await answersOf(model);
    const long = Array(3)
      .fill(fixtures.map(({ text }) => text).join("\n"))
      .join("\n");
    let longest = 0;
    for (let i = 0; i < 12; i++) {
      model.learn("long.ts", "typescript", long);
      longest = Math.max(longest, model.knowledge.corpus.length);
    }
    model.forget("long.ts");
    // So much was forgotten that it cannot all be there still.
    expect(model.knowledge.corpus.length).toBeLessThan(longest);
    expect(await answersOf(model)).toBe(before);
  });

  it("leaves nothing where it was the only one", () => {
    const knowledge = new Knowledge(1000);
    for (const { name, language, text } of fixtures) knowledge.learn(name, language, text);
    for (const { name } of fixtures) knowledge.forget(name);
    knowledge.forget("never learnt");
    expect([knowledge.files.size, knowledge.characters, knowledge.vocabulary.size]).toEqual([0, 0, 0]);
    expect(knowledge.vocabulary.names.filter((name) => name !== "")).toEqual([]);
  });

  it("gives no names to the following file", async () => {
    const here: Source = ["src/b.ts", "typescript", "(alpha)"];
    const next = async (files: readonly Source[], marked: string): Promise<readonly string[]> =>
      (await modelOf(files).next({ ...readPlace(marked), limit: 100 })).map(({ text }) => text);
    const alone = await next([here], "(|\n1");
    const behind = await next([["src/a.ts", "typescript", "alpha"], here], "(|\n1");
    expect([alone.includes("1"), behind.includes("1")]).toEqual([false, false]);
    // The edge of the open file has no text that could be taken.
    expect(await next([["src/a.ts", "typescript", "alpha"], here], "(|")).not.toContain("");
  });

  it("is no longer counted", () => {
    const model = modelOf([["a.ts", "typescript", "a"]]);
    expect(model.statistics.tokens).toBe(1);
    model.learn("b.ts", "typescript", "b.c");
    expect(model.statistics.tokens).toBe(4);
    model.forget("b.ts");
    expect(model.statistics.tokens).toBe(1);
  });

  it("uses no memory after many files were learnt and forgotten", () => {
    const knowledge = new Knowledge(1000);
    knowledge.learn("kept.ts", "typescript", "kept");
    for (let i = 0; i < 5000; i++) knowledge.learn("empty.ts", "typescript", "");
    expect(knowledge.corpus.documentStarts.length).toBeLessThan(2500);
    const { start } = knowledge.files.get("kept.ts")!.region;
    expect(knowledge.vocabulary.names[knowledge.corpus.tokens[start]! >> 2]).toBe("kept");
  });
});

describe("a learnt file", () => {
  it("replaces the earlier text of its path", async () => {
    const [a, b]: Source[] = [
      ["src/a.ts", "typescript", "user.save(order);\nuser.load(order);"],
      ["src/a.ts", "typescript", "const user = order.find(items);"],
    ];
    const model = modelOf([a!, b!]);
    expect(await answersOf(model)).toBe(await answersOf(modelOf([b!])));
    expect(model.statistics).toMatchObject({ files: 1, characters: b![2].length, languages: { typescript: 1 } });
  });

  it("has no effect while it is hidden", async () => {
    const files: Source[] = [["src/here.ts", "typescript", "const user = order.find(items);"]];
    const { knowledge } = modelOf(files);
    const places = (): number[] => [...knowledge.corpus.tokens.subarray(0, knowledge.corpus.length)];
    const before = places();
    expect(knowledge.hide("unknown")).toBeUndefined();
    const show = knowledge.hide("src/here.ts");
    expect(places().every((token) => token === 0)).toBe(true);
    show!();
    expect(places()).toEqual(before);
  });

  test("law: is not changed by any request", () =>
    fc.assert(
      fc.asyncProperty(anyWorkspace, async (files) => {
        const model = modelOf([...files, ["src/here.ts", "typescript", places[4]!.prefix]]);
        const { knowledge } = model;
        const state = (): unknown => [
          knowledge.vocabulary.counts.reduce((a, b) => a + b),
          knowledge.vocabulary.size,
          [...knowledge.corpus.tokens],
        ];
        const before = state();
        const first = await answersOf(model);
        expect(await answersOf(model)).toBe(first);
        expect(state()).toEqual(before);
      }),
      fewRuns,
    ));
});

describe("secrets in learnt files", () => {
  // The keys are made up. Their beginnings stand apart from the rest, so that no scanner takes this
  // file for a leak.
  const random = "a8Kd02mQx7Zp4LwV9bTn3RjY6sHc1GfE5uXo";
  const key = `${"sk-"}proj-${random}`;
  const hexadecimal = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

  it.each([
    ["typescript", `const key = "${key}";`],
    ["typescript", `const key = '${hexadecimal}';`],
    ["typescript", `const key = "Bearer ${key}";`],
    ["typescript", `const key = \`${key}\`;`],
    ["typescript", `const key = \`Bearer \${key}:${key}\`;`],
    ["typescript", `// the key is ${key}`],
    ["typescript", `<A key="${random}" />`],
    ["python", `KEY = """${key}"""`],
    ["python", `KEY = f"${key}"`],
    ["go", `key := "${key}"`],
    ["rust", `let key = r#"${key}"#;`],
    ["shellscript", `export KEY=${key}`],
    ["json", `{ "key": "${random}" }`],
    ["yaml", `key: ${key}`],
    ["plaintext", key],
    ["typescript", `// the key is ${hexadecimal}`],
    ["typescript", `const key = \`${hexadecimal}\`;`],
    ["typescript", `const key = "the key is ${hexadecimal}";`],
    ["python", `KEY = """${hexadecimal}"""`],
    ["yaml", `key: ${hexadecimal}`],
  ])("%s: nothing of %j is learnt", (language, text) => {
    expect(learntOf(language, text)).toEqual([]);
  });

  it.each([
    // Known failures: what is split at a mark.
    ["yaml", "url: postgres://app:n0nsense2hunter3@db.example.com/app", "n0nsense2hunter3"],
    ["typescript", "const url = `postgres://app:n0nsense2hunter3@db.example.com/app`;", "n0nsense2hunter3"],
    ["shellscript", `export KEY=${"SG"}.a8Kd02mQx7Zp4LwV9b.${random}`, "a8Kd02mQx7Zp4LwV9b"],
  ])("%s: of %j, %s is learnt", (language, text, learnt) => {
    expect(learntOf(language, text)).toEqual([learnt]);
  });

  /** What is learnt of a text that reads like no word. */
  function learntOf(language: string, text: string): string[] {
    const { names } = modelOf([["a", language, `before\n${text}\nafter`]]).knowledge.vocabulary;
    expect(names).toEqual(expect.arrayContaining(["before", "after"]));
    return names.filter((name) => name.length > 12 || /[A-Z]\d|\d[A-Z]/.test(name));
  }
});
