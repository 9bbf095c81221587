import type { AtomicChange } from "../../src/analysis/changes/atomic-change.ts";
import { type BlockId, baseName, blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";

/**
 * A block as the lists of the artifact name it: a path behind the folder of a run, and a name
 * behind a namespace.
 */
export interface ListedBlock {
  readonly path: string;
  readonly kind: "METHOD" | "VARIABLE";
  readonly name: string;
}

/** Reads one list of blocks: path, kind and name, then the block's text, then a line of dashes. */
export function readBlockList(text: string): ListedBlock[] {
  return [...text.replaceAll("\r", "").matchAll(/^(\S.*)\nBlockTypes\.(METHOD|VARIABLE), (.+)$/gm)].map(
    ([, path, kind, name]) => ({
      path: path!.replaceAll("\\", "/"),
      kind: kind as ListedBlock["kind"],
      name: name!.trim(),
    }),
  );
}

/**
 * A block that the target changes or adds, by the id it has in the source, or in the target where
 * it is new.
 */
export interface TargetBlock {
  readonly id: BlockId;
  readonly block: CodeBlock;
  readonly isNew: boolean;
  /** Whether the block is equal in source and target except for white space. */
  readonly isSame: boolean;
  /**
   * Whether the block is equal including white space. The artifact lists some such blocks; no
   * change can make them like the target.
   */
  readonly isUntouched?: true;
}

/**
 * Resolves listed blocks among the changes from source to target. A block that is not found is
 * reported, not dropped. Of several overloads, the changed ones are matched, each once.
 */
export function placeTargets(
  listed: readonly ListedBlock[],
  changes: readonly AtomicChange[],
  source: readonly CodeBlock[],
): { readonly targets: readonly TargetBlock[]; readonly unplaced: readonly ListedBlock[] } {
  const candidates = new Map<BlockId, TargetBlock>();
  for (const { before, after } of changes) {
    const block = after ?? before!;
    if (!isCounted(block)) continue;
    const id = blockId(before ?? block);
    if (!candidates.has(id)) candidates.set(id, { id, block, isNew: before === undefined, isSame: false });
  }
  const targets: TargetBlock[] = [];
  const unplaced: ListedBlock[] = [];
  for (const one of listed) {
    const same = source.find((block) => isNamed(block, one) && !targets.some(({ id }) => id === blockId(block)));
    const found =
      [...candidates.values()].find(({ block }) => isNamed(block, one)) ??
      (same && { id: blockId(same), block: same, isNew: false, isSame: true });
    if (found === undefined) unplaced.push(one);
    else {
      targets.push(found);
      candidates.delete(found.id);
    }
  }
  return { targets, unplaced };
}

/** Whether a block is of a kind that the artifact counts: a method or a variable. */
export function isCounted({ kind }: Pick<CodeBlock, "kind">): boolean {
  return !/^(import|export|class|namespace|interface|statement)$/.test(kind);
}

function isNamed({ path, name }: CodeBlock, listed: ListedBlock): boolean {
  const plain = baseName(name);
  return (
    (listed.path === path || listed.path.endsWith(`/${path}`) || path.endsWith(`/${listed.path}`)) &&
    (listed.name === plain || listed.name.endsWith(`.${plain}`))
  );
}
