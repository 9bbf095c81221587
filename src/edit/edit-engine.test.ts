import { afterAll, describe, expect, test } from "vitest";
import { formats } from "../formats/index.ts";
import { ModelError } from "../model/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { EmendError } from "../text/index.ts";
import { EditEngine } from "./edit-engine.ts";
import type { EditFormatter, EditVerification } from "./edit-engine-parts.ts";
import type { EditOutcome } from "./edit-outcome.ts";
import { explainEdit, proposalOf } from "./explain-edit.ts";
import { filesAfter, type Play, play } from "./fixtures/play.ts";
import { ScriptedChatModel } from "./fixtures/scripted-chat-model.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const add = "export function add(a: number, b: number): number {\n  return 0;\n}\n";
const sum = add.replace("0", "a + b");

const others = ["one", "two"].map((name) => `export function ${name}() {\n  return ${name};\n}\n\n`).join("");

const fits = "@@ 2 return 0\n  return a + b;\n@@ end\n";
const swallows = "@@ 2-3 return 0 | }\n  // Adds.\n  return a + b;\n@@ end\n";
const none = "@@ none\n@@ end\n";

/** The lines of a block in a fence. */
const block = (...lines: readonly string[]) => `\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n`;
const head = add.split("\n")[0]!;
const broken = new ModelError("cut-off", "The connection broke.");
const cut = (text: string) => ({ text, reason: "length" }) as const;

interface Case extends Omit<Play, "syntax"> {
  readonly what: string;
  /** Rows such as `first: offered`, one for each request. */
  readonly story: readonly string[];
  readonly kind: EditOutcome["kind"];
  /** The text of `a.ts` after the proposal, if there is one. */
  readonly after?: string | undefined;
}

