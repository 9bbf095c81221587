import { escapedPattern, type NameWord, placedNameWords } from "../../text/index.ts";
import type { AtomicChange } from "../changes/atomic-change.ts";
import { baseName } from "../graph/code-block.ts";
import { containsAnyName } from "../graph/contains-name.ts";
import type { ChangeFacts } from "../repair/facts/change-facts.ts";
import type { ImpactReach } from "./may-impact.ts";
import type { CheckedBlock } from "./speculative-check.ts";

/** The evidence for a block that may be affected. */
export interface ImpactEvidence {
  readonly reach?: ImpactReach;
  readonly checked?: Omit<CheckedBlock, "errors">;
  /** Whether a type checker covered it. */
  readonly wasChecked: boolean;
  readonly signs: readonly ImpactSign[];
  /**
   * For a block with the sign `calls-what-has-to-change`: the number of callers of the called
   * block.
   */
  readonly callers?: number;
}

/**
 * Evidence from the text and the position of a block.
 *
 * - `uses-removed-name`: it uses a name that was removed or renamed.
 * - `uses-derived-name`: it uses a name that contains the renamed words, such as `onMissHandler`
 *   where `Miss` became `Navigation`.
 * - `calls-what-has-to-change`: it calls a function that can't be repaired alone: one that passes a
 *   parameter on to where it no longer fits, or one whose signature or whole result has an error.
 * - `behind-broken-signature`: the path to it contains a block with a type error in its signature
 *   that no repair removes.
 */
export type ImpactSign =
  | "uses-removed-name"
  | "uses-derived-name"
  | "behind-broken-signature"
  | "calls-what-has-to-change";

/**
 * The probability that a block has to change, from 0 to 1; 0 where neither the graph nor the type
 * checker reaches it.
 *
 * A sum of log-odds, one for each kind of evidence: a logistic model small enough to be read.
 */
export function likelihoodOf(evidence: ImpactEvidence): number {
  const { checked, reach } = evidence;
  if (checked !== undefined) return logistic(logOddsOfChecked(checked, evidence));
  if (reach === undefined) return 0;
  return logistic(reachedOnly(reach, evidence));
}

function logOddsOfChecked(
  { certainty, wave, codes }: NonNullable<ImpactEvidence["checked"]>,
  { signs, reach }: ImpactEvidence,
): number {
  const names = signs.includes("uses-removed-name") || signs.includes("uses-derived-name") ? 1.5 : 0;
  switch (certainty) {
    case "follows":
      return 3.5;
    case "error":
      if (codes.every((code) => ofInference.has(code))) return -0.3 + names;
      return 2.6 - 0.4 * (wave - 1) + names;
    case "cascade":
      return (codes.every((code) => code === unusedSuppression) ? -2.5 : -0.3) + names;
    case "guess":
      // One guess is often right, a chain of guesses rarely; and parameters are rarely added to
      // functions with many callers.
      return -0.8 * (wave - 2) - 0.2 * ((reach?.crowd ?? 1) - 1) + names;
  }
}

/** Whether a top-level name of a file was removed or renamed. */
function losesName({ label, before }: AtomicChange): boolean {
  return label === "RENAME" || (label.startsWith("D") && before?.owner === undefined);
}

/**
 * TypeScript's errors about a parameter without an inferred type; their cause is often elsewhere.
 */
const ofInference: ReadonlySet<string> = new Set(["7006", "7031"]);

/** TypeScript's error about an unused `@ts-expect-error` comment. */
const unusedSuppression = "2578";

