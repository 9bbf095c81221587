import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Edit, minimalEdit } from "../../src/text/index.ts";
import type { CommitFile } from "./commit-hunks.ts";
import { FileProgress } from "./file-progress.ts";
import { markedCommit } from "./marked-commit.ts";

const file = `
a.ts
  zero
- one
+ ONE
  two
+ three
  four
- five
  six
- seven
- eight
+ SEVEN
+ EIGHT
  nine`;

function progressOf(source = file): FileProgress {
  const { before, after, hunks } = markedCommit(source)[0] as CommitFile;
  return new FileProgress(before!, after!, hunks);
}

describe("verdicts", () => {
  // The text as the suggestion would have it; `/` is a line break.
  it.each([
    ["zero/ONE/two/four/five/six/seven/eight/nine", "exact"],
    ["zero/one/two/three/four/five/six/seven/eight/nine", "exact"],
    ["zero/one/two/four/six/seven/eight/nine", "exact"],
    ["zero/one/two/four/five/six/SEVEN/EIGHT/nine", "exact"],
    ["zero/one/two/four/five/six/SEVEN/eight/nine", "exact"],
    ["zero/ONE/two/three/four/five/six/seven/eight/nine", "exact"],
    ["zero/one/two/four/five/six/seven/EIGHT and/nine", "place"],
    ["zero/other/two/four/five/six/seven/eight/nine", "place"],
    ["zero/one/two/3/four/five/six/seven/eight/nine", "place"],
    ["zero/ONE/more/two/four/five/six/seven/eight/nine", "place"],
    ["ZERO/one/two/four/five/six/seven/eight/nine", "place"],
    ["zero/one/two/four/five/six/seven/eight/nine/ten/eleven", "wrong"],
    ["zero/one/two/four/five/six/seven/eight/nine", "wrong"],
  ] as const)("%s is %s", (text, verdict) => {
    const progress = progressOf();
    const was = progress.text;
    expect(progress.judge(minimalEdit(was, text.replaceAll("/", "\n")))).toBe(verdict);
    expect(progress.text).toBe(was);
  });
});

it("an edit that is right as far as it goes is a part of its line", () => {
  const progress = progressOf("a.ts\n  zero\n- old(one)\n+ fresh(one, two)\n  three");
  const verdict = (text: string) => progress.judge(minimalEdit(progress.text, `zero\n${text}\nthree`));
  expect(verdict("fresh(one)")).toBe("part");
  expect(verdict("old(one, two)")).toBe("part");
  expect(verdict("fresh(two)")).toBe("place");
  expect(verdict("fresh(one, two)")).toBe("exact");
});

describe("hunks", () => {
  it("are made one by one", () => {
    const progress = progressOf();
    const { edit, end } = progress.make(1);
    expect(progress.text.split("\n").slice(2, 5)).toEqual(["two", "three", "four"]);
    expect(progress.text.slice(0, end)).toMatch(/three\n$/);
    expect(edit.edits).toHaveLength(1);
    expect(progress.open).toEqual([0, 2, 3]);
  });

  it("are done when all of them was suggested", () => {
    const progress = progressOf();
    const half = progress.text.indexOf("seven");
    expect(progress.accept(Edit.replace({ start: half, end: half + 5 }, "SEVEN"))).toEqual([]);
    expect(progress.open).toEqual([0, 1, 2, 3]);
    const rest = progress.text.indexOf("eight");
    expect(progress.accept(Edit.replace({ start: rest, end: rest + 5 }, "EIGHT"))).toEqual([3]);
    expect(progress.open).toEqual([0, 1, 2]);
  });

  it("lead to the text after the commit, in any order, by either side", () => {
    const line = fc.constantFrom("  a", "  b", "  c", "- a", "- d", "+ b", "+ e", "+ f");
    const moves = fc.infiniteStream(fc.record({ pick: fc.nat(), isSuggested: fc.boolean() }));
    let [accepted, made] = [0, 0];
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), moves, (lines, some) => {
        const [commit] = markedCommit(`a.ts\n  first\n${lines.join("\n")}\n  last`) as [CommitFile];
        const progress = new FileProgress(commit.before!, commit.after!, commit.hunks);
        for (const { pick, isSuggested } of some) {
          const { open, text } = progress;
          if (open.length === 0) break;
          const hunk = open[pick % open.length]!;
          const other = new FileProgress(commit.before!, commit.after!, commit.hunks);
          // A hunk that nothing was done to yet is a suggestion too.
          const edit = text === commit.before ? other.make(hunk).edit : undefined;
          const isAccepted = isSuggested && edit !== undefined && progress.judge(edit) === "exact";
          if (isAccepted) progress.accept(edit);
          else progress.make(hunk);
          // Equal lines can let an accepted edit count for parts of other hunks.
          expect(progress.open.length).toBeLessThan(isAccepted ? open.length + 1 : open.length);
          if (isAccepted) accepted += 1;
          else made += 1;
        }
        expect(progress.text).toBe(commit.after);
      }),
    );
    expect(accepted).toBeGreaterThan(15);
    expect(made).toBeGreaterThan(30);
  });
});