const cases: readonly Case[] = [
  { what: "an edit that fits", answers: [fits], story: ["first: offered"], kind: "offered", after: sum },
  {
    what: "an edit that was refused, and mended alone",
    answers: [
      `@@ 1 export function add\n${head.replace("add", "sum")}\n@@ 2 throw new\n  return a + b;\n@@ end\n`,
      fits,
    ],
    story: ["first: refused", "refused: offered"],
    kind: "offered",
    after: sum.replace("add", "sum"),
  },
  {
    what: "edits that were refused, and rewritten with those that were not",
    answers: ["@@ 2 return 0\n  return 1;\n@@ 9 x\n  y\n@@ end\n", fits],
    story: ["first: refused", "refused: offered"],
    kind: "offered",
    after: sum,
  },
  {
    what: "words in the place of an edit, ever again",
    answers: [],
    otherwise: "I cannot do that.",
    story: ["first: refused", "refused: refused", "refused: refused", "refused: refused"],
    kind: "refused",
  },
  {
    what: "no retry where none is allowed",
    answers: ["I cannot do that."],
    maxRetries: 0,
    story: ["first: refused"],
    kind: "refused",
  },
  {
    what: "a part that can never be placed",
    answers: [`@@ 2 return 0\n  return a + b;\n@@ 9 x\n  y\n@@ end\n`],
    otherwise: "@@ 9 x\n  y\n@@ end\n",
    maxRetries: 1,
    story: ["first: refused", "refused: refused"],
    kind: "refused",
    after: sum,
  },
  { what: "nothing to change", answers: [none], story: ["first: unchanged"], kind: "unchanged" },
  {
    what: "an edit that changes nothing, and then nothing to change",
    answers: ["@@ 2 return 0\n  return 0;\n@@ end\n", none],
    story: ["first: unchanged", "refused: unchanged"],
    kind: "unchanged",
  },
  {
    what: "edits that take each other back",
    answers: ["@@ 1+ export function\n  return 0;\n@@ delete 2 return 0\n@@ end\n", none],
    story: ["first: unchanged", "refused: unchanged"],
    kind: "unchanged",
  },
  {
    what: "a refused edit that the model will not write again",
    answers: ["@@ 2 return 0\n  return a + b;\n@@ 9 x\n  y\n@@ end\n", none],
    story: ["first: refused", "refused: refused"],
    kind: "refused",
    after: sum,
  },
  {
    what: "a closing bracket that was overwritten",
    answers: [swallows, block(head, "  // Adds.", "  return a + b;", "}")],
    story: ["first: broken", "broken: offered"],
    kind: "offered",
    after: sum.replace("  return", "  // Adds.\n  return"),
  },
  {
    what: "a mended block that is broken as before",
    answers: [swallows, block(head, "  // Adds.", "  return a + b;"), block(head, "  return a + b;", "}")],
    story: ["first: broken", "broken: broken", "broken: offered"],
    kind: "offered",
    after: sum,
  },
  {
    what: "a mended block that takes the change back",
    answers: [swallows, block(...add.trimEnd().split("\n")), block(head, "  return a + b;", "}")],
    story: ["first: broken", "broken: broken", "broken: offered"],
    kind: "offered",
    after: sum,
  },
  {
    what: "a mended block with the lines around it",
    before: `a();\n${add}b();\n`,
    answers: [swallows.replace("2-3", "3-4"), block("a();", head, "  return a + b;", "}", "b();")],
    story: ["first: broken", "broken: offered"],
    kind: "offered",
    after: `a();\n${sum}b();\n`,
  },
  {
    what: "two blocks of a file that lost their brackets, mended one after the other",
    before: `${add}\n${others}${add.replace("add", "also")}`,
    answers: [
      swallows.replace("@@ end", "@@ 14-15 return 0 | }\n  return b;\n@@ end"),
      block(...sum.trimEnd().split("\n"), ""),
      block(...sum.replace("add", "also").trimEnd().split("\n")),
    ],
    story: ["first: broken", "broken: broken", "broken: offered"],
    kind: "offered",
    after: `${sum}\n${others}${sum.replace("add", "also")}`,
  },
  {
    what: "a mended block whose bracket stays open to the end of the file",
    before: `${add}\n${others}`,
    answers: [swallows, block(head, "  return 1;", "")],
    maxRetries: 1,
    story: ["first: broken", "broken: broken"],
    kind: "broken",
    after: `${add.replace("  return 0;\n}", "  // Adds.\n  return a + b;")}\n${others}`,
  },
  {
    what: "a block that is never mended",
    answers: [swallows],
    otherwise: "Where?",
    story: ["first: broken", "broken: broken", "broken: broken", "broken: broken"],
    kind: "broken",
    after: add.replace("  return 0;\n}", "  // Adds.\n  return a + b;"),
  },
  {
    what: "an answer that is cut off, and goes on",
    answers: [cut("@@ 2 return 0\n  // Adds.\n  retu"), "  return a + b;\n@@ end\n"],
    story: ["first", "continued: offered"],
    kind: "offered",
    after: sum.replace("  return", "  // Adds.\n  return"),
  },
  {
    what: "an answer that is cut off, and starts over",
    answers: [cut("@@ 2 return 0\n  // Ad"), fits],
    story: ["first", "continued: offered"],
    kind: "offered",
    after: sum,
  },
  {
    what: "an answer that is cut off ever again",
    answers: [cut("@@ 2 return 0\n  a();\n"), cut("  b();\n"), cut("  c();\n")],
    maxRetries: 0,
    story: ["first", "continued", "continued: refused"],
    kind: "refused",
  },
  {
    what: "an answer that reaches a limit behind its end",
    answers: [cut(`${fits}That is`)],
    story: ["first: offered"],
    kind: "offered",
    after: sum,
  },
  {
    what: "a connection that breaks in the middle of an answer",
    answers: [{ text: "@@ 2 return 0\n  // Adds.\n  retu", reason: broken }, "  return a + b;\n@@ end\n"],
    story: ["first", "continued: offered"],
    kind: "offered",
    after: sum.replace("  return", "  // Adds.\n  return"),
  },
  {
    what: "an answer that is cut off between the rows of one line, and writes that line again",
    answers: [
      ...[cut("```ts\n2:  // Adds.\n"), cut("2:  // Two numbers.\n"), cut("2:  log(a);\n")],
      "```ts\n2:  log(a);\n2:  return a + b;\n```\n",
    ],
    format: "numbered",
    story: ["first", "continued", "continued: refused", "refused: offered"],
    kind: "offered",
    after: sum.replace("  return", "  log(a);\n  return"),
  },
  {
    what: "an answer that is cut off in its first row",
    answers: [cut("@@ 2 ret"), fits],
    story: ["first: refused", "refused: offered"],
    kind: "offered",
    after: sum,
  },
  {
    what: "a model that will not answer",
    answers: [{ text: fits, reason: "content-filter" }],
    story: ["first: refused"],
    kind: "refused",
    after: sum,
  },
  {
    what: "a model that fails at the second request",
    answers: [swallows, new ModelError("unreachable", "Nobody listens.")],
    story: ["first: broken", "broken"],
    kind: "broken",
    after: add.replace("  return 0;\n}", "  // Adds.\n  return a + b;"),
  },
];

