import fc from "fast-check";
import { expect, test } from "vitest";
import type { TokenCounter } from "../../../model/index.ts";
import { type LineEnding, Lines } from "../../../text/index.ts";
import { conflictBlocks, tryEditWindow } from "./editable-region.ts";
import { defaultWindowSettings, type RegionSettings } from "./prompt-input-settings.ts";

/**
 * Reads one character a line: a letter is text and `_` a blank line, each of one token; a digit is
 * text of that many tokens; `<` and `>` mark a conflict. `|` precedes the cursor's line.
 */
function readLines(signs: string): { readonly lines: Lines; readonly cursorLine: number } {
  const texts = Array.from(signs.replace("|", ""), (sign) => lineOf[sign] ?? sign);
  return { lines: Lines.of(texts.join("\n")), cursorLine: signs.indexOf("|") };
}
const lineOf: Readonly<Record<string, string>> = { _: " ", "<": "<<<<<<< ours", ">": ">>>>>>> theirs" };

const counter: TokenCounter = { name: "signs", isExact: true, count: (line) => Number(/^\d/.exec(line)?.[0] ?? 1) };

/**
 * `W` for each line of the editable region, `A` for others of the area, `P` for others of the
 * excerpt, `.` for the rest.
 */
function draw(count: number, { window, area, page }: NonNullable<ReturnType<typeof tryEditWindow>>): string {
  const signs = Array.from({ length: count }, () => ".");
  signs.fill("P", page.start, page.end).fill("A", area.start, area.end).fill("W", window.start, window.end);
  return signs.join("");
}

const settings: RegionSettings = {
  ...{ linesAbove: 1, linesBelow: 2, moreLinesBelow: 2, regionTokens: 8 },
  ...{ contextLines: 2, excerptLines: 4, excerptTokens: 20 },
};

type Change = Partial<RegionSettings> & { readonly isRetry?: boolean };

const cases: readonly (readonly [name: string, signs: string, drawn: string | undefined, change?: Change])[] = [
  ["has the lines around the cursor", "aaaaaaaa|aaaaaaaa", "PPPPPAAWWWWAAPPP"],
  ["is cut at the beginning of a file", "|aaaaaaaa", "WWWAAPPP"],
  ["is cut at the end of a file", "aaaaaaa|a", "PPPPAAWW"],
  ["has the only line of a file", "|a", "W"],
  ["has more lines below on a second try", "aaaaaaaa|aaaaaaaa", "PPPPPAAWWWWWWAAP", { isRetry: true }],
  ["extends above up to text", "aaaa__|_aaaaaaaaa", "PAAWWWWWWAAPPPPP", { linesAbove: "up-to-text" }],
  ["has no lines above the cursor's text", "aaaaaaaa|aaaaaaaa", "PPPPPPAAWWWAAPPP", { linesAbove: "up-to-text" }],
  [
    "has no lines above where the text is too far",
    "a________|_aaaaaa",
    "PPPPPPPAAWWWAAPP",
    { linesAbove: "up-to-text" },
  ],
  ["extends as far as tokens allow, below first", "aaaaaa|3333aaaaaa", "PPPAAWWWAAPP...."],
  ["ends before a long line below", "aaaa|aa8aaaa", "PAAWWWAAPPP"],
  ["ends after a long line above, as the area does", "aaaaaaa9|aaaaaaaa", "........WWWAAPPP", { excerptTokens: 11 }],
  ["is undefined for a line that is too long", "aaaa|9aaaa", undefined],
  [
    "the excerpt grows in steps that fit",
    "aaaaaaaaaaaaa|aaaaaaaaaaa",
    "........PPAAWWWWAAPP....",
    { excerptTokens: 14 },
  ],
  [
    "the excerpt uses on one side what the other leaves",
    "aa|aaaaaaaaaaaaaaaaaa",
    "AWWWWAAPPPPPPPPP....",
    { excerptTokens: 16 },
  ],
  ["may have more tokens than the excerpt", "aaaa|aaaaaa", "...WWWW...", { excerptTokens: 2 }],
  ["includes a conflict whole that it would cut below", "aaaa|aa<a>aaaa", "PAAWWWWWWAAPP"],
  ["includes a conflict whole that it would cut above", "aaa<a>|aaaaaa", "PAAWWWWWWAAP"],
  ["includes a conflict whole around the cursor", "aa<aa|aa>aaaa", "AAWWWWWWAAPP"],
  ["leaves out a conflict beside it", "aaaa|aaa<a>a", "PAAWWWWAAPP"],
  ["leaves out a conflict with too many tokens", "aaaa|aa<77>aaa", "PAAWWWAA....."],
  ["cuts a conflict around the cursor that has too many tokens", "aa<77|aa>aaaa", "...AAWWWAA.."],
];
for (const [name, signs, drawn, { isRetry = false, ...change } = {}] of cases) {
  test(`the editable region ${name}: ${signs}`, () => {
    const { lines, cursorLine } = readLines(signs);
    const place = { lines, cursorLine, language: "typescript", counter, isRetry };
    const found = tryEditWindow(place, { ...settings, ...change });
    expect(found && draw(lines.count, found)).toBe(drawn);
  });
}

