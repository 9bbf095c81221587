import { expect, test } from "vitest";
import type { MadeRepair } from "../../../analysis/index.ts";
import { fixReason } from "./fix-reason.ts";

// A call with a diagnostic at `«…»` and a repaired argument `[old|new]`, and the reason.
test.each<[call: string, reason: string]>([
  ["«greet(a[, loud|])»;", "passes no loud, which greet no longer takes"],
  ["greet(a[, «true»|]);", "passes no true, which greet no longer takes"],
  ["f(greet<A>({ b: c() }, [«unit»|shop], x)[0]);", "calls greet as it is declared now"],
  ["table([«'One, Two'»|], rows);", "calls table as it is declared now"],
  ["«shop.greet»(a[|, 1]);", "calls greet as it is declared now"],
  ["«shop.greet»(a[|, name]);", "passes name, which greet needs now"],
  ["«super(a[|, b])»;", "passes b, which its base class needs now"],
])("the reason of the repair %s is: %s", (marked, reason) => {
  const [, front, old, fresh, back] = /^(.*)\[(.*)\|(.*)\](.*)$/.exec(marked)!;
  const plain = (text: string) => text.replaceAll(/[«»]/g, "");
  const call = `${front}${old}${back}`;
  const start = plain(front!).length;
  const edits = [{ start, end: start + plain(old!).length, text: fresh! }];
  const place = { start: call.indexOf("«"), end: call.indexOf("»") - 1 };
  const finding: MadeRepair["diagnostic"] = { ...place, path: "a.ts", code: "2554", message: "" };
  expect(fixReason({ rule: "argument", edits, diagnostic: finding }, plain(call))).toBe(reason);
});