describe("the outcome of an instruction", () => {
  for (const { what, story, kind, after, ...scene } of cases) {
    test(what, async () => {
      const played = await play({ syntax, before: add, ...scene });
      expect(played.story).toEqual(story);
      expect(played.outcome.kind).toBe(kind);
      expect(played.after["a.ts"]).toBe(after);
      expect(played.model.calls).toHaveLength(story.length);
    });
  }
});

const reports = (...texts: readonly (string | undefined)[]): EditVerification => {
  const left = [...texts];
  return async () => {
    const text = left.shift();
    return text === undefined ? { kind: "passed" } : { kind: "failed", report: text };
  };
};

test("previews show the effect of a streaming answer and of operations kept from an earlier one", async () => {
  const answers = [`@@ 1 export function add\n${head.replace("add", "sum")}\n@@ 2 throw new\n  x();\n@@ end\n`, fits];
  const { previews } = await play({ syntax, before: add, answers });
  const renamed = add.replace("add", "sum");
  const shown = previews.filter((text, i) => text !== previews[i - 1]);
  expect(shown).toEqual([add, renamed, sum.replace("add", "sum")]);
});

test.each([
  ["range", "@@ 2 return 0\n  a();\n"],
  ["range", "@@ 2 ret"],
  ["whole", "a.ts\n```ts\nexport function"],
  ["search-replace", "I will edit"],
] as const)("names the broken connection before the complaint of the format %s about %j", async (format, text) => {
  const otherwise = { text, reason: broken };
  const { outcome, model } = await play({ syntax, before: add, answers: [], otherwise, format, maxRetries: 1 });
  const [headline, first, second] = explainEdit(outcome).split("\n");
  expect(headline).toBe("Nothing of the answer could be used.");
  expect(first).toBe("  refused    The connection broke.");
  expect(second).toContain("  refused    ");
  expect(JSON.stringify(model.calls.at(-1))).not.toContain(broken.message);
});

test.each([
  ["a retry", [swallows, { text: "```ts", reason: broken }], broken.message],
  [
    "an answer that was continued",
    [{ text: "@@ 2 return 0\n  // A.\n", reason: broken }, "  return a + b;\n@@ end\n"],
    "The answer was cut off by a broken connection at a.ts:2, and the model continued it from there.",
  ],
] as const)("warns of the broken connection of %s", async (_, answers, warning) => {
  const { outcome } = await play({ syntax, before: add, answers, maxRetries: 1 });
  expect(proposalOf(outcome)?.warnings).toEqual([warning]);
});

test.each([
  ["a change of lines", "@@ 1-2 export | return 0\nexport function sum() {\n  retu", "  return 1;\n@@ end\n", "a.ts:1"],
  ["a new file", "@@ create b.ts\nb();\nc(", "c();\n@@ end\n", "b.ts:1"],
])("reports where an answer was continued, in %s", async (_, first, rest, place) => {
  const { outcome } = await play({ syntax, before: add, answers: [cut(first), rest] });
  const warnings = [`The answer reached the model's limit at ${place}, and the model continued it from there.`];
  expect(outcome).toMatchObject({ kind: "offered", proposal: { warnings } });
});

