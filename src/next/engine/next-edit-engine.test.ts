import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit } from "../../text/index.ts";
import type { EditTypeCheck, TypeVerdict } from "../edit-checks/edit-type-check.ts";
import { NextEditHarness, type NextEditHarnessOptions, printOutcome } from "../fixtures/next-edit-harness.ts";
import { policies } from "../fixtures/policies.ts";
import { ScriptedProvider, type ScriptedRewrite } from "../fixtures/scripted-provider.ts";
import { prettierFormatter } from "../layout/code-formatter.ts";
import type { NextEditContext, NextEditProvider } from "../providers/next-edit-provider.ts";
import type { NextEditSettings } from "./settings.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

/** The user has just renamed `a` on the first line, with the cursor after it. */
function harness(
  rest: string,
  rewrites: readonly ScriptedRewrite[],
  options: Partial<NextEditHarnessOptions> = {},
): NextEditHarness {
  const sources = [new ScriptedProvider(rewrites)];
  const made = new NextEditHarness({ files: { "m.ts": `let a = 1;\n${rest}` }, syntax, sources, ...options });
  made.replace("a", "b");
  return made;
}

/**
 * What happens in a long document behind a key: `ask`, `invoked`, `accept`, `key` (typed), `100`
 * (so many milliseconds pass); how each question was answered, as soon as it was.
 */
