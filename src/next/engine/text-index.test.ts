import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TextIndex } from "./text-index.ts";

/** One step: a file gets a text, or is removed. */
const step = fc.record({
  path: fc.constantFrom("a.ts", "b.ts", "c.ts"),
  text: fc.option(
    fc.array(fc.constantFrom("one", "two", "$x", "_y", "ä", "+", " ", "\n")).map((words) => words.join("")),
  ),
});

test.each([false, true])("answers depend on the present texts only; for one request: %s", (isForOneRequest) => {
  const question = fc.array(fc.constantFrom("one", "two", "$x", "_y", "ä", "tw"), { maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(step, question)), (steps) => {
      const index = new TextIndex({ isForOneRequest });
      const texts = new Map<string, string>();
      for (const [{ path, text }, words] of steps) {
        index.update(path, text ?? undefined);
        if (text === null) texts.delete(path);
        else texts.set(path, text);
        const wordsIn = (path: string) => new Set(texts.get(path)!.split(/[^\w$ä]+/));
        const wanted = [...texts.keys()].filter((path) => words.every((word) => wordsIn(path).has(word)));
        expect([...index.containing(words)].sort()).toEqual(words.length === 0 ? [] : wanted.sort());
        expect(index.textOf(path)).toBe(texts.get(path));
        expect(index.characters).toBe([...texts.values()].join("").length);
      }
    }),
  );
});

test("the layout grows with the files and with JSON, and module names follow", () => {
  const index = new TextIndex();
  const after = (path: string, text: string | undefined) => {
    const { layout } = index;
    index.update(path, text);
    return `${index.layout > layout} ${index.modules.resolve("lib", "a.ts")}`;
  };
  expect(after("lib/package.json", '{ "name": "lib", "main": "one.ts" }')).toBe("true undefined");
  expect(after("lib/one.ts", "")).toBe("true lib/one.ts");
  expect(after("lib/one.ts", "let a;")).toBe("false lib/one.ts");
  expect(after("lib/package.json", '{ "name": "lib", "main": "two.ts" }')).toBe("true undefined");
  expect(after("lib/two.ts", "")).toBe("true lib/two.ts");
  expect(after("lib/two.ts", undefined)).toBe("true undefined");
});

test("row 14: words of a large text are indexed in slices, also of texts that change meanwhile", async () => {
  let pauses = 0;
  let interrupted = 0;
  const large = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`).join(",");
  const texts = new Map<string, string>();
  const yieldThread = async () => {
    pauses += 1;
    if (pauses % 3 !== 0) return;
    interrupted += 1;
    const path = pauses % 2 === 0 ? "a.ts" : "b.ts";
    const text = large(pauses % 2 === 0 ? "x" : "y", 8_000 - 500 * interrupted);
    if (interrupted > 5) return;
    texts.set(path, text);
    index.update(path, text);
  };
  const index = new TextIndex({ yieldThread });
  for (const [path, name] of [
    ["a.ts", "one"],
    ["b.ts", "two"],
  ] as const) {
    texts.set(path, large(name, 30_000));
    index.update(path, texts.get(path));
  }
  await index.settled();
  expect(pauses).toBeGreaterThan(10);
  expect(interrupted).toBeGreaterThan(3);
  const fresh = new TextIndex();
  for (const [path, text] of texts) fresh.update(path, text);
  for (const word of ["one1", "two1", "one29999", "x1", "y1", "x7400", "y7400", "x5600", "y5600", "x6400", "y6400"])
    expect(index.containing([word])).toEqual(fresh.containing([word]));
});
