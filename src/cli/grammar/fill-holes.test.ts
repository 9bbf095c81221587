import { describe, expect, test } from "vitest";
import { recognise } from "../../grammar/index.ts";
import { loadGrammar, threadSlices } from "../../grammar/node/index.ts";
import type { FillRequest } from "../../model/index.ts";
import { Lines } from "../../text/index.ts";
import { type FillingModel, type FillOutcome, fillHoles, type HolesToFill } from "./fill-holes.ts";
import { printHoleEnd } from "./print-filling.ts";

const json = await loadGrammar("json");
const script = await loadGrammar("javascript");
const python = await loadGrammar("python");

/** A model that answers these texts, one for each request, and remembers its requests. */
function scriptedModel(
  answers: readonly string[],
  next?: FillingModel["next"],
): FillingModel & { readonly requests: FillRequest[] } {
  const requests: FillRequest[] = [];
  return {
    name: "scripted",
    ...(next && { next }),
    requests,
    async *fill(request) {
      const text = answers[requests.push(request) - 1] ?? "";
      for (const part of text.match(/.{1,3}/gsu) ?? []) yield { kind: "text-delta", text: part };
      return { reason: "finished" };
    },
  };
}

/** Fills the holes of a text, each marked by `‸`. */
async function fill(
  marked: string,
  answers: readonly string[],
  {
    grammar = json,
    maxTokens = 100,
    agrees = undefined as HolesToFill["isAccepted"],
    next = undefined as FillingModel["next"],
    slices = threadSlices as HolesToFill["slices"],
    searchMs = 20_000,
  } = {},
): Promise<{ readonly outcome: FillOutcome; readonly text: string; readonly model: ReturnType<typeof scriptedModel> }> {
  const pieces = marked.split("‸");
  const text = pieces.join("");
  const ranges = pieces.slice(1).map((_, index) => {
    const start = pieces.slice(0, index + 1).join("").length;
    return { start, end: start };
  });
  const model = scriptedModel(answers, next);
  const outcome = await fillHoles({
    ...{
      text,
      ranges,
      start: 0,
      path: "a",
      language: grammar.name,
      grammar,
      model,
      maxTokens,
      isAccepted: agrees,
      explain: true,
    },
    ...{ slices, searchMs, signal: new AbortController().signal },
  });
  const fillings = outcome.kind === "filled" ? outcome.holes.map((hole) => hole.text) : [];
  return { outcome, text: pieces.map((piece, index) => piece + (fillings[index] ?? "")).join(""), model };
}

test.each([
  ["what fits stays", "[1, ‸]", ["[2, 3]"], "[1, [2, 3]]"],
  ["what closes too much is cut back", "[1, ‸]", ["2]]}"], "[1, 2]"],
  ["what is left open is closed", "[1, ‸]", ['{"a": [2'], '[1, {"a": [2]}]'],
  ["an empty answer is filled with the shortest", "[1, ‸]", [], "[1, 0]"],
  ["what cannot be there is requested again", "[1, ‸]", ["2 or 3", ", 3"], "[1, 2 , 3]"],
])("a filled hole is whole JSON: %s", async (_, marked, answers, expected) => {
  const { text } = await fill(marked, answers);
  expect(text).toBe(expected);
  expect(recognise(json, new TextEncoder().encode(text))).toEqual({ kind: "whole" });
});

describe("a comment of a filling takes in no code behind the hole", () => {
  test.each([
    ["a comment of the model", "f(‸1);\ng();", ["/* one */"], "f(/* one */1);\ng();"],
    ["before a line break", "f(1);‸\ng();", ["// one"], "f(1);// one\ng();"],
    ["before another comment", "f(1);‸ // two\ng();", ["// one"], "f(1);// one // two\ng();"],
    ["a row comment is ended", "f(1);‸ g();", ["h(); // one"], "f(1);h();  g();"],
  ])("%s", async (_, marked, answers, expected) => {
    expect((await fill(marked, answers, { grammar: script })).text).toBe(expected);
  });

  test("not on a line of its own either, where lines are indented", async () => {
    const answers = ["value\n#"];
    expect((await fill("a = ‸ b = 1\n", answers, { grammar: python })).text).toBe("a = _\nif _: b = 1\n");
    expect((await fill("a = ‸\nb = 1\n", answers, { grammar: python })).text).toBe("a = value\n#\nb = 1\n");
  });

  test("is refused where nothing else fits", async () => {
    const { outcome } = await fill("f();‸ turn span.end;\n", ["h(); /* one"], { grammar: script });
    expect(outcome.kind).toBe("hides-code");
  });

  test("row 14: other work runs between the endings that are tried", async () => {
    let [yields, tried] = [0, 0];
    const slices = {
      ...threadSlices,
      yieldThread: async () => {
        yields += 1;
      },
    };
    const agrees = async () => {
      tried += 1;
      return false;
    };
    await fill("f(‸1);", ["a, (b"], { grammar: script, agrees, slices });
    expect(tried).toBeGreaterThan(5);
    expect(yields).toBeGreaterThanOrEqual(tried - 1);
  });
});

