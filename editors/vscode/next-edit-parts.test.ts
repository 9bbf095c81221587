import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { law } from "../../src/text/edit.laws.ts";
import { Lines } from "../../src/text/index.ts";
import { fromCursor, type Replacement, tryAsGhostText } from "./src/as-ghost-text.ts";
import { drawnParts } from "./src/drawn-edit.ts";
import { applied, editAsDiff, fenced } from "./src/edit-as-diff.ts";
import { elsewhereHint } from "./src/hint-text.ts";
import { isIndenting } from "./src/indenting.ts";
import { nextEditWay } from "./src/next-edit-way.ts";
import { tryAcceptedLength } from "./src/partial-accept.ts";
import { printExplanations } from "./src/print-explanation.ts";
import type { Explanation } from "./src/protocol.ts";

// An edit is a text with `[before|after]`; a cursor is `^`.

interface Marked {
  readonly text: string;
  readonly edits: readonly Replacement[];
  readonly offsetAt: (place: Replacement["range"]["start"]) => number;
  readonly lineAt: (line: number) => string;
}

function marked(notation: string): Marked {
  const found: { readonly start: number; readonly end: number; readonly newText: string }[] = [];
  let text = "";
  for (const [whole, before, after] of notation.matchAll(/\[([^|\]]*)\|([^\]]*)\]|[^[]+/g)) {
    const start = text.length;
    text += after === undefined ? whole : before!;
    if (after !== undefined) found.push({ start, end: text.length, newText: after });
  }
  return withEdits(text, found);
}

function withEdits(text: string, found: readonly { start: number; end: number; newText: string }[]): Marked {
  const lines = Lines.of(text);
  const placeAt = (offset: number) => {
    const line = lines.lineAt(offset);
    return { line, character: offset - lines.start(line) };
  };
  return {
    text,
    edits: found.map(({ start, end, newText }) => ({ range: { start: placeAt(start), end: placeAt(end) }, newText })),
    offsetAt: ({ line, character }) => lines.start(line) + character,
    lineAt: (line) => lines.text(line),
  };
}

describe("nextEditWay", () => {
  const at = (line: number, character: number) => ({ line, character });
  const range = { start: at(5, 2), end: at(6, 0) };
  test.each([
    ["another document", { isElsewhere: true }, at(5, 2), "elsewhere"],
    ["its line", {}, at(5, 0), "here"],
    ["its last line", {}, at(6, 3), "here"],
    ["another line", {}, at(7, 0), "away"],
    ["a place to look at", { hasEdits: false }, at(5, 2), "away"],
    ["the place of its ghost text", { ghostAt: at(4, 7) }, at(4, 7), "ghost-text"],
    ["beside that place", { ghostAt: at(4, 7) }, at(4, 6), "away"],
  ] as const)("%s", (_, sight, cursor, expected) => {
    expect(nextEditWay({ isElsewhere: false, hasEdits: true, range, cursor, ...sight })).toBe(expected);
  });
});

test.each([
  ["", false, true],
  ["\t  ", false, true],
  ["  a", false, false],
  ["  ", true, false],
])("Tab indents after %j, where Tab moved the cursor there %j: %j", (before, wasBroughtHere, expected) => {
  expect(isIndenting(before, wasBroughtHere)).toBe(expected);
});

describe("tryAsGhostText", () => {
  test.each([
    ["after the end of a line", "a;[|\nb;]\nc;", '0:2 "\\nb;"'],
    ["whole lines before a line", "a;\n[|b;\n]c;", '0:2 "\\nb;"'],
    ["whole lines with carriage returns", "a;\r\n[|b;\r\n]c;", '0:2 "\\r\\nb;"'],
    ["before the first line", "[|b;\n]c;", "none"],
    ["within a line", "a[|x]b", "none"],
    ["a replacement", "a;\n[b|c\nd];", "none"],
    ["lines within a line", "a[|x\ny]b", "none"],
    ["several edits", "a;[|\nb]\nc;[|\nd]", "none"],
  ])("%s", (_, notation, expected) => {
    const { edits, lineAt } = marked(notation);
    const ghost = tryAsGhostText(edits, lineAt);
    const shown = ghost && `${ghost.at.line}:${ghost.at.character} ${JSON.stringify(ghost.insertText)}`;
    expect(shown ?? "none").toBe(expected);
  });

  const line = fc.constantFrom("", "a", "  b", "cd");
  law(
    "has the same result as the edit",
    [fc.array(line, { minLength: 1, maxLength: 5 }), fc.nat(), line, line],
    (before, seed, first, second) => {
      const text = before.join("\n");
      const offset = seed % (text.length + 1);
      for (const newText of [`${first}\n`, `\n${first}`, `${first}\n${second}\n`]) {
        const { edits, lineAt, offsetAt } = withEdits(text, [{ start: offset, end: offset, newText }]);
        const ghost = tryAsGhostText(edits, lineAt);
        if (ghost === undefined) continue;
        const asInsertion = applied(text, [{ range: ghost.range, newText: ghost.insertText }], offsetAt);
        expect(asInsertion).toBe(applied(text, edits, offsetAt));
      }
    },
  );
});

