import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TextIndex } from "./text-index.ts";

/** One step: a file is told, or gone. */
const step = fc.record({
  path: fc.constantFrom("a.ts", "b.ts", "c.ts"),
  text: fc.option(
    fc.array(fc.constantFrom("one", "two", "$x", "_y", "ä", "+", " ", "\n")).map((words) => words.join("")),
  ),
});

test("it answers as if it had been told only the texts that there are now", () => {
  const question = fc.array(fc.constantFrom("one", "two", "$x", "_y", "ä", "tw"), { maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(step, question)), (steps) => {
      const index = new TextIndex();
      const texts = new Map<string, string>();
      for (const [{ path, text }, words] of steps) {
        index.update(path, text ?? undefined);
        if (text === null) texts.delete(path);
        else texts.set(path, text);
        const said = (path: string) => new Set(texts.get(path)!.split(/[^\w$ä]+/));
        const wanted = [...texts.keys()].filter((path) => words.every((word) => said(path).has(word)));
        expect([...index.saying(words)].sort()).toEqual(words.length === 0 ? [] : wanted.sort());
        expect(index.textOf(path)).toBe(texts.get(path));
      }
    }),
  );
});
