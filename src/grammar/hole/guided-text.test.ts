import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { compileText } from "../fixtures/compile-text.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { openHole } from "./fill-session.ts";
import { type GuidedEnd, type GuidedTextOptions, guidedText, type LikelyText } from "./guided-text.ts";
import { HoleGuide } from "./hole-guide.ts";
import { recognise } from "./recognise.ts";

const json = compileLanguage("json");
const script = compileText(`grammar script
word Name
reserved "if" "else"
token Name = /[a-z]+/
token Number = /[0-9]+/
trivia Space = /[ \\n]+/
Program = Statement*
Statement = Name "=" Value ";" | Value ";" | "{" Statement* "}" | "if" "(" Value ")" Statement ("else" Statement)?
Value = Name "(" (Value % ",")? ")" | Name | Number | "(" Value ")"
`);

/** The answer of a scripted model to one request: pieces, and whether a limit ended it. */
interface ScriptedAnswer {
  readonly pieces: readonly string[];
  readonly end?: "finished" | "cut";
}

interface ScriptedCase {
  readonly grammar?: CompiledGrammar;
  /** The text with its hole at `|`. */
  readonly at: string;
  readonly answers: readonly ScriptedAnswer[];
  readonly alternatives?: readonly (readonly LikelyText[])[];
  readonly maxRequests?: number;
  readonly maxBytes?: number;
}

/** Runs a scripted model, whose last answer is repeated. */
async function run({ grammar = script, at, answers, alternatives, maxRequests, maxBytes }: ScriptedCase) {
  const [before, behind] = at.split("|") as [string, string];
  const opening = openHole(grammar, { before, behind });
  if (opening.kind !== "open") throw new Error(`${at} has no hole: ${opening.kind}`);
  const requests: string[] = [];
  let left = 0;
  const options: GuidedTextOptions = {
    guide: new HoleGuide(opening.hole, maxBytes === undefined ? {} : { maxBytes }),
    async *ask(soFar) {
      const answer = answers[Math.min(requests.length, answers.length - 1)]!;
      requests.push(soFar);
      left += 1;
      try {
        yield* answer.pieces;
        return answer.end ?? "finished";
      } finally {
        left -= 1;
      }
    },
    ...(alternatives && {
      alternatives: async () => alternatives[Math.min(requests.length, alternatives.length) - 1]!,
    }),
    ...(maxRequests !== undefined && { maxRequests }),
  };
  let streamed = "";
  const stream = guidedText(options);
  let step = await stream.next();
  for (; step.done !== true; step = await stream.next()) {
    if (step.value.kind === "text-delta") streamed += step.value.text;
    else streamed = streamed.slice(0, step.value.length);
  }
  return { requests, streamed, left, end: step.value, whole: before + step.value.text + behind };
}

const print = ({ kind, text, ending = "" }: GuidedEnd) =>
  `${kind}: ${text.slice(0, text.length - ending.length)}${ending === "" ? "" : `«${ending}»`}`;

describe("guidedText with one request", () => {
  test.each<[string, string, readonly string[], string]>([
    ["what is good stays as it is", "let = |;", ["f", "(a, ", "b)"], "whole: f(a, b)"],
    ["what is open is closed", "|", ["if (a) { b", "(c"], "closed: if (a) { b(c«);}»"],
    ["a closer too many is cut off", "{ a; | b; }", ["c;", " }"], "cut-back: c;"],
    ["nothing comes", "a = |;", [], "closed: «a»"],
    ["a word is not torn", "a = |;", ["foo", "bar", ".x"], "cut-back: foobar"],
    ["a keyword that cannot stand there", "a = |;", ["f(els", "e)"], "closed: f(«)»"],
  ])("%s", async (_, at, pieces, expected) => {
    const { end, streamed, left } = await run({ at, answers: [{ pieces }], maxRequests: 1 });
    expect(print(end)).toBe(expected);
    expect(streamed).toBe(end.text);
    expect(left).toBe(0);
  });
});

