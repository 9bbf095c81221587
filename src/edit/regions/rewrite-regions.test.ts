import { afterAll, describe, expect, test } from "vitest";
import { BuiltinModel, type FillRequest, type Model } from "../../model/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { type RewriteScene, rewrite } from "../fixtures/rewrite.ts";
import type { RewriteOutcome } from "./region-text.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const play = (scene: Omit<RewriteScene, "syntax">) => rewrite({ syntax, ...scene });

/** An answer in a fence. */
const fenced = (code: string) => `\`\`\`ts\n${code}\n\`\`\`\n`;

const sum = "export function sum(a: number[]): number {\n«  return 0;\n»}\n\nexport const one = 1;\n";
const loop = "  let all = 0;\n  for (const one of a) all += one;\n  return all;";
const summed = sum.replace("«  return 0;\n»", `${loop}\n`);

function offered(outcome: RewriteOutcome) {
  if (outcome.kind !== "judged") throw new Error(`${outcome.kind}`);
  expect(outcome.outcome.kind).toBe("offered");
  if (outcome.outcome.kind !== "offered") throw new Error("not offered");
  return { ...outcome.outcome.proposal, regions: outcome.regions };
}

/** How the regions were obtained, such as `whole 1` for one request. */
const ends = (outcome: RewriteOutcome) =>
  outcome.kind === "judged" ? outcome.regions.map(({ kind, requests }) => `${kind} ${requests}`) : outcome.kind;

describe("one answer rewrites a region", () => {
  test.each<[what: string, answer: string, changes: readonly string[]]>([
    ["a fence", fenced(loop), []],
    ["words around it", `Sure! I use a loop:\n\n${fenced(loop)}\nHope that helps.\n`, []],
    ["thoughts with a draft in them", `<think>\n${fenced("  return 1;")}\n</think>\n${fenced(loop)}`, []],
    ["no fence", `${loop}\n`, ["bare-answer"]],
    ["the marks", fenced(`<REGION>\n${loop}\n</REGION>`), ["cut-marks"]],
    ["the line above", fenced(`export function sum(a: number[]): number {\n${loop}`), ["cut-echo"]],
    ["the lines below", fenced(`${loop}\n}\n\nexport const one = 1;`), ["cut-echo"]],
    ["both", fenced(`export function sum(a: number[]): number {\n${loop}\n}\n\nexport const one = 1;`), ["cut-echo"]],
    ["a bracket too many", fenced(`${loop}\n}`), ["cut-closers"]],
    ["no indentation", fenced(loop.replace(/^ {2}/gm, "")), ["indented"]],
    ["no indentation of the first line alone", fenced(loop.trimStart()), ["indented"]],
  ])("%s", async (_, answer, changes) => {
    const { outcome, after, story } = await play({ before: sum, answers: [answer] });
    expect(after).toBe(summed);
    expect(story).toEqual(["first"]);
    expect(offered(outcome).regions[0]).toMatchObject({ changes, constraint: { kind: "grammar" }, requests: 1 });
  });

  test("leaves the file unchanged when the model repeats the region", async () => {
    const { outcome } = await play({ before: sum, answers: [fenced("  return 0;")] });
    expect(outcome).toMatchObject({ kind: "judged", outcome: { kind: "unchanged" } });
  });

  test("deletes the lines for an empty fence", async () => {
    const { after } = await play({ before: "const a = 1;\n«const b = 2;\n»const c = 3;\n", answers: ["```\n```\n"] });
    expect(after).toBe("const a = 1;\nconst c = 3;\n");
  });
});

