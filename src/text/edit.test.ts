import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInsideCharacter } from "./characters.ts";
import { anyEdit, anyEdited, anyText, anyThreeSteps, anyTwoEdits, law, readEdit, showEdit } from "./edit.laws.ts";
import { type Bias, Edit, type Ties } from "./edit.ts";
import { EmendError, InvariantError } from "./errors.ts";
import { printRange } from "./text-edit.ts";

// Edits are written as marks in a text: `a[b|X]c` replaces the `b` of `abc` by `X`. See
// edit.laws.ts.

describe("an edit", () => {
  const of = (...edits: [number, number, string][]) =>
    Edit.of(edits.map(([start, end, text]) => ({ start, end, text })));

  it.each([
    [[2, 1, "x"], "An edit needs whole offsets with start <= end, got [2, 1)"],
    [[0.5, 1, "x"], "An edit needs whole offsets with start <= end, got [0.5, 1)"],
    [[Number.NaN, 1, "x"], "An edit needs whole offsets with start <= end, got [NaN, 1)"],
    [[-1, 1, "x"], "Edits must be sorted and disjoint: [-1, 1) begins before 0"],
  ] as [[number, number, string], string][])("refuses %j", (edit, message) => {
    expect(() => of(edit)).toThrow(new InvariantError(message));
  });

  it("throws for overlaps and a wrong order, and accepts neighbours", () => {
    expect(() => of([1, 4, "x"], [3, 5, "y"])).toThrow("[3, 5) begins before 4");
    expect(() => of([3, 5, "x"], [3, 3, "y"])).toThrow("[3, 3) begins before 5");
    expect(of([1, 3, "x"], [3, 3, "y"], [3, 5, "z"]).edits).toHaveLength(3);
  });

  it("is made of unsorted replacements, or undefined when two touch the same text", () => {
    const at = (start: number, end: number, text: string) => ({ start, end, text });
    expect(`${Edit.tryOf([at(5, 6, "z"), at(1, 1, "x"), at(1, 1, "y")])}`).toBe(
      `[1, 1) -> "x", [1, 1) -> "y", [5, 6) -> "z"`,
    );
    expect(Edit.tryOf([at(3, 6, "x"), at(5, 7, "y")])).toBeUndefined();
  });

  it("contains no replacement of nothing by nothing", () => {
    expect(of([1, 1, ""])).toBe(Edit.empty);
    expect(of([1, 2, "b"]).isEmpty).toBe(false);
  });

  it("prints itself on one short line", () => {
    expect(`${Edit.empty}`).toBe("no change");
    expect(`${of([3, 7, "name"], [9, 9, "\n"])}`).toBe(`[3, 7) -> "name", [9, 9) -> "\\n"`);
    expect(`${of([0, 0, "a"], [1, 1, "b"], [2, 2, "c"], [3, 3, "d"], [4, 4, "e"])}`).toMatch(/ and 2 more$/);
    expect(`${Edit.insert(0, "x".repeat(99))}`).toBe(`[0, 0) -> "${"x".repeat(39)}…"`);
  });
});

