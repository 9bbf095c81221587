import { expect, test } from "vitest";
import { type ChangedText, overlayAt, textsAt, textsWith } from "./text-overlay.ts";

/** Texts in the notation `path=text`, where `path-` has none. */
function parse(notation: string): Map<string, string | undefined> {
  const parts = notation.split(" ").filter((part) => part !== "");
  return new Map(
    parts.map((part) => (part.endsWith("-") ? [part.slice(0, -1), undefined] : (part.split("=") as [string, string]))),
  );
}

function print(textOf: (path: string) => string | undefined): string {
  return ["a", "b", "c"].map((path) => (textOf(path) === undefined ? `${path}-` : `${path}=${textOf(path)}`)).join(" ");
}

test.each([
  ["", "a=1 b=2", "a=1 b=2 c-"],
  ["a=x", "a=1 b=2", "a=x b=2 c-"],
  ["a- c=new", "a=1 b=2", "a- b=2 c=new"],
  ["a=", "a=1", "a= b- c-"],
])("texts with the overlay %o over %o are %o", (overlay, base, expected) => {
  const texts = parse(base);
  expect(print(textsWith(parse(overlay), (path) => texts.get(path)))).toBe(expected);
});

test("later changes of an overlay, and of the texts below it, count", () => {
  const overlay = parse("a=x");
  const base = parse("a=1 b=2");
  const textOf = textsWith(overlay, (path) => base.get(path));
  overlay.delete("a");
  overlay.set("c", "y");
  base.set("b", "3");
  expect(print(textOf)).toBe("a=1 b=3 c=y");
});

test("a change has its own texts before and after, whatever the present ones are", () => {
  const [before, after] = [parse("a=1 b=2 c-"), parse("a=x b- c=new")];
  const changed = new Map<string, ChangedText>(
    [...before].map(([path, text]) => [path, { before: text, after: after.get(path) }]),
  );
  const present = (path: string) => `now ${path}`;
  const lookUp = (side: "before" | "after") => print(textsAt(side, changed, present));
  expect([lookUp("before"), lookUp("after")]).toEqual(["a=1 b=2 c-", "a=x b- c=new"]);
  expect(textsAt("after", changed, present)("d")).toBe("now d");
  expect([overlayAt("before", changed), overlayAt("after", changed)]).toEqual([before, after]);
});
