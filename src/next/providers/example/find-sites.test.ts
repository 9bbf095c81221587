import fc from "fast-check";
import { expect, test } from "vitest";
import type { PastEdit } from "../../../context/index.ts";
import { neededSigns } from "./find-sites.ts";
import { examplesOf, linesAround } from "./learn-rewrites.ts";
import { tryMatch } from "./match-rewrite.ts";
import { lineFeedsIn, type Rewrite } from "./rewrite.ts";
import { TextLines } from "./text-lines.ts";

const line = fc.array(fc.constantFrom("one", "two", "(", ")", " = ", ", ", "{", "}", ";", "."), { maxLength: 6 });
const lines = (maxLength: number) =>
  fc.array(
    line.map((parts) => parts.join("")),
    { maxLength },
  );
const learnt = fc.record({ above: lines(2), below: lines(2), before: lines(2), after: lines(2) });

test("law: the test by needed tokens rejects no line with a site", () => {
  let applied = 0;
  fc.assert(
    fc.property(learnt, lines(5), ({ above, below, before, after }, others) => {
      const edit: PastEdit = { path: "a.ts", before, after, lines: { start: 2, end: 2 + after.length }, atMs: 0 };
      const text = new TextLines([...others, ...above, ...before, ...below].join("\n"));
      for (const { key, example } of examplesOf(edit, above, below)) {
        const rewrite: Rewrite = { key, examples: [example] };
        const isPresent = neededSigns(rewrite);
        for (const at of linesWherePlacesBegin(rewrite, text)) {
          applied++;
          expect(isPresent(text, at)).toBe(true);
        }
      }
    }),
    { numRuns: 2_000 },
  );
  expect(applied).toBeGreaterThan(500);
});

function linesWherePlacesBegin(rewrite: Rewrite, text: TextLines): readonly number[] {
  const below = lineFeedsIn(rewrite.examples[0].items) + 1 + linesAround;
  return Array.from({ length: text.lines.count }, (_, line) => line).filter((line) => {
    const tokens = text.tokens(line - linesAround, line + below);
    return tokens.list.some(({ start }, index) => {
      return text.lines.lineAt(start) === line && tryMatch(rewrite, tokens, index) !== undefined;
    });
  });
}
