import { describe, expect, test } from "vitest";
import { type OwnResult, ownResult, verdictOf } from "./comparison.ts";
import { generatedEdits } from "./generated-edits.ts";
import { type WrittenEdit, writeSearchReplace, writeUdiff, writeV4a } from "./written-edits.ts";

const files = (text: string) => new Map([["a.ts", text]]);
const applied = (text: string): OwnResult => ({ kind: "applied", files: files(text) });
const refused = (refusal: "ambiguous" | "not-found"): OwnResult => ({ kind: "refused", refusal, message: "" });

describe("verdictOf", () => {
  test.each([
    ["right", applied("right"), "same"],
    ["right", applied("wrong"), "different"],
    ["right", refused("ambiguous"), "ambiguous"],
    ["right", refused("not-found"), "refused"],
    ["wrong", applied("right"), "only-ours"],
    ["wrong", applied("wrong"), "both-wrong"],
    ["wrong", refused("ambiguous"), "neither"],
    [undefined, applied("right"), "only-ours"],
    [undefined, applied("wrong"), "both-wrong"],
    [undefined, refused("not-found"), "neither"],
  ] as const)("the tool's result %s and ours %j are: %s", (tool, own, verdict) => {
    expect(verdictOf(files("right"), tool === undefined ? undefined : files(tool), own)).toBe(verdict);
  });

  test("a file too many is another result", () => {
    const two = new Map([...files("right"), ["b.ts", ""]]);
    expect(verdictOf(files("right"), two, applied("right"))).toBe("only-ours");
  });
});

const limits = { canDelete: true, finalNewline: "always" } as const;
const writers: Readonly<Record<string, (edit: WrittenEdit["edit"]) => WrittenEdit>> = {
  v4a: writeV4a,
  "udiff with numbers": (edit) => writeUdiff(edit, "counted"),
  "udiff without numbers": (edit) => writeUdiff(edit, "free"),
  "search-replace": writeSearchReplace,
};

describe.each(Object.keys(writers))("generated edits in the format %s", (name) => {
  const write = writers[name]!;
  const canDelete = name !== "search-replace";

  test("are the same for the same seed, and others for another", () => {
    const answers = (seed: number) =>
      generatedEdits(seed, 20, { ...limits, canDelete }).map((edit) => write(edit).answer);
    expect(answers(5)).toEqual(answers(5));
    expect(answers(5)).not.toEqual(answers(6));
  });

  test("each change the files, and mostly come out as meant where they are exact", () => {
    const finalNewline = { v4a: "always", "search-replace": "kept" }[name] ?? "where-last-lines-go";
    const edits = generatedEdits(7, 150, { canDelete, finalNewline } as Parameters<typeof generatedEdits>[2]);
    for (const { before, after } of edits) expect([...after]).not.toEqual([...before]);
    const exact = edits.map(write).filter(({ variant }) => variant.endsWith(", exact"));
    const right = exact.filter((edit) => verdictOf(edit.edit.after, edit.edit.after, ownResult(edit)) === "same");
    expect(exact.length).toBeGreaterThan(50);
    expect(right.length / exact.length).toBeGreaterThan(0.7);
  });
});