function reachedOnly(reach: ImpactReach, { wasChecked, signs, callers = 1 }: ImpactEvidence): number {
  // A function with few callers often changes together with them; one with many is repaired in a
  // way that spares them.
  if (signs.includes("calls-what-has-to-change")) return -0.05 * callers;
  const { hops, change, relation, crowd } = reach;
  const isNamed = relation !== "satisfied-by" && relation !== "satisfies";
  const usesOldName = signs.includes("uses-removed-name");
  // A block that uses a removed name is wrong now, however many others use it as well; the checker
  // reports the import only.
  if (losesName(change) && isNamed && usesOldName) return 2.5 - 0.5 * (hops - 1);
  if (signs.includes("uses-derived-name")) return 1 - 0.5 * (hops - 1);
  if (!wasChecked) return logOddsUnchecked(reach) + (usesOldName ? 1.6 : 0);
  return (
    -3.6 -
    0.9 * (hops - 1) -
    0.35 * Math.log2(Math.max(1, crowd)) +
    (usesOldName ? 1.6 : 0) +
    (signs.includes("behind-broken-signature") ? 3.4 : 0)
  );
}

/**
 * The log-odds where no type checker covers the block and the graph is the only evidence. Likely
 * are: callers and overrides of a changed signature, however many there are; callers of a changed
 * body, unless only arguments in it changed; callees that are passed something else. A class is
 * hardly affected by its member. A block two hops away is only likely once the block between has
 * changed.
 *
 * The weights are set by hand, to be above or below the threshold of work to do; they are no
 * measured probabilities.
 */
function logOddsUnchecked({ hops, change, relation }: ImpactReach): number {
  const { label, isInArguments } = change;
  const isForward =
    relation === "calls" || relation === "instantiates" || relation === "satisfies" || relation === "uses";
  const isFamily = relation === "base-of" || relation === "derives-from";
  const far = -1.8 * (hops - 1);
  if (label === "RENAME") return far - 2;
  if (isFamily && !/^[MAD]C$/.test(label)) return far - 1.5;
  if (label === "MMB") return far + (isInArguments === true && !isForward ? -1.6 : -0.3);
  return far + (isForward ? -1.5 : 1);
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Finds stale names, and names that contain renamed words, in the text of blocks. */
export class StaleNames {
  readonly #removed: ReadonlySet<string>;
  readonly #kin: readonly RegExp[];

  constructor(changes: readonly AtomicChange[], facts: ChangeFacts) {
    const removed = new Set([...facts.renamed.keys(), ...facts.removed]);
    for (const { label, before } of changes)
      if (/^(D|RENAME)/.test(label) && before?.simpleName) removed.add(baseName(before.simpleName));
    removed.delete("");
    this.#removed = removed;
    this.#kin = [...facts.renamed].flatMap(([from, to]) => kinOf(from, to) ?? []);
  }

  /** Whether a text contains a removed or renamed name as a whole word. */
  usesRemoved(text: string): boolean {
    return containsAnyName(text, this.#removed);
  }

  /**
   * Whether a text contains words of a renamed name in another name, such as `onMissHandler` where
   * `Miss` became `Navigation`; case is ignored.
   */
  usesKin(text: string): boolean {
    return this.#kin.some((kin) => kin.test(text));
  }
}

/**
 * A pattern for names that were probably renamed along with `from`: the words that changed, with
 * unchanged neighbours, at least two; a single word such as `Handler` is in too many names.
 * `undefined` where too little is left.
 */
function kinOf(from: string, to: string): RegExp | undefined {
  const old = placedNameWords(from);
  const now = placedNameWords(to);
  const same = (a: NameWord | undefined, b: NameWord | undefined) => a?.word.toLowerCase() === b?.word.toLowerCase();
  let start = 0;
  while (start < old.length && start < now.length && same(old[start], now[start])) start++;
  let end = old.length;
  while (end > start && now.length - (old.length - end) > start && same(old[end - 1], now.at(end - 1 - old.length)))
    end--;
  start = Math.max(0, start - 2);
  if (end - start < 2) end = Math.min(old.length, start + 2);
  const stem = from.slice(old[start]?.start, old[end - 1]?.end);
  return end - start < 2 || stem.length < 8 ? undefined : new RegExp(escapedPattern(stem), "i");
}
