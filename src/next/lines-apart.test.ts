import fc from "fast-check";
import { expect, test } from "vitest";
import { EditHistory } from "../context/index.ts";
import { minimalEdit } from "../text/index.ts";
import { LinesApart } from "./lines-apart.ts";
import { textBefore } from "./past-text.ts";

/** What is remembered of a file that became one text after the other. */
function historyOf(texts: readonly string[]) {
  const history = new EditHistory();
  for (const [i, text] of texts.slice(1).entries()) {
    history.record("a.ts", texts[i]!, minimalEdit(texts[i]!, text), i);
  }
  return history.entries(texts.length);
}

// Lines stand between blanks.
test.each<[what: string, texts: readonly string[], apart: readonly string[]]>([
  ["lines below each other", ["a b c", "A b c", "A B c", "A B C"], ["0 a => A", "1 b => B", "2 c => C"]],
  ["from the last to the first", ["a b c", "a b C", "a B C"], ["1 b => B", "2 c => C"]],
  ["one of them taken back", ["a b c", "A b c", "A B c", "A B C", "A b C"], ["0 a => A", "2 c => C"]],
  ["two lines at once", ["a b c", "A B c"], ["0 a b => A B"]],
  ["one more below those", ["a b c", "A B c", "A B C"], ["0 a b c => A B C"]],
  ["a line that comes", ["a b c", "A b c", "A B x c"], ["0 a b => A B x"]],
])("%s", (_, texts, apart) => {
  const edits = new LinesApart().of(historyOf(texts.map((text) => text.replaceAll(" ", "\n"))));
  const shown = edits.map(({ lines, before, after }) => `${lines.start} ${before.join(" ")} => ${after.join(" ")}`);
  expect(shown).toEqual(apart);
});

test("law: edits with their lines apart lead back to the same text, and are the same as long as those they are of", () => {
  const change = fc.tuple(fc.nat(5), fc.constantFrom("x", "y", "x\ny", ""));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      const texts = ["a\nb\nc\nd\ne\nf"];
      for (const [line, said] of changes) {
        const lines = texts.at(-1)!.split("\n");
        texts.push(lines.with(line % lines.length, said).join("\n"));
      }
      const history = historyOf(texts);
      const apart = new LinesApart();
      expect(textBefore("a.ts", texts.at(-1)!, apart.of(history))).toBe(textBefore("a.ts", texts.at(-1)!, history));
      for (const [i, edit] of apart.of(history).entries()) expect(apart.of(history)[i]).toBe(edit);
    }),
  );
});
