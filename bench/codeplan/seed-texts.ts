import { blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { withLineEndingsOf } from "../../src/edit/regions/region-place.ts";
import { withLineFeeds } from "../../src/text/index.ts";
import type { OpenTask } from "./open-task.ts";
import type { BlocksOf } from "./target-blocks.ts";

/**
 * The files of the source that the seeds change, with the seeds as the target has them and nothing
 * else: with each seed come the members and the imports by which it can be what it is there. New
 * files come whole. Seeds that the target leaves alone change nothing.
 */
export function seedTexts(
  { texts, target, seeds }: Pick<OpenTask, "texts" | "target" | "seeds">,
  blocksOf: BlocksOf,
): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  const added = new Set<string>();
  const blocks = new Map(
    [...texts.source].flatMap(([path, text]) => blocksOf(path, text).map((one) => [blockId(one), one])),
  );
  for (const id of seeds) {
    const addition = target.additionOf(id);
    const [block, goal] = [blocks.get(id), target.goalOf(id)];
    if (addition !== undefined && !texts.source.has(addition.path)) {
      changed.set(addition.path, texts.target.get(addition.path)!);
    } else if (block !== undefined && goal !== undefined) {
      let text = target.withGoal(changed.get(block.path) ?? texts.source.get(block.path)!, block, goal);
      const brought = target.broughtBy(goal, (one) => added.has(one));
      for (const one of brought) {
        text = target.withAddition(block.path, text, one);
        added.add(blockId(one));
      }
      const blockTexts = [goal, ...brought].map((one) => target.ownText(one)).join("\n");
      changed.set(block.path, withImports(text, { path: block.path, goal, blockTexts, target, blocksOf }));
    }
  }
  return changed;
}

/**
 * A file with those imports of the target that bring a name which now occurs and which the file
 * does not import.
 */
function withImports(
  before: string,
  {
    path,
    goal,
    blockTexts,
    target,
    blocksOf,
  }: Pick<OpenTask, "target"> & {
    readonly path: string;
    readonly goal: CodeBlock;
    readonly blockTexts: string;
    readonly blocksOf: BlocksOf;
  },
): string {
  let text = before;
  const imports = () => blocksOf(path, text).filter(({ kind }) => kind === "import");
  const known = new Set(imports().flatMap(({ ownRange }) => wordsOf(text.slice(ownRange.start, ownRange.end))));
  const words = new Set(wordsOf(blockTexts));
  const isWanted = (one: CodeBlock) => wordsOf(target.ownText(one)).some((word) => words.has(word) && !known.has(word));
  for (const one of imports()) {
    const wanted = target.goalOf(blockId(one));
    if (wanted !== undefined && isWanted(wanted)) text = target.withGoal(text, one, wanted);
  }
  for (const one of target.additionsTo(goal.path)) {
    if (one.kind !== "import" || !isWanted(one)) continue;
    const line = withLineEndingsOf(`${withLineFeeds(target.ownText(one))}\n`, text);
    const at = imports()[0]?.range.start ?? 0;
    text = text.slice(0, at) + line + text.slice(at);
  }
  return text;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
}
