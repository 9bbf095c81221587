import { afterAll, describe, expect, test } from "vitest";
import { NameTables } from "../../names/name-tables.ts";
import { parseScriptTree } from "../../names/node/index.ts";
import { SyntaxErrorCache } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit } from "../../text/index.ts";
import { defaultNextEditSettings } from "../engine/settings.ts";
import { Rejections } from "../feedback/rejections.ts";
import { UndoGuard } from "../feedback/undo-guard.ts";
import { policies } from "../fixtures/policies.ts";
import type { NextEditOrigin } from "../providers/next-edit-provider.ts";
import { checkProposal } from "./check-proposal.ts";
import type { EditTypeCheck, TypeVerdict } from "./edit-type-check.ts";
import { UndeclaredNamesCheck } from "./undeclared-names-check.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const text = "use(a);\n";

/**
 * A type check with this verdict, which logs its calls. Without `isWrong` it has no `hasErrors`.
 */
class WrittenJudge implements EditTypeCheck {
  readonly log: string[] = [];
  readonly hasErrors?: NonNullable<EditTypeCheck["hasErrors"]>;
  readonly #verdict: TypeVerdict;

  constructor(verdict: TypeVerdict, isWrong: boolean | undefined) {
    this.#verdict = verdict;
    if (isWrong === undefined) return;
    this.hasErrors = async (paths) => {
      this.log.push(`errors of ${paths.join(" ")}`);
      return isWrong;
    };
  }

  async judge({ alike = [] }: Parameters<EditTypeCheck["judge"]>[0]): Promise<TypeVerdict> {
    this.log.push(alike.length === 0 ? "judge" : `judge by ${alike.map(({ path }) => path).join(" ")}`);
    return this.#verdict;
  }
}

/**
 * The outcome of an edit with this likelihood at a threshold of 0.5, and the calls of the type
 * check.
 */
async function checked(
  origin: NextEditOrigin,
  likelihood: number,
  verdict: TypeVerdict,
  isWrong?: boolean,
  { language = "typescript", isByNameAlone = false, rest = "" } = {},
) {
  const types = new WrittenJudge(verdict, isWrong);
  const edit = Edit.replace({ start: 4, end: 5 }, "b");
  const lines = { start: 0, end: 1 };
  const outcome = await checkProposal(
    {
      ...{ origin, policy: policies[origin], path: "m.ts", edit, place: edit.edits[0]!, likelihood, isByNameAlone },
      reason: "like your last edit",
    },
    {
      ...{ text: `${text}${rest}`, language, threshold: 0.5, signal: new AbortController().signal },
      history: [{ path: "n.ts", lines, before: ["say(a)"], after: ["say(b)"], atMs: 0 }],
    },
    {
      ...{ access: () => ({ kind: "allowed" }), rejections: new Rejections(), undoGuard: new UndoGuard(), syntax },
      ...{ syntaxErrors: new SyntaxErrorCache(syntax), settings: defaultNextEditSettings, types },
    },
  );
  const result = outcome.kind === "passes" ? outcome.proposal.likelihood.toFixed(2) : outcome.reason.kind;
  return [result, ...types.log].join(", ");
}

const fits: TypeVerdict = { kind: "fits", mended: 0 };
const mends: TypeVerdict = { kind: "fits", mended: 1 };
const unfinished: TypeVerdict = { kind: "unfinished", findings: [] };
const worse: TypeVerdict = { kind: "worse", findings: [] };

describe("the type check of a proposal", () => {
  test.each<readonly [NextEditOrigin, number, string, TypeVerdict, string]>([
    ["example", 0.8, "fits", fits, "0.80, judge by n.ts"],
    ["example", 0.8, "mends", mends, "0.90, judge by n.ts"],
    ["example", 0.8, "is on its way", unfinished, "0.76, judge by n.ts"],
    ["example", 0.62, "is on its way", unfinished, "breaks-types, judge by n.ts"],
    ["example", 0.9, "is worse", worse, "breaks-types, judge by n.ts"],
    ["name", 0.9, "is on its way", unfinished, "0.88, judge"],
    ["fix", 0.6, "mends", mends, "0.60, judge"],
    ["fix", 0.6, "fits", fits, "0.60, judge"],
    ["example", 0.8, "is unknown", { kind: "unknown" }, "0.80, judge by n.ts"],
  ])("%s at %d, which %s", async (origin, likelihood, _, verdict, expected) => {
    expect(await checked(origin, likelihood, verdict)).toBe(expected);
  });
});

