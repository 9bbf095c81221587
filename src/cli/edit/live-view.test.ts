import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openLiveView } from "./live-view.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let printed = "";
let now = 0;

function open(options: { readonly isWatched?: boolean; readonly columns?: number; readonly rows?: number } = {}) {
  printed = "";
  now = 0;
  const err = (text: string) => {
    printed += text
      .replaceAll("\u001b[J", "⌫")
      .replaceAll("\u001b[K", "⌦")
      .replaceAll("\u001b[", "↑")
      .replace(/(↑\d+)A/g, "$1");
  };
  const terminal = { err, isWatched: true, columns: 10, rows: 6, now: () => now };
  return openLiveView(Object.defineProperties(terminal, Object.getOwnPropertyDescriptors(options)));
}

test("draws rows over the earlier ones at a limited rate, and erases them at the end", () => {
  const view = open();
  view.show(() => ["one"]);
  view.show(() => ["too soon"]);
  view.show(() => ["for a while"], { isLasting: true });
  now = 100;
  view.show(() => ["one", "two"]);
  view.close();
  now = 200;
  view.show(() => ["too late"]);
  expect(printed).toBe("one\n\r↑1for a whi⌦\n\r↑1one⌦\ntwo\n\r↑2⌫");
});

test.each([
  [["a", "b", "c"], "b\nc\n"],
  [["0123456789"], "012345678\n"],
  [["可変長引数にする"], "可変長引\n"],
  [["\ta\u0007"], "    a␇\n"],
  [["👩‍👩‍👧 1234567"], "👩‍👩‍👧 123456\n"],
  [["12345678👩‍👩‍👧"], "12345678\n"],
  [["🇩🇪1234567890"], "🇩🇪1234567\n"],
  [["नमस्ते 123456"], "नमस्ते 12345\n"],
  [["e\u0301e\u03011234567890"], "e\u0301e\u03011234567\n"],
  [["ไทยที่ 12345"], "ไทยที่ 1234\n"],
  [["\u200b1234567890"], "\u200b123456789\n"],
  [["a\u001b[2Jb"], "a␛[2Jb\n"],
])("leaves out what does not fit: %o", (rows, shown) => {
  const view = open();
  view.show(() => rows);
  expect(printed).toBe(shown);
});

test("ends a colour in a row that was cut", () => {
  open().show(() => ["\u001b[32m0123456789\u001b[39m"]);
  expect(printed).toBe("↑32m012345678↑39m\n");
});

test("prints nothing where standard error is no terminal", () => {
  const view = open({ isWatched: false });
  view.show(() => ["one"]);
  view.close();
  expect(printed).toBe("");
});

test("draws only changed rows, and erases the rest", () => {
  const view = open();
  view.show(() => ["a", "b"]);
  now = 100;
  view.show(() => ["a", "x"]);
  now = 200;
  view.show(() => ["x"]);
  expect(printed).toBe("a\nb\n\r↑2\nx⌦\n\r↑2x⌦\n⌫");
});

test("erases wrapped rows after the terminal became narrower", () => {
  const terminal = { columns: 10 };
  const view = open({
    get columns() {
      return terminal.columns;
    },
  });
  view.show(() => ["12345678", "ab"]);
  terminal.columns = 5;
  now = 100;
  view.show(() => ["12345678", "ab"]);
  view.close();
  expect(printed).toBe("12345678\nab\n\r↑3⌫1234\nab\n\r↑2⌫");
});

test("counts the columns of characters, not code points, where a narrower terminal wrapped rows", () => {
  const terminal = { columns: 10 };
  const view = open({
    get columns() {
      return terminal.columns;
    },
  });
  view.show(() => ["👩‍👩‍👧👩‍👩‍👧", "e\u0301"]);
  terminal.columns = 5;
  view.close();
  expect(printed).toBe("👩‍👩‍👧👩‍👩‍👧\ne\u0301\n\r↑2⌫");
});

test("draws rows that came too soon after a delay, unless others follow", () => {
  const view = open();
  view.show(() => ["one"]);
  now = 30;
  view.show(() => ["left out"]);
  view.show(() => ["two"]);
  vi.advanceTimersByTime(49);
  expect(printed).toBe("one\n");
  vi.advanceTimersByTime(1);
  expect(printed).toBe("one\n\r↑1two⌦\n");
  view.show(() => ["too late"]);
  view.close();
  vi.runAllTimers();
  expect(printed).toBe("one\n\r↑1two⌦\n\r↑1⌫");
});

test("draws rows less often that take long to draw", () => {
  const view = open();
  const slow = (row: string) => () => {
    now += 100;
    return [row];
  };
  view.show(slow("one"));
  now = 550;
  view.show(slow("too soon"));
  now = 650;
  view.show(slow("two"));
  expect(printed).toBe("one\n\r↑1two⌦\n");
});
