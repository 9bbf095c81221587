import { type BlockId, blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { withLineFeeds } from "../../src/text/index.ts";
import { allChanges, type BlocksOf, type TaskTexts } from "./target-blocks.ts";
import { isCounted, type TargetBlock } from "./task-blocks.ts";
import { type DiffOf, honestDiffBleu, publishedDiffBleu, type ScoredFile, totalLevenshtein } from "./text-scores.ts";

/** A task, and what somebody made of it. */
export interface Prediction {
  readonly texts: TaskTexts;
  readonly predicted: ReadonlyMap<string, string>;
  readonly targets: readonly TargetBlock[];
  /** Listed blocks that cannot be found: they are missed. */
  readonly unplaced: number;
}

/** How near it comes to the target. */
export interface PredictionScores {
  /**
   * Listed blocks that the target changed and the prediction changed, too. What they say is not
   * compared.
   */
  readonly matched: readonly BlockId[];
  readonly missed: readonly BlockId[];
  /** Blocks that the prediction changed and the target did not. */
  readonly spurious: readonly BlockId[];
  /** As the paper has it: over files that both changed, and that were there before. From 0 to 1. */
  readonly publishedDiffBleu: number | undefined;
  /** Over all files that either changed. From 0 to 1. */
  readonly honestDiffBleu: number | undefined;
  /** In UTF-16 units, over all files that were there before and are there in both. */
  readonly levenshtein: number;
  /** Each file that the target or the prediction changed, by its path. */
  readonly files: readonly FileScore[];
}

/** How near a prediction comes to the target in one file. */
export interface FileScore {
  readonly path: string;
  /**
   * 0 where only one of them changed it; absent where neither did, in the manner in which
   * differences are taken.
   */
  readonly diffBleu: number | undefined;
  readonly levenshtein: number;
}

/**
 * Scores a prediction as the paper does: by blocks, then by text with `\n` for each line ending.
 */
export function scorePrediction(
  { texts, predicted, targets, unplaced }: Prediction,
  { blocksOf, diffOf }: { readonly blocksOf: BlocksOf; readonly diffOf: DiffOf },
): PredictionScores {
  const made = changedIds({ source: texts.source, target: predicted }, blocksOf);
  const wanted = changedIds(texts, blocksOf);
  const isMatched = ({ id, block, isSame }: TargetBlock) =>
    made.has(id) || made.has(blockId(block)) || (isSame && isRewritten(block, [texts.source, predicted], blocksOf));
  const touched = targets.filter(({ isUntouched }) => isUntouched !== true);
  const matched = touched.filter(isMatched).map(({ id }) => id);
  const missed = touched.filter((target) => !isMatched(target)).map(({ id }) => id);
  const known = new Set(targets.flatMap(({ id, block }) => [id, blockId(block)]));
  const spurious = new Set([...made.values()].filter((id) => !known.has(id) && !wanted.has(id)));
  const all = scoredFiles(texts, predicted);
  const changed = all.filter(({ source, ...now }) => source !== now.target || source !== now.predicted);
  const old = all.filter(({ path }) => texts.source.has(path));
  const published = old.filter(({ path }) => texts.target.has(path) && predicted.has(path));
  return {
    ...{ matched, missed: [...missed, ...Array<BlockId>(unplaced).fill("not found in source or target")] },
    spurious: [...spurious],
    publishedDiffBleu: publishedDiffBleu(published, diffOf),
    honestDiffBleu: honestDiffBleu(all, diffOf),
    levenshtein: totalLevenshtein(published),
    files: changed.map((file) => ({
      path: file.path,
      diffBleu: honestDiffBleu([file], diffOf),
      levenshtein: totalLevenshtein([file]),
    })),
  };
}

/**
 * The ids of changed blocks that count: those of before, and those of after, each with the one that
 * represents both.
 */
function changedIds(texts: TaskTexts, blocksOf: BlocksOf): ReadonlyMap<BlockId, BlockId> {
  const ids = new Map<BlockId, BlockId>();
  for (const { before, after } of allChanges({ texts, blocksOf })) {
    const block = after ?? before!;
    if (!isCounted(block)) continue;
    const id = blockId(before ?? block);
    ids.set(id, id);
    ids.set(blockId(block), id);
  }
  return ids;
}

/** Whether the text of a block is another one after than before, be it by its blanks. */
export function isRewritten(
  { path, kind, name }: CodeBlock,
  [before, after]: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>],
  blocksOf: BlocksOf,
): boolean {
  const textIn = (texts: ReadonlyMap<string, string>) => {
    const text = texts.get(path) ?? "";
    const own = blocksOf(path, text).find((one) => one.kind === kind && one.name === name)?.ownRange;
    return own && withLineFeeds(text.slice(own.start, own.end));
  };
  return textIn(before) !== textIn(after);
}

function scoredFiles(
  { source, target }: TaskTexts,
  predicted: ReadonlyMap<string, string>,
): readonly (ScoredFile & { readonly path: string })[] {
  const paths = new Set([...source.keys(), ...target.keys(), ...predicted.keys()]);
  const textOf = (texts: ReadonlyMap<string, string>, path: string) => withLineFeeds(texts.get(path) ?? "");
  return [...paths].map((path) => ({
    ...{ path, source: textOf(source, path), target: textOf(target, path) },
    predicted: textOf(predicted, path),
  }));
}
