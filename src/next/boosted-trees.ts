/**
 * Boosted trees as data: the log-odds of a yes are `bias` and what one leaf of each tree says, added up.
 *
 * Source: gradient boosting, Friedman 2001.
 */
export interface BoostedTrees {
  /** What the numbers are called that the trees ask about. */
  readonly features: readonly string[];
  readonly bias: number;
  readonly trees: readonly TreeNode[];
}

/** What is said, or a question: whether a feature, by its index, is above a number, what is said if not, and what if so. */
export type TreeNode = number | readonly [feature: number, above: number, ifNot: TreeNode, ifSo: TreeNode];

/** The chance of a yes, from 0 to 1, for something in numbers, in the order of the features. */
export function chanceOf({ bias, trees }: BoostedTrees, values: readonly number[]): number {
  let sum = bias;
  for (const tree of trees) {
    let node = tree;
    while (typeof node !== "number") node = values[node[0]]! > node[1] ? node[3] : node[2];
    sum += node;
  }
  return 1 / (1 + Math.exp(-sum));
}
