import { withoutNumber } from "../graph/code-block.ts";
import { containsAnyName } from "../graph/contains-name.ts";
import type { ChangeFacts } from "../repair/facts/change-facts.ts";
import type { AtomicChange } from "./atomic-change.ts";
import type { ImpactReach } from "./may-impact.ts";
import type { CheckedBlock } from "./speculative-check.ts";

/** What is known of a block that may be affected. */
export interface ImpactEvidence {
  readonly reach?: ImpactReach;
  readonly witness?: CheckedBlock;
  /** Whether a type checker looked at it at all. */
  readonly wasChecked: boolean;
  readonly signs: readonly ImpactSign[];
  /** Of a block that `calls-what-has-to-change`: how many blocks call that. */
  readonly callers?: number;
}

/**
 * What its text and its place say of a block.
 *
 * - `says-old-name`: a name that is no more, or is called otherwise now.
 * - `says-kin-name`: a name that has the renamed words in it, such as `onMissHandler` where `Miss`
 *   became `Navigation`.
 * - `calls-what-has-to-change`: it calls a function that cannot be mended by itself: one which
 *   hands on what it is given to where that no longer fits, or which is wrong in its signature or
 *   in all that it gives.
 * - `behind-broken-signature`: the way to it leads over a block whose signature the type checker
 *   refuses, and nothing that follows mends.
 */
export type ImpactSign = "says-old-name" | "says-kin-name" | "behind-broken-signature" | "calls-what-has-to-change";

/**
 * The chance that a block has to change, from 0 to 1.
 *
 * Log-odds that are added up, one for each kind of evidence: a logistic model small enough to be
 * read.
 */
export function likelihoodOf(evidence: ImpactEvidence): number {
  const { witness, reach } = evidence;
  if (witness !== undefined) return logistic(witnessed(witness, evidence));
  if (reach === undefined) return 0;
  return logistic(reachedOnly(reach, evidence));
}

function witnessed({ certainty, wave, codes }: CheckedBlock, { signs, reach }: ImpactEvidence): number {
  const names = signs.includes("says-old-name") || signs.includes("says-kin-name") ? 1.5 : 0;
  switch (certainty) {
    case "follows":
      return 3.5;
    case "error":
      if (codes.every((code) => ofInference.has(code))) return -0.3 + names;
      return 2.6 - 0.4 * (wave - 1) + names;
    case "cascade":
      return (codes.every((code) => code === unusedSuppression) ? -2.5 : -0.3) + names;
    case "guess":
      // One step of a guess is often right, a chain of them rarely; and nobody lets grow what many
      // call.
      return -0.8 * (wave - 2) - 0.2 * ((reach?.crowd ?? 1) - 1) + names;
  }
}

/** Whether a name of the top level of a file went, or became another. */
function losesName({ label, before }: AtomicChange): boolean {
  return label === "RENAME" || (label.startsWith("D") && before?.owner === undefined);
}

/**
 * TypeScript's complaints that it has nothing to infer a parameter from: what is wrong is often
 * elsewhere.
 */
const ofInference: ReadonlySet<string> = new Set(["7006", "7031"]);

/** TypeScript's complaint about a comment that expects an error where there is none. */
const unusedSuppression = "2578";

function reachedOnly(reach: ImpactReach, { wasChecked, signs, callers = 1 }: ImpactEvidence): number {
  // What few call, changes together with them as often as not; what many call is mended in a way
  // that spares them.
  if (signs.includes("calls-what-has-to-change")) return -0.05 * callers;
  const { hops, change, relation, crowd } = reach;
  const isNamed = relation !== "satisfied-by" && relation !== "satisfies";
  const saysOldName = signs.includes("says-old-name");
  // Who says a name that is no more says what is wrong now, however many others do so, too; the
  // checker complains of the import alone.
  if (losesName(change) && isNamed && saysOldName) return 2.5 - 0.5 * (hops - 1);
  if (signs.includes("says-kin-name")) return 1 - 0.5 * (hops - 1);
  if (!wasChecked) return unchecked(reach) + (saysOldName ? 1.6 : 0);
  return (
    -3.6 -
    0.9 * (hops - 1) -
    0.35 * Math.log2(Math.max(1, crowd)) +
    (saysOldName ? 1.6 : 0) +
    (signs.includes("behind-broken-signature") ? 3.4 : 0)
  );
}

/**
 * Where no type checker looks, the graph alone tells whom to ask. Who calls or overrides what has
 * another signature is asked, however many they are; who calls what has another body, unless only
 * arguments in it are others; what a block itself asks for, if it passes it something else; hardly
 * a class for what its member does. What is two hops away is asked once the block between has
 * changed.
 *
 * The weights are set by hand, so that these are above or below what counts as work; they are no
 * measured chances.
 */
function unchecked({ hops, change, relation }: ImpactReach): number {
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

/** Finds names that changes made stale, and names akin to renamed ones, in the text of blocks. */
export class StaleNames {
  readonly #gone: ReadonlySet<string>;
  readonly #kin: readonly RegExp[];

  constructor(changes: readonly AtomicChange[], facts: ChangeFacts) {
    const gone = new Set([...facts.renamed.keys(), ...facts.removed]);
    for (const { label, before } of changes)
      if (/^(D|RENAME)/.test(label) && before?.simpleName) gone.add(withoutNumber(before.simpleName));
    gone.delete("");
    this.#gone = gone;
    this.#kin = [...facts.renamed].flatMap(([from, to]) => kinOf(from, to) ?? []);
  }

  saysGone(text: string): boolean {
    return containsAnyName(text, this.#gone);
  }

  saysKin(text: string): boolean {
    return this.#kin.some((kin) => kin.test(text));
  }
}

/**
 * What names that were renamed along with `from` have in them: the words that changed, and words
 * beside them that did not, so that it is two at least; one word alone, such as `Handler`, is in
 * too many names. `undefined` where what is left is too little to go by.
 */
function kinOf(from: string, to: string): RegExp | undefined {
  const old = wordPlaces(from);
  const now = wordPlaces(to);
  const same = (a: WordPlace | undefined, b: WordPlace | undefined) => a?.word.toLowerCase() === b?.word.toLowerCase();
  let start = 0;
  while (start < old.length && start < now.length && same(old[start], now[start])) start++;
  let end = old.length;
  while (end > start && now.length - (old.length - end) > start && same(old[end - 1], now.at(end - 1 - old.length)))
    end--;
  start = Math.max(0, start - 2);
  if (end - start < 2) end = Math.min(old.length, start + 2);
  const stem = from.slice(old[start]?.start, old[end - 1]?.end);
  return end - start < 2 || stem.length < 8 ? undefined : new RegExp(stem.replaceAll("$", "\\$"), "i");
}

interface WordPlace {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a name in camel case or with underscores, and where they stand in it. */
function wordPlaces(name: string): WordPlace[] {
  const words = name.matchAll(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g);
  return Array.from(words, ({ 0: word, index }) => ({ word, start: index, end: index + word.length }));
}