describe("guidedText with several requests", () => {
  test("after a refusal the model is requested again from the allowed part", async () => {
    const { end, requests } = await run({ at: "|", answers: [{ pieces: ["a = f(1 ", "2);"] }, { pieces: [", 2);"] }] });
    expect(requests).toEqual(["", "a = f(1 "]);
    expect(print(end)).toBe("whole: a = f(1 , 2);");
    expect(end.requests).toBe(2);
    expect(end.refusals).toEqual([{ offset: 8, text: "2);", cause: "grammar", request: 1 }]);
  });

  test("takes the likeliest allowed alternative", async () => {
    const { end, requests } = await run({
      at: "a = |;",
      answers: [{ pieces: ["f(1 2"] }, { pieces: [" 3)"] }],
      alternatives: [
        [
          { text: ")", probability: 0.1 },
          { text: ",", probability: 0.3 },
          { text: "+", probability: 0.5 },
        ],
      ],
    });
    expect(requests).toEqual(["", "f(1 ,"]);
    expect(print(end)).toBe("whole: f(1 , 3)");
    expect(end.requests).toBe(3);
  });

  test("the end of the text may be the alternative", async () => {
    const { end } = await run({
      at: "a = |;",
      answers: [{ pieces: ["f(1) 2"] }],
      alternatives: [[{ text: "", probability: 1 }]],
    });
    expect(print(end)).toBe("whole: f(1) ");
  });

  test("makes no third request after the same refusal twice", async () => {
    const { end, requests } = await run({
      at: "a = |;",
      answers: [{ pieces: ["f(1 2"] }, { pieces: ["2"] }],
      maxRequests: 9,
    });
    expect(requests).toEqual(["", "f(1 "]);
    expect(print(end)).toBe("closed: f(1 «)»");
  });

  test("continues after a request that a limit cut, until the text is complete", async () => {
    const answers = [
      { pieces: ["if (a) {"], end: "cut" },
      { pieces: [" b; }"], end: "cut" },
      { pieces: ["no"] },
    ] as const;
    const { end, requests } = await run({ at: "|", answers });
    expect(requests).toEqual(["", "if (a) {"]);
    expect(print(end)).toBe("whole: if (a) { b; }");
  });

  test.each([1, 2, 5])("makes at most %i requests", async (maxRequests) => {
    const answers = [{ pieces: ["f("], end: "cut" }] as const;
    const { end, requests } = await run({ at: "a = |;", answers, maxRequests });
    expect(requests).toHaveLength(maxRequests);
    expect(end.kind).toBe("closed");
  });
});

describe("guidedText with a budget", () => {
  test("keeps the text with its ending within the budget", async () => {
    const { end } = await run({ at: "a = |;", answers: [{ pieces: ["f(f(f(f(f(f("] }], maxBytes: 10 });
    expect(print(end)).toBe("closed: f(f(f(f«)))»");
    expect(end.refusals).toEqual([{ offset: 7, text: "(f(f(", cause: "budget", request: 1 }]);
  });

  test("is impossible when the budget is too small for any text", async () => {
    const { end, requests } = await run({ at: "a = |;", answers: [{ pieces: ["1"] }], maxBytes: 0 });
    expect(requests).toEqual([]);
    expect(end).toEqual({ kind: "impossible", text: "", requests: 0, refusals: [] });
  });
});

test("guidedText rejects with the abort reason and stops the request", async () => {
  const controller = new AbortController();
  const opening = openHole(json, { before: "[", behind: "]" });
  if (opening.kind !== "open") throw new Error("no hole");
  let isStopped = false;
  const stream = guidedText({
    guide: new HoleGuide(opening.hole),
    signal: controller.signal,
    async *ask() {
      try {
        for (;;) yield "1, ";
      } finally {
        isStopped = true;
      }
    },
  });
  await stream.next();
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(stream.next()).rejects.toBe(reason);
  expect(isStopped).toBe(true);
});

const pieces = fc.array(
  fc.constantFrom(
    "if",
    "else",
    "a",
    "foo",
    "(",
    ")",
    "{",
    "}",
    ";",
    "=",
    ",",
    "1",
    " ",
    "\n",
    "é",
    "😀",
    "if (a) ",
    "x = f(",
  ),
  { maxLength: 10 },
);
const scripts = fc.array(
  pieces
    .map((all): ScriptedAnswer => ({ pieces: all }))
    .chain((answer) => fc.constantFrom<"finished" | "cut">("finished", "cut").map((end) => ({ ...answer, end }))),
  { minLength: 1, maxLength: 4 },
);

test("law: for any model the guided text is complete, within its budget, and equal to what was emitted", () =>
  fc.assert(
    fc.asyncProperty(
      scripts,
      fc.constantFrom("|", "a = |;", "{ | }", "if (|) a;", "a = f(b|", "if (a) |else b;"),
      fc.option(fc.integer({ min: 12, max: 40 }), { nil: undefined }),
      fc.option(pieces, { nil: undefined }),
      async (answers, at, maxBytes, others) => {
        const alternatives = others && [others.map((text, i) => ({ text, probability: 1 / (i + 2) }))];
        const { end, streamed, whole, left } = await run({
          ...{ at, answers },
          ...(maxBytes !== undefined && { maxBytes }),
          ...(alternatives && { alternatives }),
        });
        expect(end.kind).not.toBe("impossible");
        const encoder = new TextEncoder();
        expect(recognise(script, encoder.encode(whole)), JSON.stringify(whole)).toEqual({ kind: "whole" });
        expect(streamed).toBe(end.text);
        expect(encoder.encode(end.text).length).toBeLessThanOrEqual(maxBytes ?? 1000);
        expect(end.requests).toBeLessThanOrEqual(4);
        expect(left).toBe(0);
      },
    ),
  ));