describe("apply", () => {
  it.each([
    ["abc", "abc"],
    ["a[b|X]c", "aXc"],
    ["[|X]abc[|Y]", "XabcY"],
    ["[abc|]", ""],
    ["a[|X][|Y]b", "aXYb"],
    ["[a|X][b|Y][|Z]", "XYZ"],
  ])("%s gives %s", (marked, after) => {
    const { text, edit } = readEdit(marked);
    expect(edit.apply(text)).toBe(after);
  });

  it.each([
    ["ab[c|X]d", "[2, 3)"],
    ["a[|X]bc[d|]e", "[1, 4)"],
    ["abc", "[0, 0)"],
  ])("the span of %s is %s", (marked, span) => {
    expect(printRange(readEdit(marked).edit.span)).toBe(span);
  });

  it.each([
    ["log(a[|, b])[|;]", undefined, '[5, 6) ", b);"'],
    ["log(a[|, b])[|;]", 3, '[3, 6) "(a, b);"'],
    ["a[b|X]c[d|]e", undefined, '[1, 4) "Xc"'],
    ["abc", undefined, '[0, 0) ""'],
  ])("%s in one replacement from %s is %s", (marked, start, expected) => {
    const { text, edit } = readEdit(marked);
    const one = edit.inOne(text, start);
    expect(`${printRange(one)} ${JSON.stringify(one.text)}`).toBe(expected);
    expect(Edit.of([one]).apply(text)).toBe(edit.apply(text));
  });

  it("throws an error with the offsets when a range ends past the end of the text", () => {
    expect(() => Edit.delete({ start: 2, end: 5 }).apply("abc")).toThrow(
      new EmendError("out-of-bounds", "[2, 5) lies outside a text of 3 code units"),
    );
  });

  const bySlices = (text: string, edit: Edit) =>
    edit.edits.reduceRight((after, { start, end, text }) => after.slice(0, start) + text + after.slice(end), text);
  law("slicing the text from the last replacement to the first gives the same", [anyEdited], ({ text, edit }) =>
    expect(edit.apply(text)).toBe(bySlices(text, edit)),
  );

  law(
    "two insertions at one offset are one insertion of both texts",
    [anyText, fc.nat(), anyText, anyText],
    (text, at, a, b) => {
      const offset = at % (text.length + 1);
      const twice = Edit.of([a, b].map((inserted) => ({ start: offset, end: offset, text: inserted })));
      expect(twice.apply(text)).toBe(Edit.insert(offset, a + b).apply(text));
      expect(twice.compose(Edit.empty).equals(Edit.insert(offset, a + b))).toBe(true);
    },
  );
});

describe("invert", () => {
  it.each([
    ["a[b|X]c", "a[X|b]c"],
    ["a[|X]b", "a[X|]b"],
    ["a[bc|][d|]e", "a[|bc][|d]e"],
    ["[a|XX]b[c|Y]", "[XX|a]b[Y|c]"],
  ])("%s is undone by %s", (marked, inverse) => {
    const { text, edit } = readEdit(marked);
    expect(showEdit(edit.apply(text), edit.invert(text))).toBe(inverse);
  });

  law("the inverse gives the text back", [anyEdited], ({ text, edit }) =>
    expect(edit.invert(text).apply(edit.apply(text))).toBe(text),
  );

  law("an edit composed with its inverse changes nothing", [anyEdited], ({ text, edit }) => {
    expect(edit.compose(edit.invert(text)).normalize(text).isEmpty).toBe(true);
  });
});

describe("compose", () => {
  it.each([
    // first        then          is
    ["a[b|X]c", "aX[c|Y]", "a[bc|XY]"],
    ["a[|XYZ]b", "aX[Y|]Zb", "a[|XZ]b"],
    ["a[|XYZ]b", "aX[|-]YZb", "a[|X-YZ]b"],
    ["a[|X]b", "a[X|]b", "ab"],
    ["a[b|X]c", "[aXc|]", "[abc|]"],
    ["a[bc|]d", "a[|X]d", "a[bc|X]d"],
    ["a[b|X]cd[e|Y]f", "aX[cd|-]Yf", "a[bcde|X-Y]f"],
    ["[|XX]abc", "X[Xa|Z]bc", "[a|XZ]bc"],
    ["abc[|X]", "[a|A]bcX", "[a|A]bc[|X]"],
  ])("%s then %s is %s", (first, then, both) => {
    const a = readEdit(first);
    const b = readEdit(then);
    expect(a.edit.apply(a.text)).toBe(b.text);
    expect(showEdit(a.text, a.edit.compose(b.edit))).toBe(both);
  });

  law("applying the composition is applying one after the other", [anyThreeSteps], ({ text, a, b }) => {
    expect(a.compose(b).apply(text)).toBe(b.apply(a.apply(text)));
  });

  law("composing is associative, to the very replacements", [anyThreeSteps], ({ a, b, c }) => {
    expect(`${a.compose(b).compose(c)}`).toBe(`${a.compose(b.compose(c))}`);
  });
});

