import { afterAll, describe, expect, test } from "vitest";
import {
  BlockReader,
  blockId,
  classifyChanges,
  DependencyGraph,
  ExportIndex,
  type InverseRelation,
  type Relation,
} from "../../analysis/index.ts";
import { filesOfTree, TypeScriptSource } from "../../analysis/node/index.ts";
import { parseScriptTree } from "../../names/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { applyWorkspaceEdit, Edit, type FileTexts, invariant, workspaceEdit } from "../../text/index.ts";
import { makeRewrite } from "../block-rewrite.ts";
import { PlanGraph, type StepCause } from "../plan-graph.ts";
import type { StepRequest } from "../plan-parts.ts";
import { CheckedMechanicalEdits } from "./checked-mechanical-edits.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

const broken: StepCause = { kind: "broken", from: 1, codes: [] };
const related = (relation: Relation | InverseRelation): Extract<StepCause, { kind: "change" }> => ({
  kind: "change",
  from: 1,
  label: "MMS",
  relation,
  hops: 1,
});

interface EditCase {
  /** The files before the change; the first one is changed. */
  readonly files: Readonly<Record<string, string>>;
  /** The first file's text after the change. */
  readonly after: string;
  /** The path of the first file after the change, if it moved. */
  readonly movedTo?: string;
  /** The block of the step: `use.ts|function:f`. */
  readonly block: string;
  readonly causes: readonly StepCause[];
}

/** The result for a step: the new text and the rule, `unchanged`, or `-` when a model is needed. */
function answer(editCase: EditCase): Promise<string> {
  return withEdits(editCase, async (mechanical, question, now) => {
    const made = await mechanical.tryEdit(question, {});
    if (made?.kind !== "edit") return made?.kind ?? "-";
    const applied = applyWorkspaceEdit(now, made.edit);
    invariant(applied.kind === "applied", "The edit fits.");
    return `${applied.files.get(question.block.path)} [${made.rule}]`;
  });
}

/**
 * What is left in the step's block: the lines of its errors, and the changed rows of the proposal.
 */
function left(editCase: EditCase): Promise<readonly string[]> {
  return withEdits(editCase, async (mechanical, question) => {
    const { errors, proposal = "" } = (await mechanical.leftIn(question, {}))!;
    const rows = proposal.split("\n").filter((row) => /^[-+](?![-+])/.test(row));
    return [errors.map(({ line, code }) => `${line}: ${code}`).join(", "), ...rows];
  });
}

/** Runs `work` with the question about a step and the texts after the change. */
async function withEdits<Result>(
  { files, after, movedTo, block: id, causes }: EditCase,
  work: (mechanical: CheckedMechanicalEdits, question: StepRequest, now: FileTexts) => Promise<Result>,
): Promise<Result> {
  const before = new Map(Object.entries(files));
  const [changed] = before.keys();
  invariant(changed !== undefined, "There is a file.");
  const place = movedTo ?? changed;
  const now = new Map([...[...before].filter(([path]) => path !== changed), [place, after] as const]);
  const blocksOf = (path: string, text: string) => reader.tryBlocks(path, text) ?? [];
  const paths = [...before.keys()];
  const checker = await TypeScriptSource.open({
    root: "/made-up",
    paths,
    readText: async (path) => before.get(path),
    files: filesOfTree("/made-up", before),
  });
  try {
    const found = await checker.errorsOf(undefined);
    await checker.update(
      new Map([
        [changed, undefined],
        [place, after],
      ]),
    );
    const exports = new ExportIndex();
    for (const [path, text] of now) exports.update(path, blocksOf(path, text));
    const mechanical = new CheckedMechanicalEdits({
      checker,
      before: found,
      textBefore: (path) => before.get(path),
      blocksOf,
      treeOf: (path, text) => reader.tryScript(path, text),
      exports,
    });
    const path = id.slice(0, id.indexOf("|"));
    const text = now.get(path)!;
    const block = blocksOf(path, text).find((one) => blockId(one) === id);
    invariant(block !== undefined, `There is no ${id}.`);
    const fullText = Edit.replace({ start: 0, end: files[changed]!.length }, after);
    const edit = workspaceEdit([
      movedTo === undefined
        ? { kind: "edit", uri: changed, edit: fullText }
        : { kind: "rename", uri: changed, uriAfter: movedTo, edit: fullText },
    ]);
    const { rewrite } = makeRewrite(edit, before, { kind: "seed" })!;
    const seed = { id: 1, block: { path: changed, kind: "function", name: "seed" } as const, likelihood: 1, round: 1 };
    const step = { ...seed, id: 2, block, status: "pending" as const, causes };
    const changes = classifyChanges(
      [...new Set([changed, place])].map((path) => {
        const [old, current] = [before.get(path), now.get(path)].map(
          (text) => text && { text, blocks: blocksOf(path, text) },
        );
        return { path, ...(old && { before: old }), ...(current && { after: current }) };
      }),
    );
    const done = { ...seed, status: "done" as const, causes: [{ kind: "instruction" as const }], rewrite, changes };
    const plan = PlanGraph.empty.withStep(done);
    const textOf = async (one: string) => now.get(one);
    return await work(mechanical, { step, block, text, plan, graph: new DependencyGraph(), textOf }, now);
  } finally {
    await checker[Symbol.asyncDispose]();
  }
}

