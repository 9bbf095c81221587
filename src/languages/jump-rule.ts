/** Where a statement may stand: the nearest node around it that has one of these types decides. */
export interface JumpRule {
  /** Nodes in which it is allowed; where `isAsync` is set, only those that are marked `async`. */
  readonly inside: readonly string[];
  /** Nodes in which it is not allowed. */
  readonly outside: readonly string[];
  readonly isAsync?: true;
  /** Set where it may name a labelled statement, which it then leaves. */
  readonly mayHaveLabel?: true;
  /** Whether it is allowed outside of all these nodes. */
  readonly isAllowedAtTop?: (path: string) => boolean;
  /** What it is allowed in, for the message. */
  readonly only: string;
}

/** What a `break` is allowed in, where it leaves a switch too. */
export const loopOrSwitch = "a loop or switch";

/** A rule for statements that are allowed in functions only. */
export function inFunction(inside: readonly string[], outside: readonly string[] = []): JumpRule {
  return { inside, outside, only: "a function" };
}

/** A rule for statements that are allowed in loops only. */
export function inLoop(inside: readonly string[], outside: readonly string[], only = "a loop"): JumpRule {
  return { inside, outside, only, mayHaveLabel: true };
}

/** A rule for statements that are allowed in asynchronous functions only. */
export function inAsync(
  inside: readonly string[],
  outside: readonly string[] = [],
  isAllowedAtTop: JumpRule["isAllowedAtTop"] = () => false,
): JumpRule {
  return { inside, outside, isAsync: true, isAllowedAtTop, only: "an asynchronous function" };
}
