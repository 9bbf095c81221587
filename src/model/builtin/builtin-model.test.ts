import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { anySource, anyWorkspace, fewRuns, modelOf, places, readPlace, type Source, weights } from "./builtin.laws.ts";
import { BuiltinModel } from "./builtin-model.ts";
import type { Completion, CompletionRequest } from "./completion.ts";
import { expectedGain } from "./decoder.ts";

// The weights are random unless a model is taught here, so nothing sensible is to be expected of
// most answers.

const anyPlace: fc.Arbitrary<CompletionRequest> = fc.oneof(
  fc.constantFrom(...places),
  fc.tuple(anySource, fc.nat(9999)).map(([text, at]): CompletionRequest => {
    const offset = at % (text.length + 1);
    return { path: "src/here.ts", language: "typescript", prefix: text.slice(0, offset), suffix: text.slice(offset) };
  }),
);

/** What is offered, or what would have been. */
function offered(model: BuiltinModel, request: CompletionRequest): readonly Completion[] {
  const answer = model.complete(request);
  return answer.kind === "offered" ? answer.completions : answer.best === undefined ? [] : [answer.best];
}

const typedOf = (prefix: string): string => /(?<![\w$])[A-Za-z_$][\w$]*$/.exec(prefix)?.[0] ?? "";
const sorted = (numbers: readonly number[]): readonly number[] => numbers.toSorted((a, b) => b - a);