test.each<[what: string, script: string, printed: string]>([
  ["no provider is called before the pause", "ask; 199", ""],
  ["all providers are called after the pause", "ask; 200", "offered"],
  ["an invoked request does not wait", "invoked", "offered"],
  ["a request after a pause does not wait", "200; ask", "offered"],
  ["a request is superseded by the next one", "ask; 100; key; ask; 100", "superseded"],
  ["a request after an accepted suggestion does not wait", "200; ask; accept; ask", "offered, offered"],
  ["a request after the next key waits", "200; ask; accept; ask; key; ask; 199", "offered, offered"],
  ["the next request waits for its own pause", "ask; 100; key; ask; 200", "superseded, offered"],
  ["a key without a request ends the wait too", "ask; 100; key; 100", "superseded"],
])("debounce in a long document: %s", async (_, script, printed) => {
  const made = harness(
    "use(a);\nsee[a];",
    [
      { was: "(a)", text: "(b)" },
      { was: "[a]", text: "[b]" },
    ],
    { settings: { longDocumentCharacters: 10 } },
  );
  const answers: string[] = [];
  for (const step of script.split("; ")) {
    if (step === "ask" || step === "invoked") {
      const trigger = step === "ask" ? "automatic" : "invoked";
      void made
        .ask(trigger)
        .then((found) => answers.push(found.kind === "no-suggestion" ? found.reason.kind : found.kind));
    } else if (step === "key") made.type("c");
    else if (step === "accept") made.accept();
    else made.clock.advance(Number(step));
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(answers.join(", ")).toBe(printed);
});

describe("the suggestion chosen from the proposals", () => {
  const cases: readonly (readonly [name: string, rest: string, rewrites: readonly ScriptedRewrite[], seen: string])[] =
    [
      ["an edit", "use(a);", [{ was: "(a)", text: "(b)" }], "use‹(a)›«(b)»;"],
      ["the nearest below of several", "use(a);\nuse(a);", [{ was: "(a)", text: "(b)" }], "use‹(a)›«(b)»;\nuse(a);"],
      [
        "the likeliest of rivals",
        "use(a);",
        [
          { was: "(a)", text: "(c)", likelihood: 0.6 },
          { was: "(a)", text: "(b)" },
        ],
        "use‹(a)›«(b)»;",
      ],
      [
        "the next one where the likeliest breaks the syntax",
        "use(a);",
        [
          { was: "(a)", text: "((b)" },
          { was: "(a)", text: "(b)", likelihood: 0.6 },
        ],
        "use‹(a)›«(b)»;",
      ],
      ["a place to look at", "use(a);", [{ was: "use(a)", reason: "calls a" }], "?calls a"],
      ["nothing unlikely", "use(a);", [{ was: "(a)", text: "(b)", likelihood: 0.45 }], "-nothing-follows"],
      ["nothing that takes back what was done", "use(a);", [{ was: "let b", text: "let a" }], "-nothing-follows"],
      ["no mere white space", "use(a);", [{ was: "use(a)", text: "use( a )" }], "-nothing-follows"],
      ["nothing that is nothing", "use(a);", [{ was: "(a)", text: "(a)" }], "-nothing-follows"],
      ["nothing where nothing is proposed", "use(a);", [], "-nothing-follows"],
    ];

  test.each(cases)("the engine chooses a proposal: %s", async (_, rest, rewrites, seen) => {
    const found = await harness(rest, rewrites).see();
    expect(found.replace("m.ts: ", "").replace("let b = 1;\n", "")).toBe(seen);
  });

  test("an invoked request also returns a less likely proposal", async () => {
    const scene = harness("use(a);", [{ was: "(a)", text: "(b)", likelihood: 0.5 }]);
    expect(await scene.see("invoked")).toBe("m.ts: let b = 1;\nuse‹(a)›«(b)»;");
  });

  test.each<[what: string, rewrites: readonly ScriptedRewrite[], seen: string]>([
    ["the best there is", [{ was: "(a)", text: "(b)", likelihood: 0.1 }], "use‹(a)›«(b)»;"],
    [
      "the likeliest of it",
      [
        { was: "(a)", text: "(c)", likelihood: 0.1 },
        { was: "(a)", text: "(b)", likelihood: 0.2 },
      ],
      "use‹(a)›«(b)»;",
    ],
    [
      "what does not break the syntax",
      [
        { was: "(a)", text: "((b)", likelihood: 0.2 },
        { was: "(a)", text: "(b)", likelihood: 0.1 },
      ],
      "use‹(a)›«(b)»;",
    ],
    ["also a place to look at", [{ was: "use(a)", reason: "calls a", likelihood: 0.1 }], "?calls a"],
    ["nothing that is unlikely to be meant", [{ was: "(a)", text: "(b)", likelihood: 0.04 }], "-nothing-follows"],
    ["nothing that takes back what was done", [{ was: "let b", text: "let a", likelihood: 0.2 }], "-nothing-follows"],
  ])("an invoked request returns %s", async (_, rewrites, seen) => {
    const scene = harness("use(a);", rewrites);
    expect(await scene.see()).toBe("-nothing-follows");
    expect((await scene.see("invoked")).replace("m.ts: ", "").replace("let b = 1;\n", "")).toBe(seen);
  });

  test("an invoked request returns the likelihood, and names the setting that filters out the rest", async () => {
    const rewrites = [
      { was: "(a)", text: "(b)", likelihood: 0.1 },
      { was: "use", text: "get", likelihood: 0.01 },
    ];
    expect(await harness("use(a);", rewrites).ask("invoked")).toMatchObject({ suggestion: { likelihood: 0.1 } });
    const settings = { leastLikelihood: 0.4 };
    const held = { kind: "unlikely", threshold: 0.4, setting: "next.leastLikelihood" };
    const likelier = [{ was: "(a)", text: "(b)", likelihood: 0.35 }];
    expect(await harness("use(a);", likelier, { settings }).ask("invoked")).toMatchObject({
      filteredOut: [{ reason: held }],
    });
  });

  test.each([
    ["of further places", [0.9, 0.8]],
    ["of filtered-out proposals", [0.01]],
  ])("an outcome does not contain the trees and the policy %s", async (_, likelihoods) => {
    const judged = { trees: { features: [], bias: 0, trees: [] }, numbers: [] };
    const propose = () =>
      likelihoods.map((likelihood, at) => {
        const place = { start: 2 * at, end: 2 * at + 1 };
        return { origin: "example", path: "m.ts", place, reason: "so", likelihood, judged } as const;
      });
    const sources = [{ origin: "example", policy: policies.example, propose } as const];
    const made = new NextEditHarness({ files: { "m.ts": "let a;" }, syntax, sources });
    made.replace("a", "b");
    const printed = JSON.stringify(await made.ask("invoked"));
    const contained = ["so", "trees", "trustGroup"].filter((one) => printed.includes(one));
    expect(contained).toEqual(["so"]);
  });

  test("an invoked request does not return a rejected suggestion", async () => {
    const scene = harness("use(a);", [{ was: "(a)", text: "(b)", likelihood: 0.29 }]);
    await scene.see("invoked");
    scene.reject();
    expect(await scene.ask("invoked")).toMatchObject({
      kind: "no-suggestion",
      filteredOut: [{ reason: { kind: "rejected" } }],
    });
  });

  test("an asynchronous proposal comes before an unlikely synchronous one", async () => {
    const slow = new ScriptedProvider([{ was: "(a)", text: "(b)", likelihood: 0.6 }], { origin: "fix" });
    const sources = [
      new ScriptedProvider([{ was: "use", text: "get", likelihood: 0.2 }]),
      {
        origin: "fix" as const,
        policy: policies.fix,
        async *propose(context: NextEditContext) {
          yield* slow.propose(context);
        },
      },
    ];
    expect(await harness("use(a);", [], { sources }).see("invoked")).toBe("m.ts: let b = 1;\nuse‹(a)›«(b)»;");
  });

  test("returns no suggestion where nothing was edited", async () => {
    const idle = new NextEditHarness({ files: { "m.ts": "|let a;" }, syntax, sources: [new ScriptedProvider([])] });
    expect(await idle.see()).toBe("-nothing-edited");
  });

  test.each([
    ["a secret file", ".env", {}, { kind: "secret" }, "-secret-file"],
    ["an ignored file", "m.ts", {}, { kind: "ignored", by: ".gitignore:1: m.ts" }, "-ignored-file"],
    ["a long file", "m.ts", { maxDocumentCharacters: 1 }, { kind: "allowed" }, "-too-large"],
    [
      "a language that is off",
      "m.ts",
      { switches: { enabled: true, languages: { typescript: false }, fileTypes: {}, folders: {} } },
      { kind: "allowed" },
      "-language-off",
    ],
  ] as const)("returns no suggestion in %s", async (_, path, settings, verdict, seen) => {
    const sources = [new ScriptedProvider([{ was: "a", text: "b" }])];
    const kept = new NextEditHarness({ files: { [path]: "|a;" }, syntax, sources, settings, access: () => verdict });
    expect(await kept.see()).toBe(seen);
  });

  const added = { was: "use(a", text: "use(a, b)", likelihood: 0.6 };
  test.each<[what: string, rest: string, rewrites: readonly ScriptedRewrite[], seen: string]>([
    ["what adds behind the cursor", "use(a|", [added], "‹use(a›«use(a, b)»"],
    [
      "not what is likelier elsewhere",
      "use(a|\nget(a)",
      [{ was: "get", text: "set" }, added],
      "‹use(a›«use(a, b)»\nget(a)",
    ],
    ["nothing where there is nothing else", "use(a|\nget(a)", [{ was: "get", text: "set" }], "-nothing-follows"],
    ["no place to look at", "use(a|", [{ was: "use(a", reason: "calls a" }], "-nothing-follows"],
    ["nothing before the cursor", "use(a) |", [{ was: "use(a)", text: "use(a, b)" }], "-nothing-follows"],
  ])("a request for ghost text returns %s", async (_, rest, rewrites, seen) => {
    const text = `let a = 1;\n${rest}`;
    const made = new NextEditHarness({ files: { "m.ts": text }, syntax, sources: [new ScriptedProvider(rewrites)] });
    const { cursor } = made;
    made.edit("m.ts", Edit.replace({ start: 4, end: 5 }, "b"));
    made.cursor = cursor;
    made.shape = "ghost-text";
    expect((await made.see()).replace("m.ts: ", "").replace("let b = 1;\n", "")).toBe(seen);
  });

  test("requests for ghost text and other edits do not supersede each other, and equal suggestions have one id", async () => {
    const both = harness("use(a", [added]);
    both.cursor = both.text.length;
    const any = both.ask();
    both.shape = "ghost-text";
    const outcomes = await Promise.all([any, both.ask()]);
    const ids = outcomes.map((outcome) => (outcome.kind === "offered" ? outcome.suggestion.id : outcome.reason.kind));
    expect(ids).toEqual(["next-1", "next-1"]);
  });

  test("suggests an edit in another file, unless that file may not be read", async () => {
    const sources = [new ScriptedProvider([{ was: "(a)", text: "(b)" }], { paths: ["n.ts", "o.ts"] })];
    const files = { "m.ts": "let a;", "n.ts": "use(a);", "o.ts": "get(a);" };
    const access = (path: string) => ({ kind: path === "n.ts" ? "secret" : "allowed" }) as const;
    const far = new NextEditHarness({ files, syntax, sources, access });
    far.replace("a", "b");
    expect(await far.see()).toBe("o.ts: get‹(a)›«(b)»;");
  });

  test("a request is about the texts that it has read, also where another file changes meanwhile", async () => {
    const provider = new ScriptedProvider([{ was: "(a)", text: "(b)" }], { paths: ["n.ts", "o.ts"] });
    let change: () => void = () => undefined;
    const changing: NextEditProvider = {
      ...{ origin: "fix", policy: policies.fix },
      async *propose(context) {
        const proposals = provider.propose(context);
        change();
        yield* proposals.map((proposal) => ({ ...proposal, origin: "fix" as const }));
      },
    };
    const files = { "m.ts": "let a;", "n.ts": "use(a);", "o.ts": "get(a);" };
    /** The suggestion, and the files of the others, where the text of a file changes meanwhile. */
    const seeWhile = async (path: string) => {
      const made = new NextEditHarness({ files, syntax, sources: [changing] });
      made.replace("a", "b");
      change = () => made.edit(path, Edit.insert(0, "/* new */ "));
      const outcome = await made.ask();
      const others = outcome.kind === "offered" ? outcome.suggestion.others : [];
      return [printOutcome(outcome), ...others.map((other) => other.path)];
    };
    // A host compares the text of the suggestion with the present one.
    expect(await seeWhile("n.ts")).toEqual(["n.ts: use‹(a)›«(b)»;", "o.ts"]);
    expect(await seeWhile("o.ts")).toEqual(["n.ts: use‹(a)›«(b)»;"]);
  });

  test("returns the other proposals, at most one for each location", async () => {
    const many = harness("use(a);\nuse(a);\nuse(a);", [
      { was: "(a)", text: "(b)" },
      { was: "(a)", text: "(c)", likelihood: 0.8 },
    ]);
    const outcome = await many.ask();
    const printed = outcome.kind === "offered" ? outcome.suggestion.others.map(({ edit }) => edit?.toString()) : [];
    expect(printed).toHaveLength(2);
  });

  test("a place of a rename that the type checker proposes has all other places of its chain", async () => {
    const renames = new ScriptedProvider([{ was: "(a)", text: "(b)", likelihood: 0.5 }], { origin: "name" });
    const typed: NextEditProvider = {
      ...{ origin: "fix", policy: policies.fix },
      async *propose(context) {
        const [, one] = renames.propose(context);
        const { chain, ...proposal } = one!;
        yield { ...proposal, origin: "fix", likelihood: 0.9 };
      },
    };
    const mixed = harness("use(a);\nuse(a);\nuse(a);", [], { sources: [renames, typed] });
    const outcome = await mixed.ask();
    if (outcome.kind !== "offered") throw new Error(outcome.reason.kind);
    const { origin, chain, others } = outcome.suggestion;
    expect([origin, ...others.map((other) => `${other.origin} ${other.chain === chain}`)]).toEqual([
      "fix",
      "name true",
      "name true",
    ]);
  });

  test.each([
    ["no proposal", "(c)", "The proposal passed the checks. Suggested: as scripted."],
    ["one proposal", "((c)", "The proposal passed the checks. Filtered out: 1 proposal. Suggested: as scripted."],
  ])("its trace is in whole sentences where %s is filtered out", async (_, first, expected) => {
    const rewrites = [first === "(c)" ? { was: "(a)", text: "(b)" } : { was: "(a)", text: first, likelihood: 0.95 }];
    const asked = await harness("use(a);", [...rewrites, { was: "(a)", text: "(b)" }]).ask();
    const details = asked.trace.filter(({ step }) => step === "check" || step === "offer").map(({ detail }) => detail);
    expect(details.join(" ")).toBe(expected);
  });

  test("returns filtered-out proposals with their reasons", async () => {
    const held = harness("use(a);", [
      { was: "(a)", text: "((b)" },
      { was: "(a)", text: "(c)", likelihood: 0.1 },
    ]);
    expect((await held.ask()).filteredOut.map(({ reason }) => reason.kind)).toEqual(["breaks-syntax", "unlikely"]);
  });
});

describe("the type check of the engine", () => {
  /** A type check with a verdict for each text. */
  const judge = (verdicts: Readonly<Record<string, TypeVerdict>>): EditTypeCheck => ({
    judge: async ({ edit }) => verdicts[edit.edits.map(({ text }) => text).join()] ?? { kind: "unknown" },
  });
  const worse = { kind: "worse", findings: [] } as const;

  test.each<readonly [string, number, Readonly<Record<string, TypeVerdict>>, string]>([
    ["an edit that adds errors is filtered out", 0.9, { "(b)": worse, "(b),(b)": worse }, "-nothing-follows"],
    [
      "an edit passes where its whole chain adds no errors",
      0.9,
      { "(b)": worse, "(b),(b)": { kind: "fits", mended: 1 } },
      "(b)",
    ],
    ["an unlikely edit that fixes errors passes", 0.4, { "(b)": { kind: "fits", mended: 1 } }, "(b)"],
    ["an unlikely edit that fixes nothing is filtered out", 0.4, { "(b)": { kind: "fits", mended: 0 } }, "-nothing"],
    ["an edit with an unknown verdict keeps its likelihood", 0.9, {}, "(b)"],
  ])("%s", async (_, likelihood, verdicts, seen) => {
    const parts = { types: judge(verdicts) };
    const judged = harness("use(a);\nuse(a);", [{ was: "(a)", text: "(b)", likelihood }], { parts });
    expect(await judged.see()).toContain(seen);
  });

  test("an edit that is worse alone passes where it is not with the rest of its chain in other files", async () => {
    const seen: unknown[] = [];
    const both: EditTypeCheck = {
      judge: async ({ together }) => {
        seen.push(together && [...together]);
        return together === undefined ? worse : { kind: "fits", mended: 1 };
      },
    };
    const sources = [new ScriptedProvider([{ was: "(a)", text: "(b)" }], { paths: ["n.ts"] })];
    const files = { "m.ts": "let a;\nuse(a);", "n.ts": "get(a);" };
    const chained = new NextEditHarness({ files, syntax, sources, parts: { types: both } });
    chained.replace("let a", "let b");
    expect(await chained.see()).toBe("m.ts: let b;\nuse‹(a)›«(b)»;");
    expect(seen).toEqual([undefined, [["n.ts", "get(b);"]]]);
  });

  test("a type check that takes too long is ignored", async () => {
    const parts = { types: { judge: () => new Promise<TypeVerdict>(() => undefined) } };
    const slow = harness("use(a);", [{ was: "(a)", text: "(b)" }], { parts, settings: { typesMs: 50 } });
    const seen = slow.see();
    while (slow.clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    slow.clock.advance(50);
    expect(await seen).toBe("m.ts: let b = 1;\nuse‹(a)›«(b)»;");
  });
});

/** A provider of renames that reads a long text behind `propose`, and never ends. */
const behind: NextEditProvider = {
  ...{ origin: "name", policy: policies.name, isBehind: true },
  propose: () => [],
  async readOn(until) {
    await until;
    return "late";
  },
};

test.each([true, false])("row 14: other providers work while a long text is read: %s", async (isBehind) => {
  const asked: string[] = [];
  const other = (name: string): NextEditProvider => ({
    ...{ origin: "impact", policy: policies.impact },
    async *propose() {
      asked.push(name);
      yield* [];
    },
  });
  const sources = [{ ...behind, isBehind }, other("one"), other("two")];
  const made = new NextEditHarness({ files: { "m.ts": "let a = 1;" }, syntax, sources });
  made.replace("a", "b");
  const answer = made.ask("automatic");
  while (made.clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(isBehind ? ["one", "two"] : []);
  made.clock.advance(1_000);
  const reason = { kind: "nothing-follows", leftOut: [{ kind: "names", limitMs: 1_000 }] };
  expect(await answer).toMatchObject({ kind: "no-suggestion", reason });
  expect(asked).toEqual(["one", "two"]);
});

describe("a next edit while the user keeps editing", () => {
  test("accepting a suggestion leads to the next one, and finally to none", async () => {
    const chain = harness("use(a);\nuse(a);\n", [{ was: "(a)", text: "(b)" }]);
    const seen: string[] = [];
    for (let at = await chain.see(); !at.startsWith("-"); at = await chain.see()) {
      seen.push(
        at
          .split("\n")
          .findIndex((line) => line.includes("«"))
          .toString(),
      );
      chain.accept();
    }
    expect([seen, chain.text]).toEqual([["1", "2"], "let b = 1;\nuse(b);\nuse(b);\n"]);
  });

  test("a rejected suggestion is not repeated, and no next edit comes automatically for a while", async () => {
    const no = harness("use(a);\nuse(a);\n", [{ was: "(a)", text: "(b)" }]);
    await no.see();
    no.reject();
    const seen = [await no.see(), await no.see("invoked")];
    no.clock.advance(5_000);
    expect([...seen, await no.see()]).toEqual([
      "-rejected-lately",
      "m.ts: let b = 1;\nuse(a);\nuse‹(a)›«(b)»;\n",
      "m.ts: let b = 1;\nuse(a);\nuse‹(a)›«(b)»;\n",
    ]);
  });

  test("a visited location is not shown again", async () => {
    const look = harness("use(a);", [{ was: "use(a)", reason: "calls a" }]);
    const first = await look.see();
    look.accept();
    expect([first, await look.see()]).toEqual(["m.ts: ?calls a", "-nothing-follows"]);
  });

  test("a visited location does not hide another one with the same reason", async () => {
    const look = harness("use(a);\n\nuse(a);", [{ was: "use(a)", reason: "calls a" }]);
    const seen: unknown[] = [];
    for (let i = 0; i < 3; i++) {
      const outcome = await look.ask();
      seen.push(outcome.kind === "offered" && look.text.slice(0, outcome.suggestion.place.start).split("\n").length);
      if (outcome.kind === "offered") look.accept();
      // Text typed above moves it, and changes nothing else.
      look.edit("m.ts", Edit.insert(0, "// more\n"));
      look.cursor += 8;
    }
    expect(seen).toEqual([2, 5, false]);
  });

  test("a visited location is shown again once it was edited", async () => {
    const look = harness("use(a);", [{ was: "use(a", reason: "calls a" }]);
    await look.see();
    look.accept();
    look.cursor = look.text.indexOf(")");
    look.type(", 1");
    look.cursor = 0;
    expect(await look.see()).toBe("m.ts: ?calls a");
  });

  test.each([
    ["an edit", "(b)"],
    ["a place to look at", undefined],
  ])("%s that is found again keeps its id while the user types elsewhere", async (_, text) => {
    const source = new ScriptedProvider([{ was: "(a)", ...(text !== undefined && { text }) }], { paths: ["n.ts"] });
    for (const path of ["m.ts", "n.ts"]) {
      const files = { "m.ts": "let a = 1;\n", "n.ts": "\n", [path]: "let a = 1;\n\nuse(a);" };
      const typing = new NextEditHarness({ files, syntax, sources: [source] });
      typing.replace("a", "b");
      const names = new Set<string>();
      for (const key of " // x") {
        const outcome = await typing.ask();
        names.add(outcome.kind === "offered" ? outcome.suggestion.id : "none");
        typing.type(key);
      }
      expect(names.size).toBe(1);
      typing.reject();
      expect(await typing.see("invoked")).toBe("-nothing-follows");
    }
  });

  test("a shown suggestion stays shown when it is suggested again", async () => {
    const seen = harness("use(a);", [{ was: "(a)", text: "(b)" }]);
    const outcome = await seen.ask();
    const id = outcome.kind === "offered" ? outcome.suggestion.id : "";
    seen.engine.shown(id);
    await seen.ask();
    seen.engine.rejected(id);
    expect(await seen.see()).toBe("-rejected-lately");
  });

  test("a newer request supersedes the older one, and a signal cancels", async () => {
    const scene = harness("use(a);", [{ was: "(a)", text: "(b)" }]);
    const stop = new AbortController();
    const [first, second] = [scene.see(), scene.ask("automatic", stop.signal)];
    stop.abort();
    expect([await first, (await second).kind]).toEqual(["-superseded", "no-suggestion"]);
  });

  test("a checkout drops the edit history", async () => {
    const other = harness("use(a);", [{ was: "(a)", text: "(b)" }]);
    other.engine.replaced();
    expect(await other.see()).toBe("-nothing-edited");
  });

  test.each([
    ["is returned again while nothing is edited", (_: NextEditHarness): void => undefined, 1],
    [
      "is computed again after another edit of that file",
      (far: NextEditHarness) => far.edit("n.ts", Edit.insert(5, "c")),
      2,
    ],
  ] as const)("a suggestion that follows from another file %s", async (_, meanwhile, calls) => {
    const source = new ScriptedProvider([{ was: "(a)", text: "(b)" }]);
    const far = new NextEditHarness({ files: { "m.ts": "use(a);", "n.ts": "let a;" }, syntax, sources: [source] });
    far.edit("n.ts", Edit.replace({ start: 4, end: 5 }, "b"));
    await far.ask();
    meanwhile(far);
    expect(await far.see()).toBe("m.ts: use‹(a)›«(b)»;");
    expect(source.calls).toBe(calls);
  });

  test("a suggestion that is typed exactly keeps its id, without another request", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[b-z]{2,8}$/), async (name, arg) => {
        const source = new ScriptedProvider([{ was: "use(", text: `use(${arg}, ` }]);
        const typing = new NextEditHarness({ files: { "m.ts": `let ${name};\nuse(a);\n` }, syntax, sources: [source] });
        typing.edit("m.ts", Edit.insert(0, "\n"));
        typing.cursor = typing.text.indexOf("(") + 1;
        const first = await typing.ask();
        const { calls } = source;
        for (const key of arg) {
          typing.type(key);
          const outcome = await typing.ask();
          expect(outcome).toMatchObject({
            kind: "offered",
            suggestion: { id: first.kind === "offered" && first.suggestion.id, isReused: true },
          });
        }
        expect(source.calls).toBe(calls);
      }),
      { numRuns: 30 },
    );
  });
});

