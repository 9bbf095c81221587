import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { BracketDebt, closerOf, openerOf } from "./brackets.ts";

// `({\n[|]}` is a hole with `({` open before it on an earlier line, `[` on its own, and `]}` to be
// closed after it.

const pairs = ["()", "[]", "{}"];
const closers = pairs.map((pair) => pair[1]!);

/** Writes brackets in the hole. */
function write(debt: BracketDebt, brackets: string): void {
  for (const bracket of brackets) debt.push(bracket, closers.includes(bracket) ? -1 : 1);
}

function readDebt(marked: string): BracketDebt {
  const [before, after] = marked.split("|") as [string, string];
  const earlier = before.lastIndexOf("\n");
  const open = [...before.replace("\n", "")];
  const debt = new BracketDebt();
  debt.reset(open, [...after].map(openerOf).reverse(), Math.max(0, earlier));
  return debt;
}

function show(debt: BracketDebt): string {
  const { toClose, toCloseEarlier, toOpen, nextToOpen, innermost } = debt;
  return `close ${toClose} (${toCloseEarlier} earlier), open ${toOpen}${nextToOpen && ` from ${nextToOpen}`}, in ${innermost || "none"}`;
}

describe("a hole requires closing brackets", () => {
  it.each([
    ["|", "", "close 0 (0 earlier), open 0, in none"],
    ["(|)", "", "close 0 (0 earlier), open 0, in ("],
    ["(|", "", "close 1 (0 earlier), open 0, in ("],
    ["|)", "", "close 0 (0 earlier), open 1 from (, in none"],
    ["({|})", "", "close 0 (0 earlier), open 0, in {"],
    ["({|)", "", "close 1 (0 earlier), open 0, in {"],
    ["(|})", "", "close 0 (0 earlier), open 1 from {, in ("],
    ["(|]", "", "close 1 (0 earlier), open 1, in ("],
    ["({[|]", "", "close 3 (0 earlier), open 1, in ["],
    ["{(\n[|", "", "close 3 (2 earlier), open 0, in ["],
    ["{(\n[|}", "", "close 2 (1 earlier), open 0, in ["],
    // What is written in the hole counts.
    ["(|)", "{", "close 1 (0 earlier), open 0, in {"],
    ["(|)", "{}", "close 0 (0 earlier), open 0, in ("],
    ["(|)", ")", "close 0 (0 earlier), open 1 from (, in none"],
    ["(|)", ")(", "close 0 (0 earlier), open 0, in ("],
    ["{(\n|}", ")", "close 0 (0 earlier), open 0, in {"],
    ["{(\n|", ")", "close 1 (1 earlier), open 0, in {"],
    ["{\n|", "}{", "close 1 (0 earlier), open 0, in {"],
    ["(|])", "[", "close 0 (0 earlier), open 0, in ["],
    ["|", ")", "close 0 (0 earlier), open 0, in none"],
  ])("%j with %j: %s", (marked, written, expected) => {
    const debt = readDebt(marked);
    write(debt, written);
    expect(show(debt)).toBe(expected);
  });

  it("in the same way for every kind of opening bracket", () => {
    const debt = new BracketDebt();
    debt.reset(["${", "#["], ["{", "["], 0);
    expect(show(debt)).toBe("close 0 (0 earlier), open 0, in #[");
    expect(["(", "[", "{", "${", "#{", "#["].map(closerOf)).toEqual([")", "]", "}", "}", "}", "]"]);
  });

  const anyOpeners = fc.array(fc.constantFrom("(", "[", "{"), { maxLength: 5 }).map((openers) => openers.join(""));
  const mirror = (openers: string): string => [...openers].map(closerOf).reverse().join("");

  law("nothing once it has closed and opened what is owed", [anyOpeners, anyOpeners], (open, needed) => {
    const debt = readDebt(`${open}|${mirror(needed)}`);
    while (debt.toClose > 0) write(debt, closerOf(debt.innermost));
    while (debt.toOpen > 0) write(debt, debt.nextToOpen);
    expect([debt.toClose, debt.toOpen, debt.open.join("")]).toEqual([0, 0, needed]);
  });

  law("what it did before a balanced text", [anyOpeners, anyOpeners, anyOpeners], (open, needed, text) => {
    const debt = readDebt(`${open}|${mirror(needed)}`);
    const before = show(debt);
    write(debt, text + mirror(text));
    expect(show(debt)).toBe(before);
  });

  law("the same for a copy, which goes its own way", [anyOpeners, anyOpeners, anyOpeners], (open, needed, text) => {
    const debt = readDebt(`${open}|${mirror(needed)}`);
    const copy = new BracketDebt();
    copy.copy(debt);
    const before = show(debt);
    expect(show(copy)).toBe(before);
    write(copy, mirror(text) + text);
    expect(show(debt)).toBe(before);
  });
});