test.each([
  ["at the cursor", 3, "d", '"d" from 3'],
  ["after the cursor", 1, "d", '"bcd" from 1'],
  ["before the cursor", 4, "d", "none"],
])("fromCursor: %s", (_, character, insertText, expected) => {
  const place = { line: 0, character: 3 };
  const ghost = fromCursor({ insertText, range: { start: place, end: place } }, { line: 0, character }, "abcefg");
  expect(ghost === undefined ? "none" : `${JSON.stringify(ghost.insertText)} from ${ghost.range.start.character}`).toBe(
    expected,
  );
});

describe("drawnParts", () => {
  test.each([
    ["a changed word", "a = [priceOf|costOf](1);", "priceOf>costOf"],
    ["the differing words of a line", "[return a + b;|return a - b;]", "+>-"],
    ["an insertion", "a[|, b]", ">, b"],
    ["a removal", "a[, b|]", ", b>"],
    ["several lines", "[|\n\nfoo();\nbar();\n]", ">foo(); +1"],
  ])("%s", (_, notation, expected) => {
    const { text, edits, offsetAt } = marked(notation);
    const parts = drawnParts(text, edits, offsetAt);
    const shown = parts.map(
      ({ start, end, shown, hiddenLines }) =>
        `${text.slice(start, end)}>${shown}${hiddenLines > 0 ? ` +${hiddenLines}` : ""}`,
    );
    expect(shown.join(" ")).toBe(expected);
  });
});

test.each([
  ["cart.ts", "Tab: cart.ts:3, a reason"],
  ["src/cart.ts", "Tab: cart.ts:3 in src, a reason"],
  ["src/a-long-name-of-a-package/components/checkout/cart.ts", "Tab: cart.ts:3 in src/a-long-…nts/checkout, a reason"],
  [`src/${"long-".repeat(10)}name.ts`, "Tab: long-long-long-long…ng-long-long-name.ts:3 in src, a reason"],
])("elsewhereHint: %s: %s", (path, expected) => {
  expect(elsewhereHint(path, 3, "a reason")).toBe(expected);
});

test("a diff in Markdown has one line of context, and no text in it closes its code block", () => {
  const { text, edits, offsetAt } = marked("a\nb\nc\n[d|```]\ne\nf\ng\nh\n[i|]\n");
  const diff = editAsDiff(text, edits, offsetAt);
  expect(diff.split("\n")).toEqual([" c", "-d", "+```", " e", "⋯", " h", "-i", "+"]);
  expect(fenced(diff, "diff").split("\n").at(0)).toBe("````diff");
});

describe("tryAcceptedLength", () => {
  const seen = { offset: 10, text: "ms.at(0)" };
  test.each([
    ["a word", { offset: 10, length: 0, text: "ms" }, 2],
    ["a typed character", { offset: 10, length: 0, text: "m" }, undefined],
    ["all of it, which the server is notified of separately", { offset: 10, length: 0, text: "ms.at(0)" }, undefined],
    ["another text", { offset: 10, length: 0, text: "mx" }, undefined],
    ["another place", { offset: 11, length: 0, text: "ms" }, undefined],
    ["a replacement", { offset: 10, length: 1, text: "ms" }, undefined],
  ])("%s", (_, change, expected) => {
    expect(tryAcceptedLength(seen, change)).toBe(expected);
  });

  test("a bracket that the editor closes automatically counts as typing", () => {
    expect(tryAcceptedLength({ offset: 0, text: "()=>1" }, { offset: 0, length: 0, text: "()" })).toBeUndefined();
  });
});

test("an explanation names repeated steps once, and repeats no sentence", () => {
  const titles: Readonly<Record<string, string>> = { sources: "Proposals", model: "Model" };
  const step = (name: string, detail: string) => ({ name, title: titles[name]!, startMs: 0, tookMs: 1, detail });
  const page = printExplanations([
    {
      ...{ of: "next-edit", uri: "file:///a.ts", position: { line: 0, character: 0 }, result: "Nothing." },
      ...{ changes: [], totalMs: 3, pieces: [], refusals: [] },
      steps: [step("sources", "Found 1."), step("sources", "Found 2."), step("model", "Nothing.")],
    },
  ] as readonly Explanation[]);
  const rows = page.split("\n").filter((row) => row.startsWith("| "));
  expect(rows).toEqual([
    "| step | took | result |",
    "| --- | --- | --- |",
    "| Proposals | 1.0 ms | Found 1. |",
    "|  | 1.0 ms | Found 2. |",
    "| Model | 1.0 ms | see above |",
  ]);
});