describe("the layout of a suggested edit", () => {
  /** Lines of nearly 80 columns, and a call with arguments of half of that. */
  const wide = `f(${"x".repeat(74)});\n`.repeat(4);
  const long = "x".repeat(36);
  const broken = `use(\n  a,\n  ${long},\n  ${long},\n);`;

  test.each<[what: string, rest: string, rewrites: readonly ScriptedRewrite[], fresh: string]>([
    [
      "a line that grows too long",
      `use(a, ${long});`,
      [{ was: `(a, ${long})`, text: `(b, ${long}, ${long})` }],
      broken.replace("a", "b"),
    ],
  ])("%s, as the file's formatter would", async (_, rest, rewrites, fresh) => {
    const made = harness(wide + rest, rewrites, { parts: { formatter: prettierFormatter() } });
    await made.ask();
    made.accept();
    expect(made.text).toBe(`let b = 1;\n${wide}${fresh}`);
  });

  test("as the project configures, where the file does not show a style", async () => {
    const made = harness(`use(a, ${long});`, [{ was: `(a, ${long})`, text: `(b, ${long}, ${long})` }], {
      parts: { formatter: prettierFormatter(), configuredStyle: async () => ({ width: 80, indent: 4 }) },
    });
    await made.ask();
    made.accept();
    expect(made.text).toBe(`let b = 1;\n${broken.replace("a", "b").replaceAll("  ", "    ")}`);
  });

  test("ghost text is not reformatted, however long the line becomes", async () => {
    const made = harness("", [{ was: "let b", text: `let b${long}${long}` }], {
      parts: { formatter: prettierFormatter() },
    });
    made.shape = "ghost-text";
    await made.ask();
    made.accept();
    expect(made.text).toBe(`let b${long}${long} = 1;\n`);
  });
});