test("a line of 100,000 units is never counted nor shown beside others, and has no editable region of its own", () => {
  const counted: number[] = [];
  const watching: TokenCounter = {
    ...counter,
    count(text) {
      counted.push(text.length);
      return Math.ceil(text.length / 4);
    },
  };
  const lines = Lines.of(`a\nb\n${"long ".repeat(20_000)}\nc\nd`);
  const find = (cursorLine: number) => tryEditWindow({ lines, cursorLine, language: "typescript", counter: watching });
  expect(draw(5, find(0)!)).toBe("WW...");
  expect(find(2)).toBe(undefined);
  expect(draw(5, find(4)!)).toBe("...WW");
  expect(Math.max(...counted)).toBeLessThan(10);
});

test("the line after the last line ending is in the editable region only if the cursor is there", () => {
  const lines = Lines.of("a\nb\n");
  const find = (cursorLine: number) => tryEditWindow({ lines, cursorLine, language: "typescript" })!.window;
  expect(find(1)).toEqual({ start: 0, end: 2 });
  expect(find(2)).toEqual({ start: 0, end: 3 });
});

const anySigns = fc.array(fc.constantFrom("a", "a", "a", "_", "3", "7", "<", ">"), { minLength: 1, maxLength: 40 });
const anySettings = fc.record<RegionSettings>({
  linesAbove: fc.oneof(fc.nat(5), fc.constant("up-to-text" as const)),
  linesBelow: fc.nat(6),
  moreLinesBelow: fc.nat(4),
  regionTokens: fc.nat(20),
  contextLines: fc.nat(6),
  excerptLines: fc.integer({ min: 1, max: 6 }),
  excerptTokens: fc.nat(40),
});
const anyPlace = fc.record({
  signs: anySigns,
  at: fc.nat(),
  ending: fc.constantFrom<LineEnding>("\n", "\r\n", "\r"),
  isRetry: fc.boolean(),
  settings: anySettings,
});

test("law: the cursor's line is in the editable region, that in the area, that in the excerpt, and each within its tokens", () =>
  fc.assert(
    fc.property(anyPlace, ({ signs, at, ending, isRetry, settings }) => {
      const lines = Lines.of(signs.map((sign) => lineOf[sign] ?? sign).join(ending));
      const cursorLine = at % lines.count;
      const cost = (range: { start: number; end: number }) => {
        let sum = 0;
        for (let line = range.start; line < range.end; line++) sum += counter.count(lines.text(line));
        return sum;
      };
      const found = tryEditWindow({ lines, cursorLine, language: "typescript", counter, isRetry }, settings);
      const isTooLong = cost({ start: cursorLine, end: cursorLine + 1 }) > settings.regionTokens;
      expect(found === undefined).toBe(isTooLong);
      fc.pre(found !== undefined);
      const { window, area, page } = found;
      const nested = [
        0,
        page.start,
        area.start,
        window.start,
        cursorLine,
        cursorLine + 1,
        window.end,
        area.end,
        page.end,
      ];
      expect([...nested, lines.count].every((line, i) => i === 0 || nested[i - 1]! <= line)).toBe(true);
      expect(cost(window)).toBeLessThanOrEqual(settings.regionTokens);
      expect(cost(page)).toBeLessThanOrEqual(Math.max(settings.excerptTokens, cost(window)));
      // A conflict is whole or left out, unless the cursor is in one that alone has too many
      // tokens.
      const conflicts = conflictBlocks(lines);
      for (const block of conflicts) {
        const isCut = [window.start, window.end].some((line) => block.start < line && line < block.end);
        const isAround = block.start <= cursorLine && cursorLine < block.end;
        expect(isCut && !(isAround && cost(block) > settings.regionTokens)).toBe(false);
      }
      const extra = conflicts
        .filter(({ start, end }) => window.start <= start && end <= window.end)
        .reduce((sum, { start, end }) => sum + end - start, 0);
      const above = settings.linesAbove === "up-to-text" ? 8 : settings.linesAbove;
      const below = settings.linesBelow + (isRetry ? settings.moreLinesBelow : 0);
      expect(window.end - window.start - extra).toBeLessThanOrEqual(above + below + 1);
      expect(Math.max(window.start - area.start, area.end - window.end)).toBeLessThanOrEqual(settings.contextLines);
    }),
  ));

test("law: the excerpt stays the same while the cursor moves within a step", () => {
  const lines = Lines.of("a\n".repeat(1_000));
  const pages = Array.from({ length: 200 }, (_, i) => {
    const { page } = tryEditWindow(
      { lines, cursorLine: 400 + i, language: "typescript", counter },
      defaultWindowSettings,
    )!;
    expect([page.start % 10, page.end === lines.count || page.end % 10 === 0]).toEqual([0, true]);
    return page.start;
  });
  expect(new Set(pages).size).toBeLessThanOrEqual(20);
});

test.each([
  ["", []],
  ["a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd", ["1-6"]],
  ["<<<<<<< HEAD\r\n=======\r\n>>>>>>>", ["0-3"]],
  ["<<<<<<<\n>>>>>>>\n<<<<<<<\n>>>>>>>\n", ["0-2", "2-4"]],
  ["<<<<<<< a\nb\n<<<<<<< c\n>>>>>>> c", ["2-4"]],
  ["<<<<<<< a\nb", []],
  [">>>>>>> a\n<<<<<<< b", []],
  ["<<<<<<<<<<< a\n>>>>>>>>>>> b", ["0-2"]],
  [" <<<<<<< a\n>>>>>>> b", []],
  ["<<<<<< a\n>>>>>> b", []],
  ["<<<<<<<a>\n>>>>>>>a", []],
])("%j has the conflicts %j", (text, blocks) => {
  expect(conflictBlocks(Lines.of(text)).map(({ start, end }) => `${start}-${end}`)).toEqual(blocks);
});
