import type { Finding, FindingPlace } from "./finding.ts";

/** Tells in which block a place lies, such as by a `BlockId`; `undefined` where it lies in none. */
export type BlockAt = (place: FindingPlace) => string | undefined;

/** What became of the findings between two runs of an oracle. */
export interface FindingsDifference {
  /** Of the later run, what the earlier one did not have. */
  readonly appeared: readonly Finding[];
  /** Of the earlier run, what the later one has no more. */
  readonly gone: readonly Finding[];
  /** Of the later run, what the earlier one had too. */
  readonly stayed: readonly Finding[];
}

/**
 * What makes a finding the same in another run: its block (its file where it lies in none), its tool, severity and code.
 *
 * Not its line, which moves with every edit above it, and not its message, in which tools print types that change while the
 * mistake stays. What has no code is told apart by block and tool alone.
 */
export function findingKey(found: Finding, blockAt: BlockAt): string {
  const { path, line, column, source, severity, code = "" } = found;
  const block =
    path === undefined
      ? ""
      : (blockAt({ path, ...(line !== undefined && { line }), ...(column !== undefined && { column }) }) ?? path);
  return JSON.stringify([block, source, severity, code]);
}

/**
 * Compares two runs of an oracle as multisets of {@link findingKey}. Each run is asked with the blocks of its own texts.
 *
 * Where a key has more findings after than before, those whose message is new count as new first.
 * Laws: `gone` and `stayed` together are as many as `before`, `appeared` and `stayed` are `after`; of a run and itself
 * nothing appears and nothing is gone; exchanging the runs exchanges `appeared` and `gone` in their keys.
 */
export function compareFindings(
  before: { readonly findings: readonly Finding[]; readonly blockAt: BlockAt },
  after: { readonly findings: readonly Finding[]; readonly blockAt: BlockAt },
): FindingsDifference {
  const earlier = groupByKey(before.findings, before.blockAt);
  const later = groupByKey(after.findings, after.blockAt);
  const appeared = new Set<Finding>();
  const gone = new Set<Finding>();
  for (const key of new Set([...earlier.keys(), ...later.keys()])) {
    const old = earlier.get(key) ?? [];
    const young = later.get(key) ?? [];
    for (const found of excess(young, old)) appeared.add(found);
    for (const found of excess(old, young)) gone.add(found);
  }
  return {
    appeared: after.findings.filter((found) => appeared.has(found)),
    gone: before.findings.filter((found) => gone.has(found)),
    stayed: after.findings.filter((found) => !appeared.has(found)),
  };
}

/** The findings of `many` that are too many for `few`: those with a message that `few` lacks first, then the last ones. */
function excess(many: readonly Finding[], few: readonly Finding[]): readonly Finding[] {
  const count = many.length - few.length;
  if (count <= 0) return [];
  const known = new Map<string, number>();
  for (const { message } of few) known.set(message, (known.get(message) ?? 0) + 1);
  const unknown: Finding[] = [];
  const matched: Finding[] = [];
  for (const found of many) {
    const left = known.get(found.message) ?? 0;
    known.set(found.message, left - 1);
    (left > 0 ? matched : unknown).push(found);
  }
  return [...unknown, ...matched.reverse()].slice(0, count);
}

function groupByKey(findings: readonly Finding[], blockAt: BlockAt): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const found of new Set(findings)) {
    const key = findingKey(found, blockAt);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [found]);
    else group.push(found);
  }
  return groups;
}