describe("next tokens of the builtin model", () => {
  test("law: are sorted by likelihood, add up to at most 1, and continue the typed text", async () => {
    let continued = 0;
    await fc.assert(
      fc.asyncProperty(anyWorkspace, anyPlace, fc.integer({ min: 0, max: 80 }), async (files, place, limit) => {
        const model = modelOf(files);
        const tokens = await model.next({ ...place, limit });
        const probabilities = tokens.map(({ probability }) => probability);
        expect(probabilities).toEqual(sorted(probabilities));
        expect(probabilities.every((p) => p >= 0)).toBe(true);
        expect(probabilities.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(1 + 1e-6);
        expect(tokens.length).toBeLessThanOrEqual(limit);
        expect(tokens).toEqual((await model.next({ ...place, limit: 99 })).slice(0, limit));
        const inWord = typedOf(place.prefix) === "" ? [] : tokens;
        for (const { text } of inWord) expect(text).toMatch(/^[\w$]*$/);
        if (inWord.length > 0) continued += 1;
      }),
    );
    expect(continued).toBeGreaterThan(8);
  });

  it("are at most ten by default", async () => {
    const names = Array.from({ length: 20 }, (_, i) => `name${i}();`).join("\n");
    expect(await modelOf([]).next(readPlace(`${names}\n|`))).toHaveLength(10);
  });
});

describe("completions of the builtin model", () => {
  test("law: are distinct texts, each the concatenation of its tokens", () =>
    fc.assert(
      fc.property(anyWorkspace, anyPlace, fc.integer({ min: 1, max: 4 }), (files, place, limit) => {
        const completions = offered(modelOf(files), { ...place, limit, minProbability: 0 });
        expect(completions.length).toBeLessThanOrEqual(limit);
        expect(new Set(completions.map(({ text }) => text)).size).toBe(completions.length);
        const probabilities = completions.map(({ probability }) => probability);
        expect(probabilities).toEqual(sorted(probabilities));
        expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
        for (const { text, tokens } of completions) {
          expect(tokens.map((token) => token.text).join("")).toBe(text);
          expect(text).toMatch(/^[^\r\n]+$/);
        }
      }),
      fewRuns,
    ));

  test("law: continue a known word without repeating its typed part", () =>
    fc.assert(
      fc.property(anyWorkspace, fc.constantFrom("lo", "sa", "user", "o", "Ord", "tot"), (files, typed) => {
        const place = readPlace(`const total = ${typed}|;`);
        const known = new Set(`${files.map(([, , text]) => text).join(" ")} const total`.match(/\w+/g));
        for (const { text } of offered(modelOf(files), { ...place, minProbability: 0, limit: 5 })) {
          const [word] = /^\w*/.exec(typed + text)!;
          expect(known.has(word) || word === typed, word).toBe(true);
        }
      }),
      fewRuns,
    ));

  test("law: never merge with the word after the cursor", () =>
    fc.assert(
      fc.property(anyWorkspace, fc.constantFrom("us|er.save", "|total", "user.|save()"), (files, marked) => {
        for (const { text } of offered(modelOf(files), { ...readPlace(marked), minProbability: 0, limit: 4 })) {
          expect(text).not.toMatch(/\w$/);
        }
      }),
      fewRuns,
    ));

  it("are absent where nothing is known", () => {
    expect(modelOf([]).complete(readPlace("unheardOf|"))).toEqual({ kind: "no-suggestion", reason: "nothing-known" });
  });

  it("have at least the minimum probability and, automatically, a positive expected gain", () => {
    const place = readPlace("if (total) {\n  user.|\n}");
    const [first] = offered(taught, { ...place, minProbability: 0 });
    const { probability } = first!;
    expect(taught.complete({ ...place, minProbability: probability }).kind).toBe("offered");
    expect(taught.complete({ ...place, minProbability: probability + 1e-6 })).toMatchObject({ reason: "unsure" });
    const untaught = readPlace("if (|");
    expect(modelOf([routine]).complete({ ...untaught, minProbability: 0 }).kind).toBe("offered");
    expect(modelOf([routine]).complete(untaught)).toMatchObject({ kind: "no-suggestion", reason: "unsure" });
    expect([expectedGain(10, 1), Math.sign(expectedGain(10, 0.5)), expectedGain(10, 0)]).toEqual([10, 1, -3]);
  });

  it("are absent where the line is complete", () => {
    const place = readPlace("user.save|(total);");
    for (const request of [place, { ...place, minProbability: 0 }]) {
      expect(taught.complete(request)).toEqual({ kind: "no-suggestion", reason: "line-complete" });
    }
  });
});

const block = ["if (total) {", "  user.save(total);", "  user.find(items);", "  user.load(order);", "}", ""];
const routine: Source = ["src/a.ts", "typescript", block.join("\n")];

/**
 * A model that has learnt a block, and has seen it written, before `suffix`, so often that it is
 * sure of its continuation.
 */
function teach(lines: readonly string[], suffix = "\n"): BuiltinModel {
  const text = lines.join("\n");
  const model = modelOf(["src/a.ts", "src/b.ts", "src/c.ts"].map((path) => [path, "typescript", text]));
  for (let round = 0; round < 50; round++) {
    lines.slice(0, -1).forEach((line, i) => {
      const prefix = lines
        .slice(0, i)
        .map((before) => `${before}\n`)
        .join("");
      model.observe({ path: "src/here.ts", language: "typescript", prefix, suffix }, line);
    });
  }
  return model;
}
const taught = teach(block);

describe("an observed text", () => {
  it("is predicted better by the builtin model each time", () => {
    const model = modelOf([routine]);
    const place = readPlace("if (total) {\n  user.sa|\n}");
    const bits = Array.from({ length: 20 }, () => model.observe(place, "ve(total);"));
    expect(bits.every((b) => b >= 0)).toBe(true);
    expect(bits.at(-1)).toBeLessThan(bits[0]! / 2);
    // Several times are enough for it to be less.
    expect(bits[4]).toBeLessThan(bits[0]!);
  });

  it("does not change the weights that the builtin model was given", () => {
    const given = weights.slice();
    const options = { knowledge: modelOf([routine]).knowledge, weights: given };
    const [model, other] = [new BuiltinModel(options), new BuiltinModel(options)];
    const place = readPlace("if (total) {\n  user.|\n}");
    const first = model.observe(place, "load(order);");
    expect(model.observe(place, "load(order);")).toBeLessThan(first);
    expect(given).toEqual(weights);
    expect(other.observe(place, "load(order);")).toBe(first);
  });

  it("does not change what the builtin model has learnt", () => {
    const { knowledge } = taught;
    const state = (): unknown => [
      taught.statistics,
      [...knowledge.vocabulary.counts],
      [...knowledge.corpus.tokens],
      [...knowledge.files],
    ];
    const before = state();
    taught.observe(readPlace("unheard.|;"), "ofBefore(1);\nnot this");
    expect(state()).toEqual(before);
  });
});

describe("further lines of the builtin model", () => {
  // The text that is offered at the place, with what the block taught.
  const first = (marked: string, maxLines: number, model = taught): string =>
    offered(model, { ...readPlace(marked), maxLines, minProbability: 0 })[0]?.text ?? "";

  it.each([
    [1, "if (total) {\n  user.|\n", "save(total);"],
    [2, "if (total) {\n  user.|\n", "save(total);\n  user.find(items);"],
    [3, "if (total) {\n  user.|\n", "save(total);\n  user.find(items);\n  user.load(order);"],
    // They are indented and broken as the document is.
    [2, "{\n    if (total) {\n        user.|\n", "save(total);\n        user.find(items);"],
    [2, "if (total) {\n\tuser.|\n", "save(total);\n\tuser.find(items);"],
    [2, "if (total) {\r\n  user.|\r\n", "save(total);\r\n  user.find(items);"],
    [2, "if (total) {\r  user.|\r", "save(total);\r  user.find(items);"],
    [3, "if (total) {\n  user.save(|);\n}\n", "total"],
  ])("%i at most, after %j: %j", (maxLines, marked, expected) => {
    expect(first(marked, maxLines)).toBe(expected);
  });

  it("do not repeat the lines below", () => {
    const after = "\n  user.find(items);\n}\n";
    const repeating = teach(block, after);
    expect(first(`if (total) {\n  user.|${after}`, 3, repeating)).toBe("save(total);");
    // Where there is another line, that line is written.
    expect(first("if (total) {\n  user.|\n  user.load(order);\n}\n", 2, repeating)).toBe(
      "save(total);\n  user.find(items);",
    );
  });

  const spaced = teach(block.flatMap((line) => (line.includes("find") ? ["", line] : [line])));
  it.each([
    [1, "save(total);"],
    [2, "save(total);"],
    [3, "save(total);\n\n  user.find(items);"],
    [4, "save(total);\n\n  user.find(items);\n  user.load(order);"],
  ])("%i at most, blank ones counted: %j", (maxLines, expected) => {
    expect(first("if (total) {\n  user.|\n", maxLines, spaced)).toBe(expected);
  });
});

describe("weights of several equal mixers", () => {
  it("give the answer of one of them", async () => {
    const { knowledge } = modelOf([routine]);
    const [one, two] = [1, 2].map((members) => {
      const all = new Float32Array(weights.length * members);
      for (let i = 0; i < members; i++) all.set(weights, i * weights.length);
      return new BuiltinModel({ knowledge, weights: all });
    }) as [BuiltinModel, BuiltinModel];
    const place = { ...readPlace("if (total) {\n  user.|\n}"), limit: 5 };
    const [expected, tokens] = await Promise.all([one.next(place), two.next(place)]);
    expect(tokens.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
    for (const [i, { probability }] of tokens.entries()) expect(probability).toBeCloseTo(expected[i]!.probability, 5);
  });
});

describe("the evidence of the builtin model", () => {
  it("names the source of a text", () => {
    const [completion] = offered(taught, { ...readPlace("if (total) {\n  user.save|\n}"), minProbability: 0 });
    const matched = completion!.tokens.flatMap(({ match }) => match ?? []);
    expect(matched.length).toBeGreaterThan(0);
    for (const { path, tokenIndex } of matched) {
      expect(taught.knowledge.files.has(path)).toBe(true);
      expect(taught.lineOfToken("typescript", routine[2], tokenIndex)).toBe(1);
    }
    expect(taught.lineOfToken("typescript", "a", 99)).toBeUndefined();
    expect(completion!.tokens.flatMap(({ contexts }) => contexts).length).toBeGreaterThan(0);
  });
});

describe("the builtin model as a Model", () => {
  const place = { ...readPlace("if (total) {\n  user.|\n"), maxLines: 2 };

  it("fills with its completion or reports that it has none", async () => {
    const parts = taught.fill(place);
    expect(await parts.next()).toEqual({
      done: false,
      value: { kind: "text-delta", text: offered(taught, place)[0]!.text },
    });
    expect(await parts.next()).toMatchObject({ done: true, value: { reason: "finished" } });
    expect(await modelOf([]).fill(place).next()).toEqual({
      done: true,
      value: { reason: "silent", withheld: { why: "it knows no text that continues like this" } },
    });
  });

  it("rejects with the reason of an aborted signal", async () => {
    const reason = new Error("no longer wanted");
    const controller = new AbortController();
    controller.abort(reason);
    const { signal } = controller;
    await expect(taught.fill(place, { signal }).next()).rejects.toBe(reason);
    await expect(taught.next(place, { signal })).rejects.toBe(reason);
  });
});

/** What is offered at the `|` of a file of TypeScript with JSX that closes other elements often. */
function closing(text: string, language = "typescriptreact"): string {
  const others = "const other = (\n  <div>\n    <abs>a</abs>\n    <div>b</div>\n  </div>\n);\n";
  const [prefix, suffix] = text.split("|") as [string, string];
  const path = "src/here.tsx";
  const answer = modelOf([["src/a.tsx", language, others]]).complete({
    ...{ path, language, prefix: (language === "html" ? "" : others) + prefix, suffix },
  });
  return answer.kind === "offered" ? answer.completions[0].text : answer.reason;
}

test.each([
  ["const a = (\n  <Section>\n    <List />\n  </|\n);\n", "Section>"],
  ["const a = (\n  <Table>\n    <List />\n  </T|\n);\n", "able>"],
  ["const a = (\n  <Table>\n    <List />\n  </T|>\n);\n", "able"],
  ["const a = (\n  <Table>\n    <List />\n  </Ta|ble>\n);\n", "line-complete"],
  ["const a = (\n  <Table>\n    <List />\n  </T|le>\n);\n", "ab"],
  ["const a = (\n  <Table>\n    <List />\n  </X|\n);\n", "nothing-known"],
  ["const a = (\n  <A.B>\n    {c.map((d) => <i key={d}>{d}</i>)}\n  </|\n);\n", "A.B>"],
  ["const a = (\n  <>\n    <b>c</b>\n  </|\n);\n", ">"],
])("row 27: a closing tag names the element that is open: %j: %s", (text, expected) => {
  expect(closing(text)).toBe(expected);
});

test("row 27: the builtin model closes the open tag in HTML, too", () =>
  expect(closing("<main>\n  <div>a</div>\n</|\n", "html")).toBe("main>"));