test("previews show the continuation of a cut-off answer while it streams", async () => {
  const answers = [cut("@@ 1-3 export | }\nexport function sum() {\n  x"), "  one();\n  two();\n}\n@@ end\n"];
  const { previews } = await play({ syntax, before: add, answers });
  const shown = previews.filter((text, i) => text !== previews[i - 1]);
  expect(shown).toEqual([
    add,
    "export function sum() {\n  return 0;\n}\n",
    "export function sum() {\n  one();\n}\n",
    "export function sum() {\n  one();\n  two();\n}\n",
  ]);
});

test("the outcome has the first rows of an answer without edits", async () => {
  const words = "<think>\nHm.\n</think>\nI cannot do that.\n\nYou see, it is wrong.\n";
  const { outcome } = await play({ syntax, before: add, answers: [words], maxRetries: 0 });
  expect(outcome).toMatchObject({ kind: "refused", firstRows: ["I cannot do that.", "You see, it is wrong."] });
  const long = `${"x".repeat(500)}\n${"y\n".repeat(9)}`;
  const { outcome: longer } = await play({ syntax, before: add, answers: [long], maxRetries: 0 });
  expect(longer).toMatchObject({ firstRows: [`${"x".repeat(160)}…`, "y", "y", "y", "…"] });
});

test("a certainly mistaken boundary is repaired without another request and reported", async () => {
  const played = await play({
    syntax,
    before: `${add}\nb();\n`,
    answers: ["@@ 2 return 0\n  return a + b;\n}\n@@ end\n"],
  });
  expect(played.story).toEqual(["first: offered"]);
  expect(played.after["a.ts"]).toBe(`${sum}\nb();\n`);
  expect(played.outcome).toMatchObject({ proposal: { repairs: [{ path: "a.ts", after: { start: 1, end: 2 } }] } });
});

test("an edit whose numbers do not fit is moved, also beside one that the model has to correct", async () => {
  const answers = ["@@ 1-3 export | return\n// Adds.\n@@ 5 x\n  y();\n@@ end\n", "@@ 5 b\nc();\n@@ end\n"];
  const answered = answers.map((answer) => answer.replace("// Adds.", `${head}\n  return a + b;`));
  const played = await play({ syntax, before: `${add}\nb();\n`, answers: answered });
  expect(played.story).toEqual(["first: refused", "refused: offered"]);
  expect(played.after["a.ts"]).toBe(`${sum}\nc();\n`);
  expect(played.outcome).toMatchObject({ proposal: { repairs: [{ path: "a.ts", after: { start: 0, end: 2 } }] } });
});

describe("the verification", () => {
  test("its report is sent to the model with the files as they are after the change", async () => {
    const scene = { before: add, answers: [fits.replace("a + b", "a"), "@@ 2 return a\n  return a + b;\n@@ end\n"] };
    const played = await play({ syntax, ...scene, verify: reports("expected 3, received 1") });
    expect(played.story).toEqual(["first: failed-verification", "failed-verification: offered"]);
    expect(played.after["a.ts"]).toBe(sum);
    const prompt = played.model.calls[1]!.messages.at(-1)!.text;
    expect(prompt).toContain("2\t  return a;\n");
    expect(prompt).toContain("```\nexpected 3, received 1\n```\n");
  });

  test("repairs made before its report are still reported after it", async () => {
    const answers = ["@@ 2 return 0\n  return a;\n}\n@@ end\n", "@@ 2 return a\n  return a + b;\n@@ end\n"];
    const played = await play({ syntax, before: `${add}\nb();\n`, answers, verify: reports("no") });
    expect(played.after["a.ts"]).toBe(`${sum}\nb();\n`);
    expect(played.outcome).toMatchObject({ proposal: { repairs: [{ path: "a.ts" }] } });
  });

  test("the outcome has the change and the last report if it never passes", async () => {
    const scene = { before: add, answers: [fits], otherwise: none, maxRetries: 2 };
    const played = await play({ syntax, ...scene, verify: reports("one", "two", "three") });
    expect(played.story).toEqual(["first: failed-verification", "failed-verification: failed-verification"]);
    expect(played.outcome).toMatchObject({ kind: "failed-verification", report: "one" });
    expect(played.after["a.ts"]).toBe(sum);
  });

  test("an unusable answer to its report does not discard the change", async () => {
    const scene = { before: add, answers: [fits], otherwise: "Sorry.", maxRetries: 2 };
    const played = await play({ syntax, ...scene, verify: reports("one") });
    expect(played.story).toEqual(["first: failed-verification", "failed-verification: refused", "refused: refused"]);
    expect(played.outcome.kind).toBe("failed-verification");
    expect(played.after["a.ts"]).toBe(sum);
  });

  test("a check that cannot run reports its error and no request is sent to the model", async () => {
    const check: EditVerification = () =>
      Promise.reject(new EmendError("verification-impossible", "The files cannot be written."));
    const played = await play({ syntax, before: add, answers: [fits], verify: check });
    expect(played.outcome).toMatchObject({ kind: "failed-verification", report: "The files cannot be written." });
    expect(played.after["a.ts"]).toBe(sum);
  });

  test("it does not run for a change that does not parse", async () => {
    let calls = 0;
    const check: EditVerification = async () => {
      calls++;
      return { kind: "passed" };
    };
    await play({
      syntax,
      before: add,
      answers: ["@@ 2 return 0\n  return (;\n@@ end\n"],
      otherwise: "?",
      verify: check,
    });
    expect(calls).toBe(0);
  });
});

