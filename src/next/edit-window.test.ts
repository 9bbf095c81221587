import fc from "fast-check";
import { expect, test } from "vitest";
import type { TokenCounter } from "../model/index.ts";
import { type LineEnding, Lines } from "../text/index.ts";
import { conflictBlocks } from "./conflict-blocks.ts";
import { defaultWindowSettings, tryEditWindow, type WindowSettings } from "./edit-window.ts";

/**
 * One sign a line: a letter is text and `_` blank, each of one token; a digit is text of so many tokens; `<` and `>` mark a conflict.
 * `|` is in front of the cursor's line.
 */
function readLines(signs: string): { readonly lines: Lines; readonly cursorLine: number } {
  const texts = Array.from(signs.replace("|", ""), (sign) => lineOf[sign] ?? sign);
  return { lines: Lines.of(texts.join("\n")), cursorLine: signs.indexOf("|") };
}
const lineOf: Readonly<Record<string, string>> = { _: " ", "<": "<<<<<<< ours", ">": ">>>>>>> theirs" };

const counter: TokenCounter = { name: "signs", isExact: true, count: (line) => Number(/^\d/.exec(line)?.[0] ?? 1) };

/** `W` for each line of the window, `A` for others of the area, `P` for others of the page, `.` for the rest. */
function draw(count: number, { window, area, page }: NonNullable<ReturnType<typeof tryEditWindow>>): string {
  const signs = Array.from({ length: count }, () => ".");
  signs.fill("P", page.start, page.end).fill("A", area.start, area.end).fill("W", window.start, window.end);
  return signs.join("");
}

const settings: WindowSettings = {
  ...{ linesAbove: 1, linesBelow: 2, moreLinesBelow: 2, windowTokens: 8 },
  ...{ areaLines: 2, pageLines: 4, pageTokens: 20 },
};

type Change = Partial<WindowSettings> & { readonly isRetry?: boolean };

const cases: readonly (readonly [name: string, signs: string, drawn: string | undefined, change?: Change])[] = [
  ["lines around the cursor", "aaaaaaaa|aaaaaaaa", "PPPPPAAWWWWAAPPP"],
  ["the beginning of a file", "|aaaaaaaa", "WWWAAPPP"],
  ["its end", "aaaaaaa|a", "PPPPAAWW"],
  ["a file of a line", "|a", "W"],
  ["again, because nothing was proposed", "aaaaaaaa|aaaaaaaa", "PPPPPAAWWWWWWAAP", { isRetry: true }],
  ["above, up to text", "aaaa__|_aaaaaaaaa", "PAAWWWWWWAAPPPPP", { linesAbove: "up-to-text" }],
  ["none above text", "aaaaaaaa|aaaaaaaa", "PPPPPPAAWWWAAPPP", { linesAbove: "up-to-text" }],
  ["none where the text is too far", "a________|_aaaaaa", "PPPPPPPAAWWWAAPP", { linesAbove: "up-to-text" }],
  ["as far as there are tokens, below first", "aaaaaa|3333aaaaaa", "PPPAAWWWAAPP...."],
  ["a long line below", "aaaa|aa8aaaa", "PAAWWWAAPPP"],
  ["a long line above, which the area ends at too", "aaaaaaa9|aaaaaaaa", "........WWWAAPPP", { pageTokens: 11 }],
  ["too long a line for any window", "aaaa|9aaaa", undefined],
  ["pages that there is room for", "aaaaaaaaaaaaa|aaaaaaaaaaa", "........PPAAWWWWAAPP....", { pageTokens: 14 }],
  ["what one side leaves, for the other", "aa|aaaaaaaaaaaaaaaaaa", "AWWWWAAPPPPPPPPP....", { pageTokens: 16 }],
  ["a window with more tokens than the page", "aaaa|aaaaaa", "...WWWW...", { pageTokens: 2 }],
  ["a conflict that the window would cut below", "aaaa|aa<a>aaaa", "PAAWWWWWWAAPP"],
  ["one above", "aaa<a>|aaaaaa", "PAAWWWWWWAAP"],
  ["one around the cursor", "aa<aa|aa>aaaa", "AAWWWWWWAAPP"],
  ["one beside the window", "aaaa|aaa<a>a", "PAAWWWWAAPP"],
  ["one with too many tokens stays out", "aaaa|aa<77>aaa", "PAAWWWAA....."],
  ["one with too many tokens around the cursor is cut", "aa<77|aa>aaaa", "...AAWWWAA.."],
];
for (const [name, signs, drawn, { isRetry = false, ...change } = {}] of cases) {
  test(`${name}: ${signs}`, () => {
    const { lines, cursorLine } = readLines(signs);
    const place = { lines, cursorLine, language: "typescript", counter, isRetry };
    const found = tryEditWindow(place, { ...settings, ...change });
    expect(found && draw(lines.count, found)).toBe(drawn);
  });
}

test("a line of 100,000 units is never counted nor shown beside others, and has no window of its own", () => {
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

test("what follows the last line ending is in the window only if the cursor is there", () => {
  const lines = Lines.of("a\nb\n");
  const find = (cursorLine: number) => tryEditWindow({ lines, cursorLine, language: "typescript" })!.window;
  expect(find(1)).toEqual({ start: 0, end: 2 });
  expect(find(2)).toEqual({ start: 0, end: 3 });
});

const anySigns = fc.array(fc.constantFrom("a", "a", "a", "_", "3", "7", "<", ">"), { minLength: 1, maxLength: 40 });
const anySettings = fc.record<WindowSettings>({
  linesAbove: fc.oneof(fc.nat(5), fc.constant("up-to-text" as const)),
  linesBelow: fc.nat(6),
  moreLinesBelow: fc.nat(4),
  windowTokens: fc.nat(20),
  areaLines: fc.nat(6),
  pageLines: fc.integer({ min: 1, max: 6 }),
  pageTokens: fc.nat(40),
});
const anyPlace = fc.record({
  signs: anySigns,
  at: fc.nat(),
  ending: fc.constantFrom<LineEnding>("\n", "\r\n", "\r"),
  isRetry: fc.boolean(),
  settings: anySettings,
});

test("law: the cursor's line is in the window, that in the area, that in the page, and each within its tokens", () =>
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
      if (found === undefined) {
        expect(cost({ start: cursorLine, end: cursorLine + 1 })).toBeGreaterThan(settings.windowTokens);
        return;
      }
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
      expect(cost(window)).toBeLessThanOrEqual(settings.windowTokens);
      expect(cost(page)).toBeLessThanOrEqual(Math.max(settings.pageTokens, cost(window)));
      // A conflict is whole or left out, unless the cursor is in one that alone is too much.
      const conflicts = conflictBlocks(lines);
      for (const block of conflicts) {
        const isCut = [window.start, window.end].some((line) => block.start < line && line < block.end);
        const isAround = block.start <= cursorLine && cursorLine < block.end;
        expect(isCut && !(isAround && cost(block) > settings.windowTokens)).toBe(false);
      }
      const extra = conflicts
        .filter(({ start, end }) => window.start <= start && end <= window.end)
        .reduce((sum, { start, end }) => sum + end - start, 0);
      const above = settings.linesAbove === "up-to-text" ? 8 : settings.linesAbove;
      const below = settings.linesBelow + (isRetry ? settings.moreLinesBelow : 0);
      expect(window.end - window.start - extra).toBeLessThanOrEqual(above + below + 1);
      expect(Math.max(window.start - area.start, area.end - window.end)).toBeLessThanOrEqual(settings.areaLines);
    }),
  ));

test("law: a page stays while the cursor moves within pages that have room", () => {
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
