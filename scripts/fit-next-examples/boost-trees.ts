import { type BoostedTrees, logOddsOf, type TreeNode } from "../../src/next/providers/boosted-trees.ts";
import { invariant } from "../../src/text/errors.ts";
import { seededRandom } from "../train/seeded-random.ts";

/** Things in numbers, each with a yes or a no. */
export interface Answers {
  /** The names of the numbers. */
  readonly names: readonly string[];
  /** For each thing its numbers, in the order of the names. */
  readonly rows: readonly (readonly number[])[];
  /** 1 for a yes, 0 for a no. */
  readonly labels: readonly number[];
  /** How much each counts. */
  readonly weights: readonly number[];
}

/** How trees are boosted. */
export interface BoostOptions {
  readonly rounds: number;
  /** The most questions from a tree's root to a leaf. */
  readonly depth: number;
  /** The share of a tree's answer that counts, from 0 to 1. */
  readonly rate: number;
  /** How much a leaf costs: what few rows say counts less. */
  readonly ridge: number;
  /** The least curvature of a leaf, about four times as many rows. */
  readonly leastLeaf: number;
  /** The share of rows, and of features, that each tree sees. */
  readonly rowShare: number;
  readonly featureShare: number;
  readonly seed: number;
}

export const defaultBoostOptions: BoostOptions = {
  ...{ rounds: 120, depth: 4, rate: 0.08, ridge: 60, leastLeaf: 30, rowShare: 0.6, featureShare: 0.5, seed: 1 },
};

/** The most values of a feature that are distinguished. */
const maxBins = 64;

/**
 * Fits boosted trees to answers, the same for the same answers in the same order. Trees that were
 * fitted to other answers before, asking about the same numbers, are kept, and the new ones come
 * behind them, fitted to what they leave open.
 *
 * Source: stochastic gradient boosting with second derivatives, Friedman 2002; Chen and Guestrin,
 * "XGBoost", 2016.
 */
export function boostTrees(answers: Answers, options: BoostOptions, before?: BoostedTrees): BoostedTrees {
  const { labels, weights, names } = answers;
  const count = labels.length;
  invariant(count > 0 && weights.length === count, `${count} answers have ${weights.length} weights`);
  const columns = names.map((_, feature) => binned(answers.rows, feature));
  const first = before ?? { features: names, bias: shareInLogOdds(answers), trees: [] };
  invariant(first.features.join() === names.join(), "the trees before ask about other numbers");
  const scores = Float64Array.from(answers.rows, (row) => logOddsOf(first, row));
  const gradient = new Float64Array(count);
  const curvature = new Float64Array(count);
  const random = seededRandom(options.seed);
  const trees: TreeNode[] = [];
  for (let round = 0; round < options.rounds; round++) {
    for (let i = 0; i < count; i++) {
      const chance = 1 / (1 + Math.exp(-scores[i]!));
      gradient[i] = weights[i]! * (labels[i]! - chance);
      curvature[i] = weights[i]! * chance * (1 - chance);
    }
    const rows: number[] = [];
    for (let i = 0; i < count; i++) if (random() < options.rowShare) rows.push(i);
    const features = columns.filter(() => random() < options.featureShare);
    const tree = new TreeGrower(features, gradient, curvature, options).grow(Int32Array.from(rows));
    trees.push(withIndexes(tree, columns));
    for (let i = 0; i < count; i++) scores[i]! += answerOf(tree, i);
  }
  return { ...first, trees: [...first.trees, ...trees] };
}

/** How many say yes, in log-odds. */
function shareInLogOdds({ labels, weights }: Answers): number {
  const yes = labels.reduce((sum, label, i) => sum + label * weights[i]!, 0);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return Math.log((yes + 1) / (all - yes + 1));
}

/** A feature of all rows, its values as indexes of what lies between them. */
interface Column {
  readonly bins: Uint8Array;
  /** A row's bin is how many of these its value is above. */
  readonly edges: readonly number[];
}

function binned(rows: readonly (readonly number[])[], feature: number): Column {
  const sorted = Float64Array.from(rows, (row) => row[feature]!).sort();
  const distinct = [...new Set(sorted)];
  const edges: number[] = [];
  const addEdge = (lower: number, upper: number) => {
    const edge = (lower + upper) / 2;
    if (lower < upper && edges.at(-1) !== edge) edges.push(edge);
  };
  if (distinct.length <= maxBins) for (let i = 1; i < distinct.length; i++) addEdge(distinct[i - 1]!, distinct[i]!);
  else {
    for (let bin = 1; bin < maxBins; bin++) {
      let at = Math.floor((bin * sorted.length) / maxBins);
      const upper = sorted[at]!;
      while (at > 0 && sorted[at - 1] === upper) at--;
      if (at > 0) addEdge(sorted[at - 1]!, upper);
    }
  }
  const bins = Uint8Array.from(rows, (row) => {
    let [from, to] = [0, edges.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (row[feature]! > edges[middle]!) from = middle + 1;
      else to = middle;
    }
    return from;
  });
  return { bins, edges };
}

