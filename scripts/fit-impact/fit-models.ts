import { evidenceKindOf, impactFeatures } from "./impact-features.ts";
import type { ImpactRow } from "./impact-row.ts";
import { chanceOf, fitLogistic, type LogisticModel } from "./logistic-regression.ts";

type FittedKind = keyof typeof impactFeatures;

/** A model for each kind of evidence. */
export type ImpactModels = ReadonlyMap<FittedKind, LogisticModel>;

const kinds = Object.keys(impactFeatures) as FittedKind[];

/**
 * Fits a model for each kind of evidence. Blocks that changed for other reasons say nothing; linked
 * ones count as forced ones do.
 */
export function fitModels(rows: readonly ImpactRow[], options: { readonly ridge?: number } = {}): ImpactModels {
  return new Map(
    kinds.map((kind) => {
      const some = rows.filter((row) => evidenceKindOf(row) === kind && row.outcome !== "other");
      const answers = some.map(({ outcome }) => (outcome === "unchanged" ? 0 : 1));
      const prior = { intercept: 0, weights: impactFeatures[kind].map((feature) => feature.prior ?? 0) };
      const numbers = some.map((row) => featuresOf(kind, row));
      return [kind, fitLogistic(numbers, answers, { ...options, prior })] as const;
    }),
  );
}

/** What the models say of a row: a chance from 0 to 1. */
export function predict(models: ImpactModels, row: ImpactRow): number {
  const kind = evidenceKindOf(row);
  return kind === "none" ? 0 : chanceOf(models.get(kind)!, featuresOf(kind, row));
}

/**
 * What is predicted of each row by models that are fitted to the rows of all other repositories.
 */
export function crossValidated(rows: readonly ImpactRow[], options: { readonly ridge?: number } = {}): number[] {
  const models = new Map<string, ImpactModels>();
  for (const { repo } of rows) {
    if (!models.has(repo))
      models.set(
        repo,
        fitModels(
          rows.filter((row) => row.repo !== repo),
          options,
        ),
      );
  }
  return rows.map((row) => predict(models.get(row.repo)!, row));
}

/** Prints weights, with how often each feature holds, and how often a block then changed. */
export function printModels(models: ImpactModels, rows: readonly ImpactRow[]): string {
  const lines: string[] = [];
  for (const [kind, { intercept, weights }] of models) {
    const some = rows.filter((row) => evidenceKindOf(row) === kind && row.outcome !== "other");
    const share = (of: readonly ImpactRow[]) => {
      const changed = of.filter(({ outcome }) => outcome !== "unchanged").length;
      return `${String(changed).padStart(6)} of ${String(of.length).padStart(6)} changed`;
    };
    lines.push(`${kind.padEnd(44)} ${printed(intercept)} ${share(some)}`);
    for (const [at, { name, of }] of impactFeatures[kind].entries()) {
      lines.push(`  ${name.padEnd(42)} ${printed(weights[at]!)} ${share(some.filter((row) => of(row) > 0))}`);
    }
  }
  return lines.join("\n");
}

function featuresOf(kind: FittedKind, row: ImpactRow): number[] {
  return impactFeatures[kind].map(({ of }) => of(row));
}

function printed(weight: number): string {
  return weight.toFixed(2).padStart(7);
}