describe("tryRebase", () => {
  it.each([
    // mine         base          mine after base
    ["abc[|X]d", "[|--]abcd", "--abc[|X]d"],
    ["[a|X]bcd", "abc[d|-]", "[a|X]bc-"],
    ["abc[d|X]", "a[bc|]d", "a[d|X]"],
    // Neighbours keep their sides.
    ["a[b|X]cd", "a[|-]bcd", "a-[b|X]cd"],
    ["a[b|X]cd", "ab[|-]cd", "a[b|X]-cd"],
    ["a[|X]bcd", "a[b|-]cd", "a[|X]-cd"],
    ["ab[|X]cd", "a[b|-]cd", "a-[|X]cd"],
    ["a[b|X]cd", "ab[c|-]d", "a[b|X]-d"],
    // What touches does not rebase.
    ["a[bc|X]d", "ab[cd|-]", undefined],
    ["a[bc|X]d", "ab[|-]cd", undefined],
    ["a[|X]bcd", "a[|-]bcd", undefined],
    ["a[b|X]cd", "a[b|X]cd", undefined],
  ])("%s past %s is %s", (mine, base, expected) => {
    const a = readEdit(mine);
    const b = readEdit(base);
    expect(a.text).toBe(b.text);
    const rebased = a.edit.tryRebase(b.edit);
    expect(rebased && showEdit(b.edit.apply(b.text), rebased)).toBe(expected);
  });

  law("both orders lead to the same text, or neither way is open", [anyTwoEdits], ({ mine, theirs }) => {
    const mineAfter = mine.tryRebase(theirs);
    const theirsAfter = theirs.tryRebase(mine);
    expect(mineAfter === undefined).toBe(theirsAfter === undefined);
    fc.pre(mineAfter !== undefined && theirsAfter !== undefined);
    expect(`${mine.compose(theirsAfter)}`).toBe(`${theirs.compose(mineAfter)}`);
  });

  const touch = (a: Edit["edits"][number], b: Edit["edits"][number]) =>
    a.start === a.end && b.start === b.end ? a.start === b.start : a.start < b.end && b.start < a.end;
  law("edits touch when any two of their replacements do", [anyTwoEdits], ({ mine, theirs }) => {
    expect(mine.touches(theirs)).toBe(mine.edits.some((a) => theirs.edits.some((b) => touch(a, b))));
  });
});

describe("rebase", () => {
  it.each([
    // mine         base          ties          mine after base
    ["a[|X]b", "a[|-]b", "mine-first", "a[|X]-b"],
    ["a[|X]b", "a[|-]b", "base-first", "a-[|X]b"],
    ["a[b|X]c", "a[b|-]c", "mine-first", "a[|X]-c"],
    ["a[b|X]c", "a[b|-]c", "base-first", "a-[|X]c"],
    // An insertion comes before a replacement that begins there, whatever the ties.
    ["a[b|X]c", "a[|-]bc", "mine-first", "a-[b|X]c"],
    ["a[|X]bc", "a[b|-]c", "base-first", "a[|X]-c"],
    // What either deletes is gone, what either inserts stays.
    ["a[bcd|X]e", "ab[|-]cde", "mine-first", "a[b|X]-[cd|]e"],
    ["a[bcd|]e", "ab[c|-]de", "mine-first", "a[b|]-[d|]e"],
    ["ab[cd|X]e", "a[bc|-]de", "mine-first", "a-[d|X]e"],
    ["ab[c|X]de", "[abcde|-]", "mine-first", "-[|X]"],
  ] as [string, string, Ties, string][])("%s past %s, %s, is %s", (mine, base, ties, expected) => {
    const a = readEdit(mine);
    const b = readEdit(base);
    expect(a.text).toBe(b.text);
    expect(showEdit(b.edit.apply(b.text), a.edit.rebase(b.edit, ties))).toBe(expected);
  });

  law("both orders lead to the same text", [anyTwoEdits], ({ mine, theirs }) => {
    const mineFirst = theirs.compose(mine.rebase(theirs, "mine-first"));
    const theirsLater = mine.compose(theirs.rebase(mine, "base-first"));
    expect(`${mineFirst}`).toBe(`${theirsLater}`);
  });
});