/** A tree over bins. */
type GrownNode =
  | number
  | { readonly column: Column; readonly bin: number; readonly ifNot: GrownNode; readonly ifSo: GrownNode };

/** What rows come to by the bins of each column: the sums of gradients and of curvatures. */
interface Histogram {
  readonly slopes: Float64Array;
  readonly bends: Float64Array;
}

/** Room for the bins of a column in a histogram. */
const width = maxBins + 1;

class TreeGrower {
  readonly #columns: readonly Column[];
  readonly #gradient: Float64Array;
  readonly #curvature: Float64Array;
  readonly #options: BoostOptions;

  constructor(columns: readonly Column[], gradient: Float64Array, curvature: Float64Array, options: BoostOptions) {
    this.#columns = columns;
    this.#gradient = gradient;
    this.#curvature = curvature;
    this.#options = options;
  }

  grow(rows: Int32Array): GrownNode {
    return this.#grow(rows, this.#histogram(rows), this.#options.depth);
  }

  #grow(rows: Int32Array, histogram: Histogram, depth: number): GrownNode {
    const { ridge, rate } = this.#options;
    let [slope, bend] = [0, 0];
    for (const row of rows) {
      slope += this.#gradient[row]!;
      bend += this.#curvature[row]!;
    }
    const best = depth > 0 ? this.#bestQuestion(histogram, slope, bend) : undefined;
    if (best === undefined) return (rate * slope) / (bend + ridge);
    const { column, bin } = best;
    const ifNot = rows.filter((row) => column.bins[row]! <= bin);
    const ifSo = rows.filter((row) => column.bins[row]! > bin);
    // Leaves ask nothing. Of two others the fewer rows are counted, and what they come to is taken
    // off for the rest.
    if (depth === 1)
      return { column, bin, ifNot: this.#grow(ifNot, histogram, 0), ifSo: this.#grow(ifSo, histogram, 0) };
    const isNotFewer = ifNot.length < ifSo.length;
    const fewer = this.#histogram(isNotFewer ? ifNot : ifSo);
    takeOff(histogram, fewer);
    const [ofNot, ofSo] = isNotFewer ? [fewer, histogram] : [histogram, fewer];
    return { column, bin, ifNot: this.#grow(ifNot, ofNot, depth - 1), ifSo: this.#grow(ifSo, ofSo, depth - 1) };
  }

  #histogram(rows: Int32Array): Histogram {
    const slopes = new Float64Array(this.#columns.length * width);
    const bends = new Float64Array(this.#columns.length * width);
    const gradient = Float64Array.from(rows, (row) => this.#gradient[row]!);
    const curvature = Float64Array.from(rows, (row) => this.#curvature[row]!);
    this.#columns.forEach(({ bins }, column) => {
      const from = column * width;
      for (let i = 0; i < rows.length; i++) {
        const at = from + bins[rows[i]!]!;
        slopes[at]! += gradient[i]!;
        bends[at]! += curvature[i]!;
      }
    });
    return { slopes, bends };
  }

  #bestQuestion(
    { slopes, bends }: Histogram,
    slope: number,
    bend: number,
  ): { column: Column; bin: number } | undefined {
    const { ridge, leastLeaf } = this.#options;
    const none = slope ** 2 / (bend + ridge);
    let best: { column: Column; bin: number } | undefined;
    let most = 1e-3;
    for (let i = 0; i < this.#columns.length; i++) {
      const column = this.#columns[i]!;
      let [left, leftBend] = [0, 0];
      for (let bin = 0; bin < column.edges.length; bin++) {
        left += slopes[i * width + bin]!;
        leftBend += bends[i * width + bin]!;
        if (leftBend < leastLeaf || bend - leftBend < leastLeaf) continue;
        const gain = left ** 2 / (leftBend + ridge) + (slope - left) ** 2 / (bend - leftBend + ridge) - none;
        if (gain <= most) continue;
        most = gain;
        best = { column, bin };
      }
    }
    return best;
  }
}

/** Takes `part` off `whole`, in place. */
function takeOff(whole: Histogram, part: Histogram): void {
  for (let i = 0; i < whole.slopes.length; i++) {
    whole.slopes[i]! -= part.slopes[i]!;
    whole.bends[i]! -= part.bends[i]!;
  }
}

function answerOf(tree: GrownNode, row: number): number {
  let node = tree;
  while (typeof node !== "number") node = node.column.bins[row]! > node.bin ? node.ifSo : node.ifNot;
  return node;
}

function withIndexes(node: GrownNode, columns: readonly Column[]): TreeNode {
  if (typeof node === "number") return node;
  const { column, bin, ifNot, ifSo } = node;
  return [columns.indexOf(column), column.edges[bin]!, withIndexes(ifNot, columns), withIndexes(ifSo, columns)];
}