const sum = "export function sum(a: number) { return a; }\n";

test("a call of a renamed function is repaired in the block and in the file's imports", async () => {
  const files = { "sum.ts": sum, "use.ts": 'import { sum } from "./sum.ts";\nexport const f = () => sum(1);\n' };
  const after = sum.replace("sum", "total");
  expect(await answer({ files, after, block: "use.ts|function:f", causes: [broken] })).toBe(
    'import { total } from "./sum.ts";\nexport const f = () => total(1);\n [rename]',
  );
});

test("a new name is written together with its import; a missing argument is left to a model", async () => {
  const files = { "sum.ts": sum, "use.ts": 'import { sum } from "./sum.ts";\nexport const f = () => sum(1);\n' };
  const after = sum.replace("sum(a: number", "total(a: number, b: number");
  const editCase = { files, after, causes: [broken] };
  expect(await answer({ ...editCase, block: "use.ts|import:./sum.ts" })).toBe(
    'import { total } from "./sum.ts";\nexport const f = () => total(1);\n [rename]',
  );
  expect(await answer({ ...editCase, block: "use.ts|function:f" })).toBe("-");
});

test("a new name is written together with a new argument when its value is known", async () => {
  const files = {
    "sum.ts": sum,
    "use.ts": 'import { sum } from "./sum.ts";\nexport const f = (b: number) => sum(b);\n',
  };
  const after = sum.replace("sum(a: number", "total(a: number, b: number");
  expect(await answer({ files, after, block: "use.ts|function:f", causes: [broken] })).toBe(
    'import { total } from "./sum.ts";\nexport const f = (b: number) => total(b, b);\n [rename, call]',
  );
});

test("the import of a moved file gets its new path", async () => {
  const files = { "sum.ts": sum, "use.ts": 'import { sum } from "./sum.ts";\nexport const f = () => sum(1);\n' };
  const editCase = { files, after: sum, movedTo: "lib/sum.ts", block: "use.ts|import:./sum.ts", causes: [broken] };
  expect(await answer(editCase)).toBe(
    'import { sum } from "./lib/sum.ts";\nexport const f = () => sum(1);\n [moved module]',
  );
});

test("a call with an unknown argument is left to a model", async () => {
  const files = { "sum.ts": sum, "use.ts": 'import { sum } from "./sum.ts";\nexport const f = () => sum(1);\n' };
  const after = sum.replace("a: number", "a: number, b: number");
  expect(await answer({ files, after, block: "use.ts|function:f", causes: [broken] })).toBe("-");
});

test("a block that others broke and that has no diagnostic left stays unchanged", async () => {
  const files = { "sum.ts": sum, "use.ts": 'import { sum } from "./sum.ts";\nexport const f = () => sum(1);\n' };
  const after = `${sum}export const more = 1;\n`;
  const editCase = { files, after, block: "use.ts|function:f" };
  expect(await answer({ ...editCase, causes: [broken] })).toBe("unchanged");
  expect(await answer({ ...editCase, causes: [related("called-by")] })).toBe("-");
});