describe("normalize", () => {
  it.each([
    ["[abc|abXc]", "ab[|X]c"],
    ["a[bc|bc]d", "abcd"],
    ["[a|X][b|Y]c", "[ab|XY]c"],
    ["[aaa|aa]", "aa[a|]"],
    ["a[b|][|b]c", "abc"],
    // A surrogate pair stays whole; 😀 and 😁 share their first half.
    ["[😀|😁]", "[😀|😁]"],
    // So does \r\n: only the \n went, but \r\n is replaced.
    ["a[\r\n|\r]b", "a[\r\n|\r]b"],
    ["a\r[\n|]b", "a[\r\n|\r]b"],
    ["a\r[x|]\nb", "a[\rx\n|\r\n]b"],
    ["a\r[|\n]b", "a[\r|\r\n]b"],
  ])("%j becomes %j", (marked, normalized) => {
    const { text, edit } = readEdit(marked);
    expect(showEdit(text, edit.normalize(text))).toBe(normalized);
  });

  law("the effect is the same, and a second time changes nothing", [anyEdited], ({ text, edit }) => {
    const normalized = edit.normalize(text);
    expect(normalized.apply(text)).toBe(edit.apply(text));
    expect(`${normalized.normalize(text)}`).toBe(`${normalized}`);
  });

  law("no replacement begins or ends inside a character, before or after", [anyEdited], ({ text, edit }) => {
    const normalized = edit.normalize(text);
    const after = normalized.apply(text);
    for (const { start, end } of normalized.edits) {
      expect([start, end].map((offset) => isInsideCharacter(text, offset))).toEqual([false, false]);
    }
    for (const { start, end } of normalized.rangesAfter()) {
      expect([start, end].map((offset) => isInsideCharacter(after, offset))).toEqual([false, false]);
    }
  });
});

// In these tables `^` is an offset and `<` `>` is a range of the text before; both may stand inside
// a replacement.
describe("mapOffset", () => {
  it.each([
    // offset       before        after
    ["a^b[c|XX]d", "a^bXXd", "a^bXXd"],
    ["a[b|XX]c^d", "aXXc^d", "aXXc^d"],
    ["a^[|X]b", "a^Xb", "aX^b"],
    ["a^[|X][|Y]b", "a^XYb", "aXY^b"],
    ["a[b^c|XX]d", "a^XXd", "aXX^d"],
    // The ends of a replaced range are the ends of the new text.
    ["a[^bc|XX]d", "a^XXd", "a^XXd"],
    ["a[bc^|XX]d", "aXX^d", "aXX^d"],
    ["a[b|X][^c|Y]d", "aX^Yd", "aX^Yd"],
    ["a[b|X]^[|-][c|Y]d", "aX^-Yd", "aX-^Yd"],
  ])("%s is %s or %s", (marked, before, after) => {
    const { offset, edit, textAfter } = readOffset(marked);
    const show = (bias: Bias) => showAt(textAfter, [edit.mapOffset(offset, bias), "^"]);
    expect([show("before"), show("after")]).toEqual([before, after]);
  });

  law(
    "survivors stay beside their neighbours, and order is kept",
    [anyEdited, fc.constantFrom<Bias>("before", "after")],
    ({ text, edit }, bias) => {
      const after = edit.apply(text);
      const mapped = Array.from({ length: text.length + 1 }, (_, offset) => edit.mapOffset(offset, bias));
      expect(mapped).toEqual([...mapped].sort((a, b) => a - b));
      for (const [offset, place] of mapped.entries()) {
        expect(edit.mapOffset(offset, "before")).toBeLessThanOrEqual(place);
      }
      const survivors = [...mapped.keys()].filter(
        (offset) => offset < text.length && !edit.edits.some((e) => e.start <= offset && offset < e.end),
      );
      const found = survivors.map((offset) => after[edit.mapOffset(offset, "after")]);
      expect(found).toEqual(survivors.map((offset) => text[offset]));
    },
  );

  const pastOne = (offset: number, [start, end, length]: [number, number, number], bias: Bias) => {
    if (offset < start) return offset;
    if (start === end) return offset === start && bias === "before" ? offset : offset + length;
    if (offset === start) return start;
    if (offset >= end) return offset + length - (end - start);
    return bias === "before" ? start : start + length;
  };
  // Where replacements touch, the place between them is lost on the way; they are compared apart.
  const apart = anyEdited.filter(({ edit }) => edit.edits.every((e, i) => i === 0 || edit.edits[i - 1]!.end < e.start));
  law(
    "mapping past one replacement after the other, from the last to the first, gives the same",
    [apart, fc.nat(), fc.constantFrom<Bias>("before", "after")],
    ({ text, edit }, at, bias) => {
      const offset = at % (text.length + 1);
      const naive = edit.edits.reduceRight((o, e) => pastOne(o, [e.start, e.end, e.text.length], bias), offset);
      expect(edit.mapOffset(offset, bias)).toBe(naive);
    },
  );
});

