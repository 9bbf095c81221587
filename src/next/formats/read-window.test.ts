import { expect, test } from "vitest";
import { answerOf } from "./format.laws.ts";
import { endsAlike, type WindowAnswer, WindowRows } from "./read-window.ts";

const shape: WindowAnswer = {
  ...{
    opens: ["<in>"],
    closes: ["</in>"],
    cursor: "<here>",
    none: ["NONE"],
    foreign: ["<in>", "</in>", "<here>", "<out>"],
  },
  ...{ fence: "never", unmarkedEnd: "open" },
};
const fenced: WindowAnswer = { ...shape, fence: "must" };
const window = ["a", "", "b", ""];

/** Answers with rows separated by `/`, and their lines with how they end. */
test.each([
  ["lines", "a/b/</in>", shape, "a/b/ whole"],
  ["lines without an end", "a/b", shape, "a/b/ open"],
  ["blank lines between", "//a///b/</in>", shape, "//a///b/ whole"],
  ["blank lines at the end are those of the window", "a/b////</in>", shape, "a/b/ whole"],
  ["a mark on a line", "<in>a/b</in>", shape, "a/b/ whole"],
  ["a mark behind blanks", "  <in>  /a/</in>", shape, "a/ whole"],
  ["the cursor", "<here>a<here>/</in>", shape, "a/ whole"],
  ["nothing", "/</in>", shape, " cut"],
  ["no edit", "NONE/</in>", shape, " cut"],
  ["no edit and more", "NONE/a/</in>", shape, " cut: The answer contains NONE and more."],
  ["a mark in its wrong place", "a/<in>/b", shape, "a cut: The answer contains <in> where it has no meaning."],
  ["a mark of the prompt", "a/b<out>/c", shape, "a cut: The answer contains <out> where it has no meaning."],
  ["a fence that is no mark", "```/a/```/</in>", shape, "```/a/```/ whole"],
  ["a fence", "Well:/```x/a/b/```/c", fenced, "a/b/ whole"],
  ["a fence and marks", "```/<in>/a/</in>/```", fenced, "a/ whole"],
  ["blank lines in a fence", "//```//a/```", fenced, "/a/ whole"],
  ["a shorter fence in a fence", "````/```/a/```/````", fenced, "```/a/```/ whole"],
  ["no fence", "a/b", fenced, " cut: The answer has no block of code."],
  ["words for no edit", "No edits needed.", fenced, " cut"],
])("the lines of an answer: %s", async (_, rowsText, answer, lines) =>
  expect(await read(rowsText, answer)).toBe(lines),
);

test("an answer is not read after the end marker", async () => {
  const log: string[] = [];
  const rows = new WindowRows(window, shape);
  for await (const _ of rows.lines(answerOf(["b\n", "</in>\n", "more"], { reason: "finished" }, log)));
  expect(log).toEqual(["b\n", "</in>\n", "closed"]);
});

/** For a window of `a`, `b` and `c`, with some lines left out before an end marker. */
test.each([
  ["the mark behind a line that changed", "a/b/cc</in>", shape, "a/b/cc whole"],
  ["words behind it", "a/b</in>/So c is gone.", shape, "a/b whole"],
  ["a fence behind it", "a/b/</in>/```", shape, "a/b whole"],
  ["a fence in its row", "a/b</in>```", shape, "a/b whole"],
  ["words in its row", "a/b/</in> So c is gone.", shape, "a/b whole"],
  ["words in the row of a line", "a/x</in> b", shape, "a cut: The answer contains </in> where it has no meaning."],
  ["twice in one row", "a/x</in></in>", shape, "a cut: The answer contains </in> where it has no meaning."],
  ["a line that it left out", "a/x</in>/b/c/</in>", shape, "a cut: The answer continues after </in>, which ends it."],
  [
    "a line that it left out, without an end",
    "a/</in>/b/c",
    shape,
    "a cut: The answer continues after </in>, which ends it.",
  ],
  [
    "new lines, and the mark again",
    "a/x/</in>/y/</in>",
    shape,
    "a/x cut: The answer continues after </in>, which ends it.",
  ],
  ["lines that it has", "a/b/</in>/a", shape, "a/b whole"],
  ["lines of another file", "a/b/c/</in>/a/b/</in>", shape, "a/b/c whole"],
  ["a fence among the lines", "```/a/```/b/c/```", fenced, "a cut: The answer continues after ```, which ends it."],
  ["another block", "```/a/b/```/Or:/```/d/```", fenced, "a/b whole"],
])("an end marker before left-out lines, with %s", async (_, rowsText, answer, lines) =>
  expect(await read(rowsText, answer, [], ["a", "b", "c"])).toBe(lines),
);