describe("an unlikely proposal is type checked where it may fix an error", () => {
  const looked = "errors of m.ts n.ts";
  test.each<readonly [NextEditOrigin, number, boolean | undefined, TypeVerdict, string]>([
    ["example", 0.4, true, mends, `0.61, ${looked}, judge by n.ts`],
    ["example", 0.4, true, fits, `unlikely, ${looked}, judge by n.ts`],
    ["example", 0.4, true, unfinished, `unlikely, ${looked}, judge by n.ts`],
    ["example", 0.4, false, mends, `unlikely, ${looked}`],
    ["example", 0.4, undefined, mends, "0.61, judge by n.ts"],
    ["example", 0.2, true, mends, "unlikely"],
    ["fix", 0.4, true, mends, "unlikely"],
    ["example", 0.5, false, fits, "0.50, judge by n.ts"],
  ])("%s at %d, errors there: %s", async (origin, likelihood, isWrong, verdict, expected) => {
    expect(await checked(origin, likelihood, verdict, isWrong)).toBe(expected);
  });
});

test("an unlikely proposal is not type checked in a file with syntax errors", async () => {
  expect(await checked("example", 0.4, mends, true, { rest: "say(" })).toBe("unlikely");
});

test.each<readonly [language: string, TypeVerdict, string]>([
  ["typescript", fits, "mends-nothing"],
  ["typescript", mends, "0.95"],
  ["typescript", { kind: "unknown" }, "0.90"],
  ["javascript", fits, "0.90"],
])(
  "an occurrence of a rename by name alone is filtered out unless it fixes an error: in %s, with the verdict %o",
  async (language, verdict, expected) => {
    expect(await checked("name", 0.9, verdict, undefined, { language, isByNameAlone: true })).toBe(
      `${expected}, judge`,
    );
  },
);

test.each<readonly [NextEditOrigin, string]>([
  ["example", "leaves-undeclared"],
  ["name", "passes"],
])("a proposal that removes a used declaration is filtered out: origin %s", async (origin, outcome) => {
  const declared = "const a = 1;\nuse(a);\n";
  const place = { start: 0, end: 13 };
  const checked = await checkProposal(
    {
      ...{ origin, policy: policies[origin], path: "m.ts", edit: Edit.delete(place), place, likelihood: 0.9 },
      reason: "like your last edit",
    },
    { text: declared, language: "typescript", threshold: 0.5, signal: new AbortController().signal },
    {
      ...{ access: () => ({ kind: "allowed" }), rejections: new Rejections(), undoGuard: new UndoGuard(), syntax },
      ...{ syntaxErrors: new SyntaxErrorCache(syntax), settings: defaultNextEditSettings },
      undeclaredNames: new UndeclaredNamesCheck(new NameTables({ parseScript: parseScriptTree })),
    },
  );
  expect(checked.kind === "held" ? checked.reason.kind : checked.kind).toBe(outcome);
});

test.each<readonly [what: string, before: string, edit: Edit, after: string | undefined]>([
  ["closed", "use(() => {\n  go();\n});\n", Edit.insert(4, "wrap("), "use(wrap(() => {\n  go();\n}));\n"],
  ["removed", "use(wrap(() => {\n}));\n", Edit.delete({ start: 4, end: 9 }), "use(() => {\n});\n"],
  [
    "inserted, also while the user has another bracket open",
    "wrap(one();\nuse(foo(\n  2,\n));\n",
    Edit.insert(16, "wrap("),
    "wrap(one();\nuse(wrap(foo(\n  2,\n)));\n",
  ],
  [
    "not where the other one closes it",
    "use(\n  foo(2),\n));\n",
    Edit.insert(4, "wrap("),
    "use(wrap(\n  foo(2),\n));\n",
  ],
  ["not where nothing closes it", "use(\n  a);\n", Edit.insert(4, "wrap("), undefined],
])("the partner of an inserted or removed bracket is %s", async (_, before, edit, after) => {
  const checked = await checkProposal(
    {
      ...{ origin: "example", policy: policies.example, path: "m.ts", edit, place: edit.edits[0]!, likelihood: 0.9 },
      reason: "like your last edit",
    },
    { text: before, language: "typescript", threshold: 0.5, signal: new AbortController().signal },
    {
      ...{ access: () => ({ kind: "allowed" }), rejections: new Rejections(), undoGuard: new UndoGuard(), syntax },
      ...{ syntaxErrors: new SyntaxErrorCache(syntax), settings: defaultNextEditSettings },
    },
  );
  expect(checked.kind === "passes" ? checked.proposal.edit?.apply(before) : undefined).toBe(after);
});
