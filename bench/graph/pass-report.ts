import type { DependencyGraph, Relation } from "../../src/analysis/index.ts";

/** What one pass over a whole workspace came to. */
export interface PassReport {
  readonly files: number;
  readonly lines: number;
  readonly blocks: number;
  /** How many edges there are of each relation. */
  readonly edges: Partial<Record<Relation, number>>;
  /**
   * Milliseconds of processor time from the list of files to the graph, all processes and threads
   * together.
   */
  readonly cpuMs: number;
  readonly wallMs: number;
  /**
   * The most memory that was resident, in megabytes of 2^20 bytes: the sum of each process's own
   * peak.
   */
  readonly peakMb: number;
  /**
   * The blocks that depend on each other, whatever the relation, one line a pair; left out unless
   * requested.
   */
  readonly pairs?: readonly string[];
}

/** What one edit came to, from the new text to the updated graph. */
export interface EditReport {
  readonly path: string;
  readonly block: string;
  readonly dependentFiles: number;
  /** The files whose names were resolved again, itself among them. */
  readonly resolvedFiles: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** What our own pass came to, and the edits after it. */
export interface OwnReport extends PassReport {
  readonly bodyEdits?: readonly EditReport[];
  readonly signatureEdits?: readonly EditReport[];
}

/** The edges of a graph by relation. */
export function countEdges(graph: DependencyGraph): Partial<Record<Relation, number>> {
  const counts: Partial<Record<Relation, number>> = {};
  for (const { relation } of graph.edges()) counts[relation] = (counts[relation] ?? 0) + 1;
  return counts;
}

/**
 * The edges of a graph as pairs of blocks; those between a block and what it is in are left out.
 */
export function blockPairs(graph: DependencyGraph): string[] {
  const pairs = new Set<string>();
  for (const { from, relation, to } of graph.edges()) {
    if (relation !== "child-of" && relation !== "constructs") pairs.add(`${from}\t${to}`);
  }
  return [...pairs];
}
