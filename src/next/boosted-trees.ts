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

/** The chance of a yes, from 0 to 1, for something in numbers, in the order of the features; those that are left out at the end are 0. */
export function chanceOf(trees: BoostedTrees, values: readonly number[]): number {
  return 1 / (1 + Math.exp(-logOddsOf(trees, values)));
}

/** The same as log-odds. */
export function logOddsOf(trees: BoostedTrees, values: readonly number[]): number {
  const { roots, feature, number, ifSo } = flat(trees);
  let sum = trees.bias;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree]!;
    for (let asked = feature[node]!; asked >= 0; asked = feature[node]!)
      node = (values[asked] ?? 0) > number[node]! ? ifSo[node]! : node + 1;
    sum += number[node]!;
  }
  return sum;
}

/** The nodes of all trees in a row, which is quicker to go through: what is said if not comes right behind a question. */
interface FlatTrees {
  readonly roots: Int32Array;
  /** The index of what is asked about; -1 where something is said. */
  readonly feature: Int16Array;
  /** What a feature is above, or what is said. */
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