describe("an answer that breaks the syntax", () => {
  test("is stopped there and continued from the line that broke", async () => {
    const broken = fenced("  let all = 0;\n  for (const one of a all += one;\n  return all;");
    const rest = fenced("  for (const one of a) all += one;\n  return all;");
    const { outcome, after, story, model } = await play({ before: sum, answers: [broken, rest] });
    expect(after).toBe(summed);
    expect(story).toEqual(["first", "refused"]);
    expect(model.stopped).toBe(1);
    const { regions, warnings } = offered(outcome);
    expect(warnings).toEqual([]);
    expect(regions[0]!.refusals).toMatchObject([
      { request: 1, cause: "grammar", behind: "  let all = 0;\n  for (const one of a " },
    ]);
    expect(model.calls[1]!.messages.at(-1)!.text).toContain(
      "beginning with the whole line that starts with `for (const one of a`",
    );
  });

  test.each([
    ["the whole region, rewritten", `${loop}`],
    ["the lines that were kept, once more", `  let all = 0;\n  for (const one of a) all += one;\n  return all;`],
    ["the whole region, without its indentation", loop.replace(/^ {2}/gm, "")],
    ["the rest, without its indentation", "for (const one of a) all += one;\nreturn all;"],
    ["the rest of the line alone", `) all += one;\n  return all;`],
  ])("may be answered by %s", async (_, second) => {
    const broken = fenced("  let all = 0;\n  for (const one of a all += one;\n  return all;");
    const { after } = await play({ before: sum, answers: [broken, fenced(second)] });
    expect(after?.replace("a )", "a)")).toBe(summed);
  });

  test("is ended at the last possible place after all retries, and that is reported", async () => {
    const { outcome, after } = await play({
      before: sum,
      answers: [fenced("  return a.map((x) => {")],
      maxRequests: 1,
    });
    expect(after).toBe(sum.replace("«  return 0;\n»", "  return a.map((x) => {\n})\n"));
    expect(offered(outcome).warnings).toEqual([
      "The new text for line 2 was ended with «})», since the model did not end it.",
    ]);
    expect(ends(outcome)).toEqual(["closed 1"]);
  });

  test("is not requested a third time when the model repeats it", async () => {
    const broken = fenced("  return (0;");
    const { outcome, story } = await play({ before: sum, answers: [broken, broken] });
    expect(story).toEqual(["first", "refused"]);
    expect(ends(outcome)).toEqual(["closed 2"]);
  });

  test("is continued when it stops early", async () => {
    const start = { text: "```ts\n  let all = 0;\n  for (const one of a) all", reason: "length" as const };
    const { outcome, after, story } = await play({
      before: sum,
      answers: [start, fenced("  for (const one of a) all += one;\n  return all;")],
    });
    expect(after).toBe(summed);
    expect(story).toEqual(["first", "continued"]);
    expect(ends(outcome)).toEqual(["whole 2"]);
  });
});

describe("a model without a text for the region", () => {
  test.each<[what: string, answers: readonly string[], reason: string, requests: number]>([
    ["talks", ["I would rather not change this."], "no-text", 2],
    ["says nothing", [""], "no-text", 2],
    ["says nothing that can stand there", [fenced("] +")], "nothing-fits", 2],
    ["only closes", [fenced(")))")], "nothing-fits", 2],
    ["gives several texts", [`${fenced("  return 1;")}\nor\n\n${fenced("  return 2;")}`], "several-texts", 2],
  ])("%s", async (_, [answer], reason, requests) => {
    const { outcome } = await play({ before: sum, answers: [answer!, answer!], maxRequests: 2 });
    expect(outcome).toMatchObject({ kind: "no-text", reason, requests });
  });

  test("is requested again for a fence with the text", async () => {
    const { after, model } = await play({ before: sum, answers: ["I use a loop here.", fenced(loop)] });
    expect(after).toBe(summed);
    expect(model.calls[1]!.messages.at(-1)!.text).toMatch(/^Your answer holds no fence/);
  });

  test("gives the outcome no-text when it declines", async () => {
    const { outcome } = await play({ before: sum, answers: [{ text: "No.", reason: "content-filter" }] });
    expect(outcome).toMatchObject({ kind: "no-text", reason: "declined", requests: 1, answer: "No." });
  });

  test("passes its error on", async () => {
    await expect(play({ before: sum, answers: [new Error("away")] })).rejects.toThrow("away");
  });
});