describe("a suggested chain as a whole", () => {
  /**
   * The texts that the whole chain of the suggestion produces in two files, after `let a` became
   * `let b`.
   */
  async function wholeOf(
    sources: readonly ScriptedProvider[],
    settings: Partial<NextEditSettings> = {},
  ): Promise<readonly string[]> {
    const all = new NextEditHarness({
      files: { "m.ts": "let a;\nuse(a);\nuse(a);", "n.ts": "get(a);" },
      ...{ syntax, sources, settings },
    });
    all.replace("let a", "let b");
    const outcome = await all.ask();
    const whole = await all.engine.whole(outcome.kind === "offered" ? outcome.suggestion.id : "");
    return [...(whole?.files ?? [])].map(([path, { text, edit }]) => `${path}: ${edit.apply(text)}`);
  }

  test.each([
    ["in every file", {}],
    ["however many lines these are", { maxLines: 1 }],
  ])("%s", async (_, settings) => {
    const sources = [new ScriptedProvider([{ was: "(a)", text: "(b)" }], { paths: ["n.ts"] })];
    expect(await wholeOf(sources, settings)).toEqual(["m.ts: let b;\nuse(b);\nuse(b);", "n.ts: get(b);"]);
  });

  test("contains the proposals of its own provider, where another one has the same origin", async () => {
    const [first, second] = [
      new ScriptedProvider([{ was: "(none)", text: "()" }], { origin: "fix" }),
      new ScriptedProvider([{ was: "(a)", text: "(b)" }], { origin: "fix", paths: ["n.ts"] }),
    ];
    expect(await wholeOf([first, second])).toEqual(["m.ts: let b;\nuse(b);\nuse(b);", "n.ts: get(b);"]);
  });

  test.each<[origin: "example" | "name", texts: readonly string[]]>([
    ["example", ["m.ts: let b;\nuse(b);\nuse(b);"]],
    ["name", ["m.ts: let b;\nuse(b);\nuse(b);", "n.ts: get(b);"]],
  ])("contains less likely proposals only where it is one change: %s", async (origin, texts) => {
    const source = new ScriptedProvider(
      [
        { was: "use(a)", text: "use(b)", chain: "a" },
        { was: "get(a)", text: "get(b)", chain: "a", likelihood: 0.2 },
      ],
      { origin, paths: ["n.ts"] },
    );
    expect(await wholeOf([source])).toEqual(texts);
  });

  test("ends with the file of the 1,000th place, and counts the places that are left", async () => {
    const counts = { "m.ts": 990, "n.ts": 30, "o.ts": 5 };
    const texts = Object.entries(counts).map(([path, count]) => [path, `let a;\n${"use(a);\n".repeat(count)}`]);
    const all = new NextEditHarness({
      ...{ files: Object.fromEntries(texts) as Record<string, string>, syntax },
      sources: [new ScriptedProvider([{ was: "(a)", text: "(b)" }], { origin: "name", paths: ["n.ts", "o.ts"] })],
    });
    all.replace("let a", "let b");
    const outcome = await all.ask();
    const whole = await all.engine.whole(outcome.kind === "offered" ? outcome.suggestion.id : "");
    const edited = Array.from(whole!.files, ([path, { edit }]) => [path, edit.edits.length]);
    expect([edited, whole?.left]).toEqual([
      [
        ["m.ts", 990],
        ["n.ts", 30],
      ],
      5,
    ]);
  });

  test("is undefined where the text has changed", async () => {
    const late = harness("use(a);", [{ was: "(a)", text: "(b)" }]);
    const outcome = await late.ask();
    late.type(" ");
    expect(await late.engine.whole(outcome.kind === "offered" ? outcome.suggestion.id : "")).toBeUndefined();
  });
});
