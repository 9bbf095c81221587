import type { NextEditOrigin } from "../../src/next/index.ts";
import { percentile } from "../percentile.ts";
import { type HunkKind, hunkKinds } from "./classify-hunks.ts";
import type { Replay } from "./replay-commit.ts";

/** Suggestions and what they were worth. */
export interface ShownTally {
  shown: number;
  exact: number;
  part: number;
  place: number;
  wrong: number;
}

/** What replays came to. */
export interface NextTally {
  readonly commits: number;
  readonly hunks: number;
  readonly steps: number;
  /** Edits that were shown. */
  readonly edits: ShownTally;
  /** Places that were shown without an edit; none is exact. */
  readonly places: ShownTally;
  readonly byOrigin: Readonly<Record<string, { readonly edits: ShownTally; readonly places: ShownTally }>>;
  readonly byKind: Readonly<Record<HunkKind, { readonly hunks: number; readonly predicted: number }>>;
  /** Of the hunks that follow from earlier ones, whatever their kind. */
  readonly classified: { readonly hunks: number; readonly predicted: number };
  /** Hunks that nothing determines, and that were made exactly all the same. */
  readonly unclassified: { readonly hunks: number; readonly predicted: number };
  readonly latencyMs: { readonly p50: number; readonly p95: number };
}

export function tallyOf(replays: readonly Replay[]): NextTally {
  const steps = replays.flatMap((replay) => replay.steps);
  const hunks = replays.flatMap((replay) => replay.hunks);
  const byOrigin: Record<string, { edits: ShownTally; places: ShownTally }> = {};
  const all = { edits: none(), places: none() };
  for (const { shown } of steps) {
    if (shown === undefined) continue;
    byOrigin[shown.origin] ??= { edits: none(), places: none() };
    for (const tally of [all, byOrigin[shown.origin]!]) {
      const counts = shown.isEdit ? tally.edits : tally.places;
      counts.shown++;
      counts[shown.verdict]++;
    }
  }
  const count = (isOne: (kind: HunkKind | undefined) => boolean) => {
    const own = hunks.filter(({ kind }) => isOne(kind));
    return { hunks: own.length, predicted: own.filter(({ isPredicted }) => isPredicted).length };
  };
  const times = steps.map(({ cpuMs }) => cpuMs);
  return {
    ...{ commits: replays.length, hunks: hunks.length, steps: steps.length, ...all, byOrigin },
    byKind: Object.fromEntries(hunkKinds.map((kind) => [kind, count((one) => one === kind)])) as NextTally["byKind"],
    classified: count((kind) => kind !== undefined),
    unclassified: count((kind) => kind === undefined),
    latencyMs: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
  };
}

/**
 * For each origin and tenth of likelihood: how many edits were shown, and how many of them were
 * exact.
 */
export function calibrationOf(
  replays: readonly Replay[],
): { readonly origin: NextEditOrigin; readonly from: number; readonly shown: number; readonly exact: number }[] {
  const buckets = new Map<string, { origin: NextEditOrigin; from: number; shown: number; exact: number }>();
  for (const { shown } of replays.flatMap((replay) => replay.steps)) {
    if (shown === undefined || !shown.isEdit) continue;
    const from = Math.min(19, Math.floor(shown.likelihood * 20)) / 20;
    const key = `${shown.origin} ${from}`;
    const bucket = buckets.get(key) ?? { origin: shown.origin, from, shown: 0, exact: 0 };
    bucket.shown++;
    if (shown.verdict === "exact") bucket.exact++;
    buckets.set(key, bucket);
  }
  return [...buckets.values()].sort((a, b) => (a.origin < b.origin ? -1 : a.origin > b.origin ? 1 : a.from - b.from));
}

function none(): ShownTally {
  return { shown: 0, exact: 0, part: 0, place: 0, wrong: 0 };
}