describe("files that change meanwhile", () => {
  test("an edit is rebased to where its lines are now", async () => {
    const now = `// New.\n${add}`;
    const played = await play({ syntax, before: add, answers: [fits], textNow: async () => now });
    expect(played.outcome.kind).toBe("offered");
    expect(played.after["a.ts"]).toBe(`// New.\n${sum}`);
  });

  test("the syntax of an edit is checked again only where its text changed", async () => {
    const checks = async (textNow?: string) => {
      let count = 0;
      const syntaxErrors: typeof syntax.syntaxErrors = (document, options) => {
        count += 1;
        return syntax.syntaxErrors(document, options);
      };
      const now = textNow === undefined ? {} : { textNow: async () => textNow };
      await play({ syntax: { ...syntax, syntaxErrors }, before: add, answers: [fits], ...now });
      return count;
    };
    const once = await checks();
    expect(await checks(add)).toBe(once);
    expect(await checks(`// New.\n${add}`)).toBe(once + 1);
  });

  const stale: readonly (readonly [what: string, now: string | undefined])[] = [
    ["its own line is another", add.replace("0", "1")],
    ["the file is gone", undefined],
  ];
  for (const [what, now] of stale) {
    test(`an edit is stale where ${what}`, async () => {
      const played = await play({ syntax, before: add, answers: [fits], textNow: async () => now });
      expect(played.outcome).toMatchObject({ kind: "stale", paths: ["a.ts"] });
      expect(played.after["a.ts"]).toBe(sum);
    });
  }
});

describe("existing files that were not given", () => {
  const disk = new Map([
    ["a.ts", add],
    ["b.ts", "export const b = 1;\n"],
  ]);
  const there = "b.ts is there already and was not given: it has to be named to be changed.";
  const cases: readonly (readonly [what: string, answer: string, message: string])[] = [
    ["made", "@@ create b.ts\nexport {};\n@@ end\n", there],
    ["moved onto", "@@ move a.ts b.ts\n@@ end\n", there],
    [
      "edited",
      "@@ file b.ts\n@@ 1 export const b\nexport {};\n@@ end\n",
      "b.ts was not given: it has to be named to be changed.",
    ],
  ];
  test("are not overwritten by a move", async () => {
    const answer = "@@ move a.ts b.ts\n@@ create a.ts\nexport {};\n@@ end\n";
    const textNow = async (path: string) => disk.get(path);
    const { outcome } = await play({ syntax, before: add, answers: [answer], textNow, maxRetries: 0 });
    expect(outcome).toMatchObject({ kind: "refused", refusals: [{ message: there }] });
  });

  for (const [what, answer, message] of cases) {
    test(`are not ${what}, and the model gets the reason`, async () => {
      const textNow = async (path: string) => disk.get(path);
      const played = await play({ syntax, before: add, answers: [answer, fits], textNow });
      expect(played.story).toEqual(["first: refused", "refused: offered"]);
      expect(played.model.calls[1]!.messages.at(-1)!.text).toContain(message);
      expect(played.after).toEqual({ "a.ts": sum });
    });
  }
});

