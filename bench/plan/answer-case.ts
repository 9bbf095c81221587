import type { CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { ExportIndex } from "../../src/analysis/repair/export-index.ts";
import { propagateRepairs } from "../../src/analysis/repair/propagate-repairs.ts";
import type { CaseWorkspace } from "../impact/case-workspace.ts";
import type { CommitTree } from "../impact/commit-tree.ts";
import { caseKey, type ImpactCase } from "../impact/impact-case.ts";
import { seedTexts } from "../impact/seed-edit.ts";
import { type BlockOutcome, changedKeys, outcomeOf, textsOfBlocks } from "./block-outcomes.ts";

/** A block that was edited otherwise than in the commit, for a person to judge. */
export interface DifferentBlock {
  readonly key: string;
  readonly rules: readonly string[];
  readonly before: string;
  readonly now: string;
  /** Absent where the commit has no such block. */
  readonly wanted?: string;
}

/** What became of a case without a model. */
export interface CaseAnswer {
  readonly id: string;
  readonly outcomes: Readonly<Record<BlockOutcome, number>>;
  readonly forced: readonly {
    readonly key: string;
    readonly outcome: BlockOutcome;
    readonly codes: readonly number[];
  }[];
  /** Accepted by the checker and not as in the commit, in forced blocks and others. */
  readonly different: readonly DifferentBlock[];
  /**
   * Blocks that both changed, that only the commit changed, that only the repairs changed; the seed
   * left out.
   */
  readonly matched: number;
  readonly missed: number;
  readonly spurious: readonly string[];
  readonly repairs: number;
  readonly refused: number;
  /** The files that the commit or the repairs changed. */
  readonly files: readonly FileTexts[];
}

/**
 * A file before, with the seed edit alone, mended, and as the commit has it; empty where there is
 * none.
 */
export interface FileTexts {
  readonly path: string;
  readonly before: string;
  readonly seeded: string;
  readonly now: string;
  readonly wanted: string;
}

/** Mends what follows from a case's seed edit, and compares with the commit. */
export async function answerCase(
  one: ImpactCase,
  sides: { readonly before: CommitTree; readonly after: CommitTree; readonly inScope: (path: string) => boolean },
  workspace: CaseWorkspace,
): Promise<CaseAnswer> {
  const { before, after, inScope } = sides;
  const blocksOf = (path: string, text: string): readonly CodeBlock[] => workspace.reader.tryBlocks(path, text) ?? [];
  const seed = seedTexts(one, before, after, blocksOf);
  const exports = new ExportIndex();
  for (const path of before.paths.filter(inScope))
    exports.update(path, workspace.blocksOf(path, workspace.textOf(path)!));
  const mended = await propagateRepairs({
    checker: workspace.checker,
    before: workspace.errors,
    changed: new Map([...seed].map(([path, text]) => [path, { before: workspace.textOf(path), after: text }])),
    textOf: (path) => workspace.textOf(path),
    blocksOf: (path, text) => workspace.blocksOf(path, text),
    treeOf: (path, text) => workspace.reader.tryScript(path, text),
    exports,
  });
  const changedInCommit = [...new Set([...before.paths, ...after.paths])].filter(
    (path) => inScope(path) && before.objectOf(path) !== after.objectOf(path),
  );
  const paths = [...new Set([...changedInCommit, ...mended.texts.keys()])].sort();
  const textNow = (path: string) => (mended.texts.has(path) ? mended.texts.get(path) : workspace.textOf(path));
  const blockTexts = (textOf: (path: string) => string | undefined) =>
    textsOfBlocks(
      paths.flatMap((path) => {
        const text = textOf(path);
        return text === undefined ? [] : [{ path, text, blocks: blocksOf(path, text) }];
      }),
    );
  const was = blockTexts((path) => before.text(path));
  const seeded = blockTexts((path) => seed.get(path) ?? before.text(path));
  const now = blockTexts(textNow);
  const wanted = blockTexts((path) => after.text(path));
  const keyOf = ({ path, kind, name }: CodeBlock) => caseKey({ file: path, kind, name });
  const withFinding = new Set(mended.remaining.map(({ block }) => keyOf(block)));
  const rules = new Map<string, Set<string>>();
  for (const { block, rule } of mended.repairs)
    rules.set(keyOf(block), (rules.get(keyOf(block)) ?? new Set()).add(rule));
  const forced = one.forced.map((block) => {
    const key = caseKey(block);
    const texts = { before: seeded.get(key), now: now.get(key), wanted: wanted.get(key) };
    return {
      key,
      outcome: outcomeOf({ ...texts, hasFinding: withFinding.has(key), rules: [...(rules.get(key) ?? [])] }),
      codes: block.codes,
    };
  });
  const edited = changedKeys(seeded, now);
  const different = [...edited].flatMap((key): DifferentBlock[] => {
    if (withFinding.has(key) || now.get(key) === wanted.get(key)) return [];
    const target = wanted.get(key);
    const own = { key, rules: [...(rules.get(key) ?? [])], before: seeded.get(key) ?? "", now: now.get(key) ?? "" };
    return [target === undefined ? own : { ...own, wanted: target }];
  });
  const truth = changedKeys(was, wanted);
  for (const key of changedKeys(was, seeded)) truth.delete(key);
  const count = (outcome: BlockOutcome) => forced.filter((block) => block.outcome === outcome).length;
  return {
    id: one.id,
    outcomes: {
      exact: count("exact"),
      silent: count("silent"),
      begun: count("begun"),
      wrong: count("wrong"),
      obligation: count("obligation"),
    },
    forced,
    different,
    matched: [...edited].filter((key) => truth.has(key)).length,
    missed: [...truth].filter((key) => !edited.has(key)).length,
    spurious: [...edited].filter((key) => !truth.has(key)),
    repairs: mended.repairs.length,
    refused: mended.refused,
    files: paths.map((path) => ({
      path,
      before: before.text(path) ?? "",
      seeded: seed.get(path) ?? before.text(path) ?? "",
      now: textNow(path) ?? "",
      wanted: after.text(path) ?? "",
    })),
  };
}