describe("several regions", () => {
  const two = "«const a = 1;\n»\nexport function f() {\n«  return a;\n»}\n";

  test("are written one after the other, each with the new text of the earlier ones in its prompt", async () => {
    const { after, model, outcome } = await play({
      before: two,
      answers: [fenced("const b = 2;"), fenced("  return b;")],
    });
    expect(after).toBe("const b = 2;\n\nexport function f() {\n  return b;\n}\n");
    expect(ends(outcome)).toEqual(["whole 1", "whole 1"]);
    const prompt = model.calls[1]!.messages.at(-1)!.text;
    expect(prompt).toContain("<REGION_1>\nconst b = 2;\n</REGION_1>");
    expect(prompt).toContain("Written already: <REGION_1>.");
  });

  test("may open a bracket in one that another closes", async () => {
    const { after, outcome } = await play({
      before: "«f();\n»g();\n«h();\n»",
      answers: [fenced("try {"), fenced("} finally {\n  h();\n}")],
    });
    expect(after).toBe("try {\ng();\n} finally {\n  h();\n}\n");
    expect(ends(outcome)).toEqual(["whole 1", "whole 1"]);
  });

  test("an ending chosen for the first keeps the second valid as it is", async () => {
    const { after } = await play({
      before: "«f();\n»g();\n«h();\n»",
      answers: [fenced("f(["), fenced("h();")],
      maxRequests: 1,
    });
    expect(after).toBe("f([\n])\ng();\nh();\n");
  });

  test("are written in text order whatever their given order", async () => {
    const { after } = await play({
      before: two,
      ranges: [
        { start: 36, end: 48 },
        { start: 0, end: 13 },
      ],
      answers: [fenced("const b = 2;"), fenced("  return b;")],
    });
    expect(after).toBe("const b = 2;\n\nexport function f() {\n  return b;\n}\n");
  });
});

describe("invalid regions", () => {
  const text = 'const a = 1;\r\nconst b = "😀";\r\n';
  test.each<[ranges: readonly [number, number][], kind: string]>([
    [[], "none"],
    [[[0, 99]], "outside"],
    [[[5, 3]], "outside"],
    [[[-1, 3]], "outside"],
    [[[0, 26]], "torn"],
    [[[0, 13]], "torn"],
    [
      [
        [0, 5],
        [4, 9],
      ],
      "overlapping",
    ],
    [
      [
        [0, 5],
        [5, 9],
      ],
      "overlapping",
    ],
  ])("%j", async (pairs, kind) => {
    const ranges = pairs.map(([start, end]) => ({ start, end }));
    const { outcome, model } = await play({ before: text, ranges });
    expect(outcome).toMatchObject({ kind: "bad-region", problem: { kind } });
    expect(model.calls).toEqual([]);
  });
});

