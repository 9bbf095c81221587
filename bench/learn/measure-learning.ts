import { BuiltinModel, fromSnapshot, toSnapshot } from "../../src/model/index.ts";
import type { SourceAnswer } from "../../src/workspace/index.ts";
import { percentile } from "../percentile.ts";

/** A file to learn. */
export type Source = Extract<SourceAnswer, { readonly kind: "source" }>;

/** Learns all of `sources`, in their order. */
export function learnAll(sources: readonly Source[]): BuiltinModel {
  const model = emptyModel(sources.reduce((sum, { size }) => sum + size, 0));
  for (const { path, language, text } of sources) model.learn(path, language, text);
  return model;
}

/** A model with tables for about `bytes` of source, as the command line makes it. */
export function emptyModel(bytes: number): BuiltinModel {
  return new BuiltinModel({ expectedCharacters: Math.max(100_000, bytes) });
}

/**
 * Seconds of processor time and of the clock that `act` takes; all threads of the process count.
 */
export function timed<Value>(act: () => Value): {
  readonly value: Value;
  readonly cpuS: number;
  readonly wallS: number;
} {
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const value = act();
  const wallS = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { value, cpuS: (user + system) / 1e6, wallS };
}

/** Bytes that are in use after everything unreachable is gone. Needs `--expose-gc`. */
export function usedBytes(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("run with --expose-gc");
  // The second call takes what finalizers of the first have let go.
  gc();
  gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** How long it takes to forget a file and learn it again, in milliseconds. */
export interface Relearning {
  readonly files: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  /** The longest file, and the median of its times. */
  readonly longest: { readonly path: string; readonly bytes: number; readonly median: number };
}

/**
 * Forgets files and learns them again, one by one: `count` of them evenly spread, then the longest
 * a few times.
 */
export function measureRelearning(model: BuiltinModel, sources: readonly Source[], count: number): Relearning {
  const relearn = ({ path, language, text }: Source): number => {
    const startMs = performance.now();
    model.forget(path);
    model.learn(path, language, text);
    return performance.now() - startMs;
  };
  const step = Math.max(1, sources.length / count);
  const sample = Array.from({ length: Math.min(count, sources.length) }, (_, i) => sources[Math.floor(i * step)]!);
  const times = sample.map(relearn);
  const longest = sources.reduce((most, source) => (source.size > most.size ? source : most));
  const longestTimes = Array.from({ length: 7 }, () => relearn(longest));
  return {
    files: sample.length,
    median: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    max: Math.max(...times),
    longest: { path: longest.path, bytes: longest.size, median: percentile(longestTimes, 0.5) },
  };
}

/** What a snapshot takes, without a disk. */
export interface SnapshotFigures {
  readonly bytes: number;
  readonly toMs: number;
  readonly fromMs: number;
}

/** Takes a snapshot, copies its bytes as a disk would, and restores what is known from the copy. */
export function measureSnapshot(model: BuiltinModel): SnapshotFigures {
  const taken = timed(() => {
    const { header, tables, tokens, groups } = toSnapshot(model.knowledge);
    return {
      header,
      tables: tables.map((table) => table.slice()),
      tokens: tokens.slice(0, tokens.length),
      groups: groups.map((table) => table.slice(0, table.length)),
    };
  });
  const restored = timed(() => fromSnapshot(taken.value));
  const { header, tables, tokens, groups } = taken.value;
  const bytes = [...tables, tokens, ...groups].reduce((sum, table) => sum + table.length, Buffer.byteLength(header));
  return { bytes, toMs: taken.wallS * 1000, fromMs: restored.wallS * 1000 };
}
