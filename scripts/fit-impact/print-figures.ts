import { mean } from "../../bench/percentile.ts";
import type { ImpactRow } from "./impact-row.ts";

/** A row with a likelihood that is to be judged. */
export interface Prediction {
  readonly row: ImpactRow;
  readonly likelihood: number;
}

/** What a work list of all blocks above a threshold is worth, for several thresholds. */
export function printThresholds(predictions: readonly Prediction[]): string {
  const head = "threshold   recall   precision   cases with all   median length   closure recall";
  const rows = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6].map((threshold) => {
    const { recall, precision, complete, medianLength, closure } = figuresAt(predictions, threshold);
    const cells = [threshold.toFixed(2).padStart(9), share(recall, 9), share(precision, 12), share(complete, 17)];
    return [...cells, medianLength.toFixed(1).padStart(16), share(closure, 17)].join("");
  });
  return [head, ...rows].join("\n");
}

/** How many of the blocks of each likelihood changed. */
export function printCalibration(predictions: readonly Prediction[]): string {
  const counted = predictions.filter(({ row, likelihood }) => row.outcome !== "other" && likelihood > 0);
  const edges = [0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0001];
  const lines = edges.slice(1).flatMap((edge, at) => {
    const bin = counted.filter(({ likelihood }) => edges[at]! <= likelihood && likelihood < edge);
    if (bin.length === 0) return [];
    const changed = bin.filter(({ row }) => row.outcome !== "unchanged").length;
    const range = `${edges[at]!.toFixed(2)} to ${Math.min(1, edge).toFixed(2)}`;
    return [
      `${range.padEnd(14)} said ${mean(bin.map(({ likelihood }) => likelihood)).toFixed(3)}   changed ${(changed / bin.length).toFixed(3)}   ${bin.length} blocks`,
    ];
  });
  const loss = counted.reduce((sum, { row, likelihood }) => {
    const chance = Math.min(1 - 1e-6, Math.max(1e-6, row.outcome === "unchanged" ? 1 - likelihood : likelihood));
    return sum - Math.log(chance);
  }, 0);
  return [...lines, `log loss ${(loss / counted.length).toFixed(5)} a block`].join("\n");
}

/** The figures of each repository at the threshold of work lists. */
export function printRepositories(predictions: readonly Prediction[], threshold = 0.35): string {
  const repos = [...new Set(predictions.map(({ row }) => row.repo))].sort();
  return repos
    .map((repo) => {
      const some = predictions.filter(({ row }) => row.repo === repo);
      const { cases, forced, hits, precision, medianLength } = figuresAt(some, threshold);
      const counts = `${String(cases).padStart(3)} cases, forced ${hits}/${forced}`;
      return `${repo.padEnd(36)} ${counts.padEnd(30)} precision ${precision.toFixed(3)}, median list ${medianLength}`;
    })
    .join("\n");
}

function figuresAt(predictions: readonly Prediction[], threshold: number) {
  const byCase = new Map<string, Prediction[]>();
  for (const one of predictions) byCase.set(one.row.case, (byCase.get(one.row.case) ?? []).concat(one));
  const count = (of: readonly Prediction[], ...outcomes: readonly string[]) =>
    of.filter(({ row }) => outcomes.includes(row.outcome)).length;
  const lists = [...byCase.values()].map((some) => some.filter(({ likelihood }) => likelihood >= threshold));
  const work = lists.flat();
  const [forced, hits] = [count(predictions, "forced"), count(work, "forced")];
  const lengths = lists.map(({ length }) => length).sort((a, b) => a - b);
  return {
    cases: byCase.size,
    forced,
    hits,
    recall: hits / forced,
    precision: count(work, "forced", "linked") / Math.max(1, count(work, "forced", "linked", "unchanged")),
    complete:
      [...byCase.values()].filter((some) =>
        some.every(({ row, likelihood }) => row.outcome !== "forced" || likelihood >= threshold),
      ).length / byCase.size,
    medianLength: (lengths[(lengths.length - 1) >> 1]! + lengths[lengths.length >> 1]!) / 2,
    closure:
      predictions.filter(
        ({ row }) => row.outcome === "forced" && (row.checked !== undefined || row.reach !== undefined),
      ).length / forced,
  };
}

function share(value: number, width: number): string {
  return value.toFixed(3).padStart(width);
}
