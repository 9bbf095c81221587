import { mean } from "../../bench/percentile.ts";
import type { NextRow } from "./next-row.ts";

/** A row with a likelihood that is to be judged. */
export interface Prediction {
  readonly row: NextRow;
  readonly likelihood: number;
}

/** The likeliest row of each moment, the likeliest first. */
function firstOfMoments(predictions: readonly Prediction[]): readonly Prediction[] {
  const first = new Map<string, Prediction>();
  for (const one of predictions) {
    const key = `${one.row.repo} ${one.row.commit} ${one.row.step}`;
    const known = first.get(key);
    if (known === undefined || known.likelihood < one.likelihood) first.set(key, one);
  }
  return [...first.values()].sort((one, other) => other.likelihood - one.likelihood);
}

/** What is worth showing, for several thresholds, were the likeliest of each moment shown. */
export function printThresholds(predictions: readonly Prediction[]): string {
  const first = firstOfMoments(predictions);
  const lines = [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8].map((threshold) => {
    const shown = first.filter(({ likelihood }) => likelihood >= threshold);
    return `${threshold.toFixed(2).padStart(9)}${counted(shown)}`;
  });
  const title = `threshold   shown   exact (${first.length} moments with a proposal, the likeliest exact in ${exactIn(first)})`;
  return [title, ...lines].join("\n");
}

/** How many are exact, of all rows of each likelihood. */
export function printCalibration(predictions: readonly Prediction[]): string {
  const lines = Array.from({ length: 10 }, (_, bin) => {
    const own = predictions.filter(({ likelihood }) => Math.min(9, Math.floor(likelihood * 10)) === bin);
    return `${(bin / 10).toFixed(1)} to ${((bin + 1) / 10).toFixed(1)}   said ${mean(own.map(({ likelihood }) => likelihood)).toFixed(2)}${counted(own)}`;
  });
  const loss = predictions.reduce((sum, { row, likelihood }) => {
    return sum - Math.log(Math.min(1, Math.max(1e-6, row.isExact ? likelihood : 1 - likelihood)));
  }, 0);
  return [...lines, `log loss ${(loss / Math.max(1, predictions.length)).toFixed(4)} a row`].join("\n");
}

/** What each repository gets at a threshold. */
export function printRepositories(predictions: readonly Prediction[], threshold: number): string {
  const repos = [...new Set(predictions.map(({ row }) => row.repo))].sort();
  return repos
    .map((repo) => {
      const first = firstOfMoments(predictions.filter(({ row }) => row.repo === repo));
      const shown = first.filter(({ likelihood }) => likelihood >= threshold);
      return `${repo.padEnd(36)}${counted(shown)}   of ${exactIn(first)}`;
    })
    .join("\n");
}

function counted(predictions: readonly Prediction[]): string {
  const exact = exactIn(predictions);
  const share = predictions.length === 0 ? "" : `   ${((100 * exact) / predictions.length).toFixed(0)} %`;
  return `${String(predictions.length).padStart(8)}${String(exact).padStart(8)}${share}`;
}

function exactIn(predictions: readonly Prediction[]): number {
  return predictions.filter(({ row }) => row.isExact).length;
}