describe("kinds of regions", () => {
  test("keep the line endings of the file and everything else byte for byte", async () => {
    const before = sum.replace(/\n/g, "\r\n");
    const { after } = await play({ before, answers: [fenced(loop)] });
    expect(after).toBe(summed.replace(/\n/g, "\r\n"));
  });

  test.each<[what: string, before: string, answer: string, after: string]>([
    [
      "an empty one between lines",
      "const a = 1;\n«»const c = 3;\n",
      fenced("const b = 2;"),
      "const a = 1;\nconst b = 2;\nconst c = 3;\n",
    ],
    ["an empty file", "«»", fenced("const a = 1;"), "const a = 1;\n"],
    ["a file without a last line ending", "«const a = 1;»", fenced("const b = 2;"), "const b = 2;"],
    ["a byte order mark", "\ufeff«const a = 1;\n»", fenced("const b = 2;"), "\ufeffconst b = 2;\n"],
    ["a part of a line", "const a = f(«1»);\n", fenced("1, 2"), "const a = f(1, 2);\n"],
    [
      "a part of a line, answered with the line",
      "const a = f(«1»);\n",
      fenced("const a = f(1, 2);"),
      "const a = f(1, 2);\n",
    ],
    ["an empty part of a line", "const a = f(«»);\n", fenced("1"), "const a = f(1);\n"],
    ["a part of several lines", "const a = [«1,\n  2»];\n", fenced("1,\n  2,\n  3"), "const a = [1,\n  2,\n  3];\n"],
    ["a string over lines", "  «»\nconst a = 1;\n", fenced("const b = `\nx`;"), "  const b = `\nx`;\nconst a = 1;\n"],
  ])("%s", async (_, before, answer, expected) => {
    const { after } = await play({ before, answers: [answer] });
    expect(after).toBe(expected);
  });

  test("keep significant indentation", async () => {
    const scene = { path: "a.py", language: "python" };
    const before = "def f(a):\n«    return a\n»\nprint(f(1))\n";
    const code = "    if a:\n        return a\n    return 0";
    const expected = before.replace("«    return a\n»", `${code}\n`);
    expect((await play({ ...scene, before, answers: [fenced(code)] })).after).toBe(expected);
    const flush = code.replace(/^ {4}/gm, "");
    expect((await play({ ...scene, before, answers: [fenced(flush)] })).after).toBe(expected);
  });
});

describe("a region without a grammar", () => {
  const css = { path: "a.css", language: "css", before: "a {\n«  color: red;\n»}\n" };

  test("is reported for a language without a grammar", async () => {
    const { outcome, after } = await play({ ...css, answers: [fenced("  color: blue;")] });
    expect(after).toBe("a {\n  color: blue;\n}\n");
    expect(offered(outcome).regions[0]!.constraint).toEqual({ kind: "none", reason: "no-grammar" });
  });

  test("needs a fence to tell text from prose", async () => {
    const { outcome } = await play({ ...css, answers: ["color: blue;"], maxRequests: 1 });
    expect(outcome).toMatchObject({ kind: "no-text", reason: "no-text" });
  });

  test("is checked by the language's parser and repaired", async () => {
    const { after, story, model } = await play({ ...css, answers: [fenced("  color: {;"), fenced("  color: blue;")] });
    expect(story).toEqual(["first", "broken"]);
    expect(after).toBe("a {\n  color: blue;\n}\n");
    expect(model.calls[1]!.messages.at(-1)!.text).toContain("and breaks the file: line 2, `color: {;`:");
  });

  test("stays broken when all requests are used", async () => {
    const { outcome } = await play({ ...css, answers: [fenced("  color: {;")], maxRequests: 1 });
    expect(outcome).toMatchObject({ kind: "judged", outcome: { kind: "broken" } });
  });

  test("is only ended by the model itself", async () => {
    const cut = { text: "```css\n  color: blue;\n  back", reason: "length" as const };
    const { outcome } = await play({ ...css, answers: [cut], maxRequests: 1 });
    expect(outcome).toMatchObject({ kind: "no-text", reason: "cut-off" });
    const { after } = await play({ ...css, answers: [cut, fenced("  background: red;")] });
    expect(after).toBe("a {\n  color: blue;\n  background: red;\n}\n");
  });

  test.each([
    ["no-grammar", css.language, css.before],
    ["broken-before", "typescript", "}\n«a();\n»"],
    ["broken-behind", "typescript", "«a();\n»b();\nf(;\n"],
  ])("is refused where a grammar must constrain the answer and cannot: %s", async (reason, language, before) => {
    const { outcome, model } = await play({ before, language, guidance: "always" });
    expect(outcome).toMatchObject({ kind: "no-grammar", reason });
    expect(model.calls).toEqual([]);
  });

  test("is possible when guidance is off", async () => {
    const { outcome } = await play({ before: sum, answers: [fenced("  return (0;")], guidance: "off", maxRequests: 1 });
    expect(outcome).toMatchObject({
      kind: "judged",
      outcome: { kind: "broken" },
      regions: [{ constraint: { reason: "off" } }],
    });
  });

  test("may contain fences in prose", async () => {
    const { after } = await play({
      ...{ path: "a.md", language: "markdown", before: "# A\n\n«Old.\n»\nEnd.\n" },
      answers: ["```md\nRun it:\n\n```sh\nnpx a\n```\n\nDone.\n```\n"],
    });
    expect(after).toBe("# A\n\nRun it:\n\n```sh\nnpx a\n```\n\nDone.\n\nEnd.\n");
  });
});

