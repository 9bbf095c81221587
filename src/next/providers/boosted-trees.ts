/**
 * Boosted decision trees as data: the log-odds of a positive answer are `bias` plus the value of
 * one leaf of each tree.
 *
 * Source: gradient boosting, Friedman 2001.
 */
export interface BoostedTrees {
  /** The names of the features. Nodes refer to them by index. */
  readonly features: readonly string[];
  readonly bias: number;
  readonly trees: readonly TreeNode[];
}

/**
 * A leaf with its log-odds, or a split: the index of a feature, a threshold, and the nodes for
 * values up to the threshold and above it.
 */
export type TreeNode = number | readonly [feature: number, above: number, ifNot: TreeNode, ifSo: TreeNode];

/**
 * Returns the probability of a positive answer, in [0, 1]. `values` are in the order of
 * `trees.features`; values missing at the end count as 0.
 */
export function chanceOf(trees: BoostedTrees, values: readonly number[]): number {
  return 1 / (1 + Math.exp(-logOddsOf(trees, values)));
}

/**
 * Returns the log-odds that {@link chanceOf} turns into a probability. `values` are in the order of
 * `trees.features`; values missing at the end count as 0.
 */
export function logOddsOf(trees: BoostedTrees, values: readonly number[]): number {
  const { roots, feature, number, ifSo } = flat(trees);
  let sum = trees.bias;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree]!;
    for (let index = feature[node]!; index >= 0; index = feature[node]!)
      node = (values[index] ?? 0) > number[node]! ? ifSo[node]! : node + 1;
    sum += number[node]!;
  }
  return sum;
}

/**
 * The nodes of all trees in arrays, which is faster to evaluate. The node for values up to a
 * threshold directly follows its split.
 */
interface FlatTrees {
  readonly roots: Int32Array;
  /** The index of the feature that a split reads; -1 for a leaf. */
  readonly feature: Int16Array;
  /** The threshold of a split, or the log-odds of a leaf. */
  readonly number: Float64Array;
  readonly ifSo: Int32Array;
}

const flatOf = new WeakMap<BoostedTrees, FlatTrees>();

function flat(of: BoostedTrees): FlatTrees {
  const known = flatOf.get(of);
  if (known !== undefined) return known;
  const [feature, number, ifSo]: number[][] = [[], [], []];
  const add = (node: TreeNode): number => {
    const at = feature!.length;
    ifSo!.push(0);
    if (typeof node === "number") {
      feature!.push(-1);
      number!.push(node);
      return at;
    }
    feature!.push(node[0]);
    number!.push(node[1]);
    add(node[2]);
    ifSo![at] = add(node[3]);
    return at;
  };
  const roots = Int32Array.from(of.trees, add);
  const made = {
    ...{ roots, feature: Int16Array.from(feature!) },
    ...{ number: Float64Array.from(number!), ifSo: Int32Array.from(ifSo!) },
  };
  flatOf.set(of, made);
  return made;
}
