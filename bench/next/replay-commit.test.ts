import { describe, expect, it } from "vitest";
import { TextIndex } from "../../src/next/index.ts";
import { minimalEdit } from "../../src/text/index.ts";
import type { Asker, Suggested } from "./asker.ts";
import { markedCommit } from "./marked-commit.ts";
import { replayCommit } from "./replay-commit.ts";

const commit = `
a.ts
- one
+ ONE
  two
- three
+ THREE
b.ts
  zero
- three
+ THREE`;

/**
 * What is suggested, call by call: the file and the text it should have, `|` before a place to look
 * at; nothing where the script has nothing.
 */
type Script = readonly (readonly [path: string, text: string] | undefined)[];

/** Goes through the commit with a script, and gives what the asker received and the result. */
async function replay(script: Script, source = commit) {
  const files = markedCommit(source);
  const index = new TextIndex();
  for (const { path, before } of files) index.update(path, before);
  const received: string[] = [];
  const asker: Asker = {
    changed: (path) => received.push(`${path} changed`),
    renamed: (path, newPath) => received.push(`${path} to ${newPath}`),
    async ask(path, offset) {
      const line = index.textOf(path)!.slice(0, offset).split("\n").length;
      received.push(`asked at ${path}:${line}`);
      const next = script[received.filter((one) => one.startsWith("asked")).length - 1];
      if (next === undefined) return undefined;
      const [in_, text] = next;
      const before = index.textOf(in_)!;
      const after = text.replaceAll("/", "\n");
      const edit = minimalEdit(before, after.replace("|", ""));
      const place = edit.edits[0] ?? { start: after.indexOf("|"), end: after.indexOf("|") };
      const suggested: Suggested = {
        ...{ origin: "example", path: in_, place, reason: "", likelihood: 1, ...(!edit.isEmpty && { edit }) },
        accept: () => received.push("accepted"),
        reject: () => received.push("rejected"),
      };
      return suggested;
    },
  };
  const parts = { asker, texts: index, cpuMs: () => 0 };
  const { steps, hunks } = await replayCommit({ id: "c", parent: "p", subject: "", files, copies: [] }, [], parts);
  for (const { path, after } of files) expect(index.textOf(path)).toBe(after);
  return {
    received: received.join(", "),
    verdicts: steps.map(({ shown }) => shown?.verdict ?? "-").join(" "),
    predicted: hunks.map(({ isPredicted }) => (isPredicted ? "y" : "n")).join(""),
  };
}

describe("a commit, hunk by hunk", () => {
  it("is made by the person alone where nothing is suggested", async () => {
    expect(await replay([])).toEqual({
      received: "a.ts changed, asked at a.ts:2, a.ts changed, asked at a.ts:3, b.ts changed",
      verdicts: "- -",
      predicted: "nnn",
    });
  });

  it("goes on from an exact suggestion, in another file too", async () => {
    expect(await replay([["b.ts", "zero/THREE"]])).toEqual({
      received: "a.ts changed, asked at a.ts:2, accepted, b.ts changed, asked at b.ts:2, a.ts changed",
      verdicts: "exact -",
      predicted: "nny",
    });
  });

  it.each([
    ["a line that is right and one that is wrong", ["a.ts", "ONE/TWO/THREE"], "place"],
    ["another text", ["b.ts", "zero/four"], "place"],
    ["a line far from all", ["a.ts", "ZERO/ONE/two/three"], "wrong"],
    ["a place where something changes", ["a.ts", "ONE/two/th|ree"], "place"],
    ["a place where nothing does", ["a.ts", "O|NE/two/three"], "wrong"],
  ] as const)("goes on alone behind %s", async (_, suggestion, verdict) => {
    const { received, verdicts, predicted } = await replay([suggestion]);
    expect(received).toBe("a.ts changed, asked at a.ts:2, rejected, a.ts changed, asked at a.ts:3, b.ts changed");
    expect([verdicts, predicted]).toEqual([`${verdict} -`, "nnn"]);
  });

  it("reports files that come", async () => {
    const { received } = await replay([], "a.ts\n+ new\nb.ts\n  zero\n- one\n+ two");
    expect(received).toBe("a.ts changed, asked at a.ts:1, b.ts changed");
  });
});
