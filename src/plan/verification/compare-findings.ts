import type { Finding, FindingPlace } from "./finding.ts";

/** The block that contains a place, such as a `BlockId`; `undefined` when no block does. */
export type BlockAt = (place: FindingPlace) => string | undefined;

/** The difference between the findings of two runs. */
interface FindingsDifference {
  /** Findings of the later run only. */
  readonly appeared: readonly Finding[];
  /** Findings of the earlier run only. */
  readonly gone: readonly Finding[];
  /** Findings of the later run that the earlier run had too. */
  readonly stayed: readonly Finding[];
}

/**
 * A key that identifies a finding across runs: its block (or its file outside all blocks), tool,
 * severity and code.
 *
 * It does not contain the line, which moves with edits above it, nor the message, in which tools
 * print types that change while the mistake stays. Findings without a code are distinguished by
 * block and tool only.
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
 * Compares two runs of a verification command as multisets of {@link findingKey}. `blockAt` of each
 * run finds the blocks of its own texts.
 *
 * Where a key has more findings after than before, those with a new message count as new first.
 * Laws: `gone` and `stayed` together are as many as `before`, and `appeared` and `stayed` are
 * `after`; comparing a run with itself finds no difference; swapping the runs swaps the keys of
 * `appeared` and `gone`.
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

/**
 * The findings by which `many` exceeds `few`: those whose message `few` does not contain first,
 * then the last ones.
 */
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