describe("several files and languages", () => {
  const file = (path: string, text: string, language = "typescript") => ({ path, text, language });

  test("a file may move away and a new one may take its path", async () => {
    const answer = "@@ move a.ts c.ts\n@@ create a.ts\nexport {};\n@@ end\n";
    const { after } = await play({ syntax, before: add, answers: [answer] });
    expect(after).toEqual({ "a.ts": "export {};\n", "c.ts": add });
  });

  test("one answer edits, creates, moves and removes files", async () => {
    const files = [file("a.ts", add), file("b.ts", "export const b = 1;\n"), file("c.ts", "")];
    const answer = [
      ...["@@ file a.ts", "@@ 2 return 0", "  return a + b;", "@@ move b.ts d.ts", "@@ file d.ts"],
      ...["@@ 1 export const b", "export const d = 1;", "@@ remove c.ts", "@@ create e.ts", "export {};", "@@ end", ""],
    ];
    const { after, outcome } = await play({ syntax, files, answers: [answer.join("\n")] });
    expect(outcome.kind).toBe("offered");
    expect(after).toEqual({ "a.ts": sum, "d.ts": "export const d = 1;\n", "e.ts": "export {};\n" });
  });

  test("a new file must parse, too", async () => {
    const files = [file("a.ts", add)];
    const played = await play({
      syntax,
      files,
      answers: ["@@ create b.ts\nif (a) {\n@@ end\n", block("if (a) {", "}")],
    });
    expect(played.story).toEqual(["first: broken", "broken: offered"]);
    expect(played.after["b.ts"]).toBe("if (a) {\n}\n");
  });

  // JSX is a syntax error in a TypeScript file, but not in a TSX file.
  for (const [path, language, kind] of [
    ["a.ts", "typescript", "broken"],
    ["a.tsx", "typescriptreact", "offered"],
  ] as const) {
    test(`${path} is parsed as what it is`, async () => {
      const answers = ["@@ 1 const a\nconst a = <b>{c}</b>;\n@@ end\n"];
      const played = await play({ syntax, files: [file(path, "const a = 1;\n", language)], answers, maxRetries: 0 });
      expect(played.outcome.kind).toBe(kind);
    });
  }

  test("a file with syntax errors may keep them but gets no new one", async () => {
    const before = `${add}if (\n`;
    expect((await play({ syntax, before, answers: [fits] })).outcome.kind).toBe("offered");
    const worse = await play({ syntax, before, answers: [fits.replace("a + b", "(a")], maxRetries: 0 });
    expect(worse.outcome.kind).toBe("broken");
  });

  test("line endings, a byte order mark and a missing final newline are kept", async () => {
    const before = `\uFEFF${add.replaceAll("\n", "\r\n")}// end`;
    const { after } = await play({ syntax, before, answers: [fits] });
    expect(after["a.ts"]).toBe(before.replace("0", "a + b"));
  });
});

test("a change of white space is kept where the formatter would undo it", async () => {
  const formatter: EditFormatter = async () => ({ kind: "formatted", text: add });
  const played = await play({ syntax, before: add, answers: ["@@ 2 return 0\n    return 0;\n@@ end\n"], formatter });
  expect(played.after["a.ts"]).toBe(add.replace("  return", "    return"));
});

describe("every format", () => {
  const before = `// 最初\n${add}\nexport const one = 1;\n`;
  const after = `// 最初\n${sum}\nexport const one = "1: one";\nexport const two = 2;\n`;
  for (const { name, encode } of formats) {
    test(`${name} carries an edit through the engine`, async () => {
      const answers = [encode([{ path: "a.ts", before, after }])];
      const played = await play({ syntax, instruction: "定数を直してください。", before, answers, format: name });
      expect(played.story).toEqual(["first: offered"]);
      expect(played.after["a.ts"]).toBe(after);
      expect(played.outcome).toMatchObject({
        proposal: { format: name, repairs: [], normalizations: [], warnings: [] },
      });
      expect(played.model.calls[0]!.messages.at(-1)!.text).toContain("定数を直してください。");
    });

    test(`${name} is requested once more, after words`, async () => {
      const answers = ["Sorry, I cannot do that.\n", encode([{ path: "a.ts", before, after }])];
      const played = await play({ syntax, before, answers, format: name });
      expect(played.after["a.ts"]).toBe(after);
      expect(played.outcome.kind).toBe("offered");
    });
  }
});