describe("mapRange", () => {
  it.each([
    // range          exclude        include
    ["a<b>[c|X]d", "a<b>Xd", "a<b>Xd"],
    ["a[|X]<b>[|Y]c", "aX<b>Yc", "a<XbY>c"],
    ["a[<bc>|XX]d", "a<XX>d", "a<XX>d"],
    ["a[b<c>d|XX]e", "a<>XXe", "a<XX>e"],
    ["a<b[c>d|XX]e", "a<b>XXe", "a<bXX>e"],
    ["a<>[|X]b", "a<>Xb", "a<X>b"],
  ])("%s is %s or %s", (marked, excluded, included) => {
    const { range, edit, textAfter } = readRange(marked);
    const show = (edges: "exclude" | "include") => {
      const { start, end } = edit.mapRange(range, edges);
      return showAt(textAfter, [start, "<"], [end, ">"]);
    };
    expect([show("exclude"), show("include")]).toEqual([excluded, included]);
  });

  law(
    "a mapped range is a range, and including gives no less than excluding",
    [anyEdited, fc.nat(), fc.nat()],
    ({ text, edit }, a, b) => {
      const [start, end] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y) as [number, number];
      const excluded = edit.mapRange({ start, end }, "exclude");
      const included = edit.mapRange({ start, end }, "include");
      expect(excluded.start).toBeLessThanOrEqual(excluded.end);
      expect(included.start).toBeLessThanOrEqual(excluded.start);
      expect(included.end).toBeGreaterThanOrEqual(excluded.end);
    },
  );
});

describe("rangesAfter", () => {
  law("they hold the new texts", [anyEdited], ({ text, edit }) => {
    const after = edit.apply(text);
    expect(edit.rangesAfter().map(({ start, end }) => after.slice(start, end))).toEqual(
      edit.edits.map((replacement) => replacement.text),
    );
  });
});

law("an edit equals itself drawn again", [anyText.chain((text) => fc.clone(anyEdit(text), 2))], ([a, b]) =>
  expect(a!.equals(b!)).toBe(true),
);

/** Reads the place of one mark, which may stand inside the old text of a replacement. */
function readMark(marked: string, mark: string): number {
  const unmarked = marked.replace(/[<>^]/g, (found) => (found === mark ? found : ""));
  return readEdit(unmarked).text.indexOf(mark);
}

function readOffset(marked: string) {
  const { text, edit } = readEdit(marked.replace("^", ""));
  return { offset: readMark(marked, "^"), edit, textAfter: edit.apply(text) };
}

function readRange(marked: string) {
  const { text, edit } = readEdit(marked.replace(/[<>]/g, ""));
  return { range: { start: readMark(marked, "<"), end: readMark(marked, ">") }, edit, textAfter: edit.apply(text) };
}

function showAt(text: string, ...marks: [offset: number, mark: string][]): string {
  return Edit.of(marks.map(([offset, mark]) => ({ start: offset, end: offset, text: mark }))).apply(text);
}

it("does the same behind a prefix when it is moved, and is itself when it is moved back", () => {
  const edit = Edit.of([Edit.insert(0, "x").edits[0]!, { start: 2, end: 3, text: "y" }]);
  expect(edit.movedBy(4).apply("....abc")).toBe(`....${edit.apply("abc")}`);
  expect(edit.movedBy(4).movedBy(-4).equals(edit)).toBe(true);
});
