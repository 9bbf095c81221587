import { expect, test } from "vitest";
import { openLiveView } from "./live-view.ts";

let printed = "";
let now = 0;

function open(options: { readonly isWatched?: boolean; readonly columns?: number; readonly rows?: number } = {}) {
  printed = "";
  now = 0;
  const err = (text: string) => {
    printed += text
      .replaceAll("\u001b[J", "⌫")
      .replaceAll("\u001b[", "↑")
      .replace(/(↑\d+)A/g, "$1");
  };
  return openLiveView({ err, isWatched: true, columns: 10, rows: 6, now: () => now, ...options });
}

test("rows are drawn in the place of those before, not too often, and taken away at the end", () => {
  const view = open();
  view.show(() => ["one"]);
  view.show(() => ["too soon"]);
  view.show(() => ["for a while"], { isLasting: true });
  now = 100;
  view.show(() => ["one", "two"]);
  view.close();
  now = 200;
  view.show(() => ["too late"]);
  expect(printed).toBe("one\n\r↑1⌫for a whi\n\r↑1⌫one\ntwo\n\r↑2⌫");
});

test.each([
  [["a", "b", "c"], "b\nc\n"],
  [["0123456789"], "012345678\n"],
  [["可変長引数にする"], "可変長引\n"],
  [["\ta\u0007"], "    a␇\n"],
])("what does not fit is left out: %o", (rows, shown) => {
  const view = open();
  view.show(() => rows);
  expect(printed).toBe(shown);
});

test("a colour that was cut ends", () => {
  open().show(() => ["\u001b[32m0123456789\u001b[39m"]);
  expect(printed).toBe("↑32m012345678↑39m\n");
});

test("where nobody watches nothing is printed", () => {
  const view = open({ isWatched: false });
  view.show(() => ["one"]);
  view.close();
  expect(printed).toBe("");
});