describe("a fill-in-the-middle model", () => {
  /** A model that writes these texts, one for each request. */
  function filler(answers: readonly string[], more: Partial<Model> = {}) {
    const requests: FillRequest[] = [];
    const model: Model = {
      name: "filler",
      async *fill(request) {
        const text = answers[requests.push(request) - 1] ?? "";
        for (const piece of text.match(/.{1,3}/gsu) ?? []) yield { kind: "text-delta", text: piece };
        return { reason: "finished" };
      },
      ...more,
    };
    return { model, requests };
  }

  test("receives both sides, the old text and the instruction, and is constrained by the grammar", async () => {
    const { model, requests } = filler(["return a.length +;", " 1;"]);
    const { outcome, after } = await play({ before: sum, model });
    expect(after).toBe(sum.replace("«  return 0;\n»", "  return a.length + 1;\n"));
    expect(ends(outcome)).toEqual(["whole 2"]);
    expect(requests[0]).toMatchObject({
      suffix: "\n}\n\nexport const one = 1;\n",
      context: [{ text: "  return 0;\n" }, { text: "Do it." }],
    });
    expect(requests[1]!.prefix).toMatch(/return a\.length \+$/);
  });

  test("continues with the likeliest token that the grammar allows", async () => {
    const next = async () => [
      { text: ";", probability: 0.9 },
      { text: " one", probability: 0.1 },
    ];
    const { model } = filler(["return a.length +;", ";"], { next });
    const { after } = await play({ before: sum, model });
    expect(after).toContain("  return a.length + one;\n}");
  });

  test("follows the guide itself where it supports that", async () => {
    const builtin = new BuiltinModel();
    const learnt = `export function all(a: number[]): number {\n${loop}\n}\n`;
    for (const name of ["b", "c", "d"]) builtin.learn(`${name}.ts`, "typescript", learnt);
    const unlimited = (request: FillRequest) => ({ ...request, minProbability: 0 });
    const { outcome, after } = await play({
      before: sum,
      model: {
        ...{ name: "builtin", followsGuide: true },
        fill: (request, options) => builtin.fill(unlimited(request), options),
      },
    });
    expect(after).toBe(summed);
    expect(ends(outcome)).toEqual(["whole 1"]);
  });

  test("gives the outcome no-text for an empty answer", async () => {
    const { model } = filler([""]);
    expect((await play({ before: sum, model })).outcome).toMatchObject({ kind: "no-text", reason: "no-text" });
  });
});

test("a model without chat and fill is an error", async () => {
  await expect(play({ before: sum, model: { name: "mute" } })).rejects.toThrow("mute neither chats nor fills.");
});

test("the new text with its ending stays within the byte limit", async () => {
  const { outcome, after } = await play({
    ...{ path: "a.json", language: "json", before: "[\n«  1\n»]\n", maxBytes: 12 },
    answers: [fenced("  [1, 2, 3, 4, 5, 6]")],
  });
  expect(offered(outcome).regions[0]!.refusals).toMatchObject([{ cause: "budget" }]);
  expect(JSON.parse(after!)).toEqual([[1, 2, 3]]);
});

test("an abort rejects the rewriting with the signal's reason", async () => {
  const reason = new Error("enough");
  const controller = new AbortController();
  controller.abort(reason);
  await expect(play({ before: sum, answers: [fenced(loop)], signal: controller.signal })).rejects.toBe(reason);
});