describe("complete files as the last resort", () => {
  test("are requested in the last retry, where that is allowed", async () => {
    const whole = `# a.ts\n\n\`\`\`ts\n${sum}\`\`\`\n`;
    const scene = { before: add, answers: ["Sorry.", "Sorry.", whole], maxRetries: 2, allowsWholeFiles: true };
    const played = await play({ syntax, ...scene });
    expect(played.story).toEqual(["first: refused", "refused: refused", "refused: offered"]);
    expect(played.after["a.ts"]).toBe(sum);
    expect(played.outcome).toMatchObject({ proposal: { format: "whole" } });
  });

  test("produce a warning when most lines are lost", async () => {
    const before = "one();\ntwo();\nthree();\n";
    const answers = ["# a.ts\n\n```ts\none();\n```\n"];
    const played = await play({ syntax, before, answers, format: "whole" });
    expect(played.outcome).toMatchObject({
      kind: "offered",
      proposal: { warnings: ["a.ts shrinks from 3 lines to 1."] },
    });
  });
});

describe("aborting the edit engine", () => {
  const stopping = (stop: () => void): EditVerification => {
    return async () => {
      stop();
      throw new Error("stopped");
    };
  };
  const reason = new Error("enough");
  const stops: readonly (readonly [what: string, parts: (stop: () => void) => Partial<Play>])[] = [
    ["while the check runs", (stop) => ({ verify: stopping(stop) })],
    ["while a formatter runs", (stop) => ({ formatter: () => new Promise(() => stop()) })],
    ["while a file is read", (stop) => ({ textNow: () => new Promise(() => stop()) })],
  ];
  for (const [what, parts] of stops) {
    test(`an abort ${what} rejects with its own reason`, async () => {
      const controller = new AbortController();
      const outside = parts(() => controller.abort(reason));
      await expect(play({ syntax, before: add, answers: [fits], signal: controller.signal, ...outside })).rejects.toBe(
        reason,
      );
    });
  }

  test("an abort does not wait for a model that ignores the signal", async () => {
    const controller = new AbortController();
    const model = {
      name: "deaf",
      async *chat() {
        yield { kind: "text-delta" as const, text: "@@ 2" };
        controller.abort(reason);
        await new Promise(() => {});
        return { reason: "finished" as const };
      },
    };
    const files = [{ path: "a.ts", text: add, language: "typescript" }];
    const run = new EditEngine({ model, syntax }).run(
      { instruction: "Do it.", files, format: "range" },
      { signal: controller.signal },
    );
    const drained = (async () => {
      for await (const _ of run);
    })();
    await expect(drained).rejects.toBe(reason);
  });

  test("leaving the generator stops the model", async () => {
    const model = new ScriptedChatModel([fits]);
    const files = [{ path: "a.ts", text: add, language: "typescript" }];
    const run = new EditEngine({ model, syntax }).run({ instruction: "Do it.", files, format: "range" });
    for await (const event of run) if (event.kind === "text") break;
    expect(model.stopped).toBe(1);
  });
});

test("the format auto is replaced by a chosen one", async () => {
  const engine = new EditEngine({ syntax, model: { name: "openai:gpt-5" } });
  const files = [{ path: "a.ts", text: add, language: "typescript" }];
  expect(engine.formatFor({ files, format: "numbered" }).format).toBe("numbered");
  expect(engine.formatFor({ files, format: "auto" }).format).toBe("v4a");
  expect(new EditEngine({ syntax }).formatFor({ files, format: "auto" }).format).toBe("range");
});

test("a model without chat throws ModelError with the reason", async () => {
  const failing = play({ syntax, before: add, answers: [new ModelError("no-key", "A key is needed.")] });
  await expect(failing).rejects.toThrow("A key is needed.");
  const files = [{ path: "a.ts", text: add, language: "typescript" }];
  const silent = new EditEngine({ syntax }).run({ instruction: "Do it.", files, format: "range" });
  await expect(silent.next()).rejects.toThrow("There is no model to ask: edits need a model that chats.");
});