test("an answer that is cut after such a marker leaves its end open", async () => {
  const rows = new WindowRows(["a", "b"], shape);
  const lines = rows.lines(answerOf(["a\n</in>\nSo"], { reason: "length" }, []));
  const ends = [await lines.next(), await lines.next()];
  expect(ends).toEqual([
    { done: false, value: "a" },
    { done: true, value: "cut" },
  ]);
  expect(rows.end).toEqual({ kind: "cut", why: "length" });
});

test("the prefill comes before the lines of the model, if there are any", async () => {
  expect(await read("b/</in>", shape, ["a", ""])).toBe("a//b/ whole");
  expect(await read("/</in>", shape, ["a", ""])).toBe(" cut");
});

const maybe: WindowAnswer = { ...shape, fence: "maybe", unmarkedEnd: "whole" };

test.each([
  ["a fence around it", "```/a/```/b/```/c/```", ["a", "```", "b", "```", "c"], "a/```/b/```/c whole"],
  ["none around it", "a/```/b/```/c", ["a", "```", "b", "```", "c"], "a/```/b/```/c whole"],
  ["a fence around lines that begin with one", "```/```/b/```/c/```", ["```", "b", "```", "c"], "```/b/```/c whole"],
  ["and end with one", "```/```/b/```/```", ["```", "b", "```"], "```/b/``` whole"],
  ["none around lines that begin with one", "```/b/```", ["```", "b", "```"], "```/b/``` whole"],
  ["blank lines in front of the end", "```/a/```/b/```//```", ["a", "```", "b", "```", ""], "a/```/b/```/ whole"],
  ["blank lines behind the fence", "```/```/b/```/c/```//", ["```", "b", "```", "c"], "```/b/```/c whole"],
  ["the end of the fence left out", "```/a/```/b/```/c", ["a", "```", "b", "```", "c"], "a/```/b/```/c whole"],
])("code that contains fences, with %s", async (_, rowsText, own, lines) =>
  expect(await read(rowsText, maybe, [], own)).toBe(lines),
);

async function read(
  rowsText: string,
  answer: WindowAnswer,
  prefill: readonly string[] = [],
  own: readonly string[] = window,
): Promise<string> {
  const rows = new WindowRows(own, answer, { prefill });
  const lines = rows.lines(
    answerOf([rowsText.replaceAll("/", "\n").replaceAll("<\n", "</")], { reason: "finished" }, []),
  );
  const taken: string[] = [];
  for (;;) {
    const next = await lines.next();
    if (next.done !== true) {
      taken.push(next.value);
      continue;
    }
    const why = rows.end.kind === "unreadable" ? `: ${rows.end.message}` : "";
    return `${taken.join("/")} ${next.value}${why}`;
  }
}

test.each(["think", "reasoning", "thought"])("row 51: lines of a window that are tags of %s stay", async (tag) => {
  const lines = [`<${tag}>`, "a", `</${tag}>`, "b"];
  const rows = new WindowRows(lines, { ...shape, fence: "maybe" });
  const written: string[] = [];
  for await (const line of rows.lines(answerOf([`<${tag}>\nc\n</${tag}>\nb\n</in>`], { reason: "finished" }, [])))
    written.push(line);
  expect(written).toEqual([`<${tag}>`, "c", `</${tag}>`, "b"]);
});

/** Lines separated by `/`. */
test.each([
  ["as they were", "a/b", "a/b", true],
  ["fewer, with the last one", "a/b/c", "c", true],
  ["more, with the last one", "a/b", "x/a/y/b", true],
  ["the last one is another", "a/b", "a/c", false],
  ["the last one left out", "a/b", "a", false],
  ["a bracket that closes something else", "a/b/}", "a/}", false],
  ["a bracket, and the line in front of it", "a/b/}", "b/}", true],
  ["a bracket alone", "a/b/}", "}", false],
  ["blank lines", "a/b//", "/b", true],
  ["nothing but brackets", "}", "a/}", true],
  ["nothing to stand for", "", "a", true],
])("endsAlike compares the ends of windows: %s", (_, window, lines, isAlike) =>
  expect(endsAlike(window.split("/"), lines.split("/"))).toBe(isAlike),
);
