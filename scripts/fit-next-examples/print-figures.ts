import type { NextRow } from "./next-row.ts";

/** A row with a likelihood that is to be judged. */
export interface SaidOfRow {
  readonly row: NextRow;
  readonly likelihood: number;
}

/** The likeliest row of each moment, the likeliest first. */
function firstOfMoments(said: readonly SaidOfRow[]): readonly SaidOfRow[] {
  const first = new Map<string, SaidOfRow>();
  for (const one of said) {
    const key = `${one.row.repo} ${one.row.commit} ${one.row.step}`;
    const known = first.get(key);
    if (known === undefined || known.likelihood < one.likelihood) first.set(key, one);
  }
  return [...first.values()].sort((one, other) => other.likelihood - one.likelihood);
}

/** What is worth showing, for several thresholds, were the likeliest of each moment shown. */
export function printThresholds(said: readonly SaidOfRow[]): string {
  const first = firstOfMoments(said);
  const lines = [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8].map((threshold) => {
    const shown = first.filter(({ likelihood }) => likelihood >= threshold);
    return `${threshold.toFixed(2).padStart(9)}${counted(shown)}`;
  });
  const title = `threshold   shown   exact (${first.length} moments with a proposal, the likeliest exact in ${exactIn(first)})`;
  return [title, ...lines].join("\n");
}

/** How many are exact, of all rows of each likelihood. */
export function printCalibration(said: readonly SaidOfRow[]): string {
  const lines = Array.from({ length: 10 }, (_, bin) => {
    const own = said.filter(({ likelihood }) => Math.min(9, Math.floor(likelihood * 10)) === bin);
    const mean = own.reduce((sum, { likelihood }) => sum + likelihood, 0) / Math.max(1, own.length);
    return `${(bin / 10).toFixed(1)} to ${((bin + 1) / 10).toFixed(1)}   said ${mean.toFixed(2)}${counted(own)}`;
  });
  const loss = said.reduce((sum, { row, likelihood }) => {
    return sum - Math.log(Math.min(1, Math.max(1e-6, row.isExact ? likelihood : 1 - likelihood)));
  }, 0);
  return [...lines, `log loss ${(loss / Math.max(1, said.length)).toFixed(4)} a row`].join("\n");
}

/** What each repository gets at a threshold. */
export function printRepositories(said: readonly SaidOfRow[], threshold: number): string {
  const repos = [...new Set(said.map(({ row }) => row.repo))].sort();
  return repos
    .map((repo) => {
      const first = firstOfMoments(said.filter(({ row }) => row.repo === repo));
      const shown = first.filter(({ likelihood }) => likelihood >= threshold);
      return `${repo.padEnd(36)}${counted(shown)}   of ${exactIn(first)}`;
    })
    .join("\n");
}

function counted(said: readonly SaidOfRow[]): string {
  const exact = exactIn(said);
  const share = said.length === 0 ? "" : `   ${((100 * exact) / said.length).toFixed(0)} %`;
  return `${String(said.length).padStart(8)}${String(exact).padStart(8)}${share}`;
}

function exactIn(said: readonly SaidOfRow[]): number {
  return said.filter(({ row }) => row.isExact).length;
}