test("fills holes in order, and leaves budget for the later ones", async () => {
  const { text, model } = await fill("f(‸, ‸ + 1);", ["a) { (b", "b)", "c)", "d"], { grammar: script });
  expect(recognise(script, new TextEncoder().encode(text))).toEqual({ kind: "whole" });
  expect(model.requests.at(-1)!.suffix).toBe(" + 1);");
  expect(model.requests.at(-1)!.prefix).toMatch(/^f\(a.*, /s);
});

test("uses the line endings of the file in a filling", async () => {
  const { outcome } = await fill("[1,\r\n‸\r\n]", ["2,\n3"]);
  expect(outcome).toMatchObject({ holes: [{ text: "2,\r\n3" }] });
});

test("reports refused text with the expected terminals", async () => {
  const { outcome } = await fill("[1, ‸]", ["2 or 3"]);
  expect(outcome).toMatchObject({
    holes: [{ refused: 1, refusals: [{ behind: "2 ", text: "o", cause: "grammar", request: 1, expected: ['","'] }] }],
  });
});

describe("row 29: text refused at every attempt is no filling", () => {
  const python = loadGrammar("python");

  test.each<[string, string, readonly string[]]>([
    ["nothing of it can stand", "[1, ‸]", [": 1", ": 1", ": 1", ": 1"]],
    ["its beginning has no end of its own", "[1, ‸]", ['{"a" 1', "1", "1", "1"]],
  ])("%s", async (_, marked, answers) => {
    const { outcome } = await fill(marked, answers);
    expect(outcome).toMatchObject({ kind: "refused", refusal: { request: 1, cause: "grammar" } });
  });

  test.each<[string, string, readonly string[], string]>([
    ["another attempt can stand", "[1, ‸]", [": 1", "2"], "[1, 2]"],
    ["its beginning can end", "[1, ‸]", ["2 or 3", "or 3"], "[1, 2 ]"],
    ["the model writes nothing", "[‸]", [""], "[]"],
    ["nothing but white space is possible", '"a"‸', ["b", "b"], '"a"'],
  ])("%s", async (_, marked, answers, expected) => {
    const { outcome, text } = await fill(marked, answers);
    expect([outcome.kind, text]).toEqual(["filled", expected]);
  });

  test.each([
    ["[‸]", [""], "empty: the model wrote nothing, and nothing is missing"],
    ['"a"‸', ["b", "b"], "empty: nothing else is possible there"],
  ])("the output contains why %s is left empty", async (marked, answers, why) => {
    const { outcome } = await fill(marked, answers);
    if (outcome.kind !== "filled") throw new Error(outcome.kind);
    expect(printHoleEnd(outcome.holes[0]!, Lines.of(marked))).toContain(why);
  });

  test("accepts a comment only where the model wrote it, and reports it", async () => {
    const { outcome } = await fill("f()\n‸\n", ["# all"], { grammar: await python });
    expect(outcome).toMatchObject({ kind: "filled", holes: [{ text: "# all", isComment: true }] });
    const next: FillingModel["next"] = async () => [
      { text: "#", probability: 0.9 },
      { text: "x", probability: 0.1 },
    ];
    const taken = await fill("f(‸)\n", ["@"], { grammar: await python, next });
    expect(taken.text).toBe("f(x)\n");
  });
});

describe("a slow server", () => {
  /** Lists two names, or the end after one, each answer after `answerMs`. */
  const slow = (answerMs: number) => {
    let nowMs = 0;
    const asked: string[] = [];
    const next: FillingModel["next"] = async ({ prefix }) => {
      nowMs += answerMs;
      const soFar = prefix.slice("f(".length);
      asked.push(soFar);
      return soFar === ""
        ? [..."xyz"].map((text) => ({ text, probability: 0.3 }))
        : [
            { text: "abcdefghijk"[soFar.length % 11]!, probability: 0.6 },
            { text: "", probability: 0.2 },
          ];
    };
    return { next, asked, slices: { ...threadSlices, now: () => nowMs } };
  };

  test.each([
    [1, "requests", "ended at its limit of requests"],
    [2_000, "time", "ended when its time was up, which --search-timeout sets"],
  ])(
    "is asked no longer than the search may take, and the limit is named: %i ms an answer",
    async (answerMs, searchLimit, printed) => {
      const { next, asked, slices } = slow(answerMs);
      const { outcome, text } = await fill("f(‸)\n", ["]"], { grammar: script, next, slices });
      expect(outcome).toMatchObject({ kind: "filled", holes: [{ searchLimit, requests: asked.length + 1 }] });
      expect(asked.length).toBeLessThanOrEqual(searchLimit === "time" ? 20_000 / answerMs + 2 : 97);
      expect(text).toMatch(/^f\([xyz][a-k]*\)\n$/);
      if (outcome.kind !== "filled") throw new Error(outcome.kind);
      expect(printHoleEnd(outcome.holes[0]!, Lines.of(text))).toContain(printed);
    },
  );

  test("where nothing was found in time keeps what the model wrote itself", async () => {
    const { next, slices } = slow(2_000);
    const { outcome } = await fill("f(‸)\n", ["x]"], { grammar: script, next, slices, searchMs: 1 });
    expect(outcome).toMatchObject({ kind: "filled", holes: [{ searchLimit: "time", kind: "cut-back", text: "x" }] });
  });
});

describe("the language's own parser decides about a filling", () => {
  test("takes another end when the parser refuses the first", async () => {
    const agrees = async (text: string) => !text.includes("2");
    const { text, outcome } = await fill("[1, ‸]", ["2, 3"], { agrees });
    expect(text).toBe("[1, 0]");
    expect(outcome).toMatchObject({ holes: [{ kind: "closed", ending: "0", isMended: true }] });
  });

  test("keeps a filling that the parser accepts", async () => {
    const { text, outcome } = await fill("[1, ‸]", ["2, 3"], { agrees: async () => true });
    expect(text).toBe("[1, 2, 3]");
    expect(outcome).not.toMatchObject({ holes: [{ isMended: true }] });
  });

  test("keeps a filling where the parser accepts no other one", async () => {
    const { text } = await fill("[1, ‸]", ["2, 3"], { agrees: async () => false });
    expect(text).toBe("[1, 2, 3]");
  });

  test("makes the enclosing function async when the filling contains await", async () => {
    const agrees = async (text: string) => !/await/.test(text) || /async a\s*=>/.test(text);
    const { text } = await fill("f(‸ await b; });", [], { grammar: script, agrees });
    expect(text).toMatch(/^f\(async a ?=>\{ await b; }\);$/);
  });

  test("repairs each of several holes with the shortest endings for those after it", async () => {
    const seen: string[] = [];
    const agrees = async (text: string) => {
      seen.push(text);
      return !text.includes("2");
    };
    const { text } = await fill("[‸, ‸]", ["2", "3, 2"], { agrees });
    expect(seen[0]).toBe("[2, 0]");
    expect(text).not.toContain("2");
    expect(recognise(json, new TextEncoder().encode(text))).toEqual({ kind: "whole" });
  });
});

describe("failures of fill", () => {
  test.each([
    ["[1 2, ‸]", "dead-prefix"],
    ["[1, ‸, 2 3]", "dead-suffix"],
    ['{"a": ‸]', "no-filling"],
  ])("%s", async (marked, kind) => {
    const { outcome, model } = await fill(marked, ["1"]);
    expect(outcome.kind).toBe(kind);
    expect(model.requests).toEqual([]);
  });

  test("fails for a filling without an end within its tokens", async () => {
    const { outcome } = await fill('{"abc": [‸, "a": 1}', ["1"], { maxTokens: 1 });
    expect(outcome).toMatchObject({ kind: "filled" });
    const longer = await fill('[{"a": 1, ‸ 2]', ["1"], { maxTokens: 1 });
    expect(longer.outcome).toEqual({ kind: "too-long", range: { start: 10, end: 10 } });
  });
});