test("a block that a new name broke and that uses the new name already stays unchanged", async () => {
  const files = { "sum.ts": sum, "use.ts": 'import { total } from "./sum.ts";\nexport const f = () => total(1);\n' };
  const calls: StepCause = { ...related("called-by"), label: "RENAME" };
  const editCase = { files, block: "use.ts|function:f", causes: [broken, calls] };
  expect(await answer({ ...editCase, after: sum.replace("sum", "total") })).toBe("unchanged");
  expect(await answer({ ...editCase, after: sum.replace("sum(a: number)", "total(a: number, b = 2)") })).toBe("-");
  const imports: StepCause = { ...related("imported-by"), label: "RENAME" };
  const grown = {
    ...editCase,
    after: sum.replace("sum(a: number)", "total(a: number, b = 2)"),
    causes: [broken, imports],
  };
  expect(await answer({ ...grown, block: "use.ts|import:./sum.ts" })).toBe("unchanged");
});

test("an override gets the new signature of its base, with an import for the types in it", async () => {
  const files = {
    "base.ts": "export interface Log {}\nexport class Base {\n  run(a: number) {}\n}\n",
    "own.ts":
      'import { Base } from "./base.ts";\nexport class Own extends Base {\n  run(one: number) { void one; }\n}\n',
  };
  const after = files["base.ts"].replace("a: number", "a: number, log: Log");
  const editCase = { files, after, block: "own.ts|method:Own.run" };
  expect(await answer({ ...editCase, causes: [related("overridden-by")] })).toBe(
    'import { Base, Log } from "./base.ts";\nexport class Own extends Base {\n  run(one: number, log: Log) { void one; }\n}\n [base signature, missing import]',
  );
  expect(await answer({ ...editCase, causes: [related("called-by")] })).toBe("-");
});

describe("leftIn", () => {
  const room = "export interface Room { name: string; seats: number }\n";
  const use = 'import type { Room } from "./room.ts";\n';
  const grown = { after: room.replace(" }", "; floor: number }"), causes: [broken] };
  const f = "use.ts|function:f";

  test("proposes stubs for all errors of the block, and for none of another", async () => {
    const code = `${use}export const g: Room = { name: "g", seats: 1 };
export function f(name: string): Room[] {
  const own: Room = { name, seats: 2 };
  return [own, { name, seats: 3 }];
}
`;
    expect(await left({ ...grown, files: { "room.ts": room, "use.ts": code }, block: f })).toEqual([
      "4: 2741, 5: 2741",
      "-  const own: Room = { name, seats: 2 };",
      "-  return [own, { name, seats: 3 }];",
      "+  const own: Room = { name, seats: 2, floor: 0 };",
      "+  return [own, { name, seats: 3, floor: 0 }];",
    ]);
  });

  test("proposes what rules write where they leave another error", async () => {
    const code = `${use}export function f(floor: number, old: { name: string; seats: number }): Room[] {
  const own: Room = { name: "f", seats: 2 };
  return [own, old];
}
`;
    expect(await left({ ...grown, files: { "room.ts": room, "use.ts": code }, block: f })).toEqual([
      "3: 2741, 4: 2741",
      '-  const own: Room = { name: "f", seats: 2 };',
      '+  const own: Room = { name: "f", seats: 2, floor };',
    ]);
  });

  test("has no proposal where no stub is known, and no error where none is left", async () => {
    const files = { "sum.ts": sum, "use.ts": 'import { sum } from "./sum.ts";\nexport const f = () => sum(1);\n' };
    const editCase = { files, block: f, causes: [broken] };
    expect(await left({ ...editCase, after: sum.replace("a: number", "a: number, b: number") })).toEqual(["2: 2554"]);
    expect(await left({ ...editCase, after: `${sum}export const more = 1;\n` })).toEqual([""]);
  });
});