describe("an answer in another format than the requested one", () => {
  const searched = "a.ts\n```ts\n<<<<<<< SEARCH\n  return 0;\n=======\n  return a + b;\n>>>>>>> REPLACE\n```\n";

  test("is read by its marks and reported", async () => {
    const played = await play({ syntax, before: add, answers: [searched] });
    expect(played.story).toEqual(["first: offered"]);
    expect(played.after["a.ts"]).toBe(sum);
    expect(played.outcome).toMatchObject({
      proposal: { format: "search-replace", normalizations: [{ kind: "marks" }] },
    });
  });

  test("is refused if it has only line numbers where none were shown", async () => {
    const answers = ["```ts\n2:  return a + b;\n```\n", searched];
    const played = await play({ syntax, before: add, answers, format: "search-replace" });
    expect(played.story).toEqual(["first: refused", "refused: offered"]);
    expect(played.after["a.ts"]).toBe(sum);
  });
});

describe("an existing answer", () => {
  const engine = new EditEngine({ syntax });
  const files = [{ path: "a.ts", text: add, language: "typescript" }];

  const answers: readonly (readonly [what: string, text: string, kind: EditOutcome["kind"]])[] = [
    ["fits", fits, "offered"],
    ["cannot be read", "Sorry.", "refused"],
    ["breaks the syntax", "@@ 2 return 0\n  return (;\n@@ end\n", "broken"],
    ["says that nothing is to change", none, "unchanged"],
    ["was cut off", "@@ 2 return 0\n  return a + b;\n", "refused"],
  ];
  for (const [what, text, kind] of answers) {
    test(`that ${what}`, async () => {
      expect((await engine.judgeAnswer({ files }, { text, format: "range" })).kind).toBe(kind);
      expect((await engine.judgeAnswer({ files }, { text, format: "detect" })).kind).toBe(kind);
    });
  }

  for (const { name, encode } of formats) {
    test(`in ${name}, which is recognized by its marks`, async () => {
      const rest = Array.from({ length: 20 }, (_, i) => `export const c${i} = ${i};\n`).join("");
      const long = [{ path: "a.ts", text: add + rest, language: "typescript" }];
      const text = encode([{ path: "a.ts", before: add + rest, after: sum + rest }]);
      const outcome = await engine.judgeAnswer({ files: long }, { text, format: "detect" });
      expect(outcome).toMatchObject({ kind: "offered", proposal: { format: name, requests: 0 } });
      expect(filesAfter(outcome)["a.ts"]).toBe(sum + rest);
    });
  }

  test("that is the text of the only file, without any mark, is read as that", async () => {
    const long = [{ path: "a.ts", text: `${add}\n${add.replace("add", "other")}`, language: "typescript" }];
    const text = long[0]!.text.replace("return 0", "return 1");
    const outcome = await engine.judgeAnswer({ files: long }, { text, format: "detect" });
    expect(outcome).toMatchObject({
      kind: "offered",
      proposal: { format: "whole", normalizations: [{ kind: "fence" }] },
    });
    expect(filesAfter(outcome)["a.ts"]).toBe(text);
    const cut = await engine.judgeAnswer({ files: long }, { text, format: "detect", isCut: true });
    expect(cut.kind).toBe("refused");
    const two = [...long, { path: "b.ts", text: "b();\n", language: "typescript" }];
    expect((await engine.judgeAnswer({ files: two }, { text, format: "detect" })).kind).toBe("refused");
  });

  test("that could be a whole file or a part of it is refused, except for a new file", async () => {
    const text = `# a.ts\n\n\`\`\`ts\n${sum}\`\`\`\n`;
    const long = [{ path: "a.ts", text: `${add}\n${add.replace("add", "other")}`, language: "typescript" }];
    expect(await engine.judgeAnswer({ files: long }, { text, format: "detect" })).toMatchObject({
      kind: "refused",
      refusals: [{ kind: "no-edits" }],
    });
    expect(await engine.judgeAnswer({ files: [] }, { text, format: "detect" })).toMatchObject({ kind: "offered" });
  });
});
