import type { NextEditContext, NextEditProvider, Proposal } from "../../src/next/index.ts";

/** A proposal, and what it was judged by. */
export interface JudgedProposal {
  readonly proposal: Proposal;
  readonly features: Features;
}

/** Numbers by name, or several such by name. */
type Features = object;

/** A source that reports what it judges by. */
export interface JudgedSource extends NextEditProvider {
  proposeJudged(moment: NextEditContext, options?: { readonly signal?: AbortSignal }): Iterable<JudgedProposal>;
}

/** All numbers by name. */
export function flat(features: Features): Readonly<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const [name, value] of Object.entries(features)) {
    if (typeof value === "number") all[name] = value;
    else Object.assign(all, flat(value as Features));
  }
  return all;
}

/** The most proposals of one moment that are kept, and the least likelihood of those. */
const maxKept = 10;
const leastLikelihood = 0.02;

/** Proposes what another source does, and keeps what that was judged by. */
export class RecordingSource implements NextEditProvider {
  readonly origin: NextEditProvider["origin"];
  readonly policy: NextEditProvider["policy"];
  /** What was proposed last. */
  latest: readonly JudgedProposal[] = [];
  readonly #source: JudgedSource;

  constructor(source: JudgedSource) {
    this.#source = source;
    this.origin = source.origin;
    this.policy = source.policy;
  }

  propose(moment: NextEditContext, options?: { readonly signal?: AbortSignal }): Iterable<Proposal> {
    const kept: JudgedProposal[] = [];
    for (const one of this.#source.proposeJudged(moment, options)) {
      if (one.proposal.likelihood < leastLikelihood) continue;
      kept.push(one);
      if (kept.length === maxKept) break;
    }
    this.latest = kept.sort((one, other) => other.proposal.likelihood - one.proposal.likelihood);
    return this.latest.map(({ proposal }) => proposal);
  }
}
