import type { BoundaryCandidate } from "../boundaries/boundary-candidates.ts";
import type { BoundaryEvidence } from "../boundaries/boundary-repair.ts";

/**
 * Describes a repair and its reasons in one sentence for people. Lines count from 1, in the file
 * before the change.
 */
export function printBoundaryRepair(
  { splice, startMove, endMove, leftOutFirst, leftOutLast }: BoundaryCandidate,
  evidence: readonly BoundaryEvidence[],
): string {
  const done: string[] = [];
  if (leftOutFirst > 0) done.push(leftOut("first", leftOutFirst, "in front of"));
  if (leftOutLast > 0) done.push(leftOut("last", leftOutLast, "behind"));
  if (startMove !== 0 || endMove !== 0) {
    const before = { start: splice.start - startMove, end: splice.end - endMove };
    done.push(`the change is ${place(splice)}, not ${place(before)}`);
  }
  const sentence = `${done.join("; ")}: ${evidence.map((kind) => reasons[kind]).join(", and ")}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const reasons: Readonly<Record<BoundaryEvidence, string>> = {
  "parse-failure": "the file would not parse otherwise",
  "echoed-edge": "lines would stand there twice",
  "anchor-mismatch": "the lines that the answer quotes stand there",
  "bracket-balance": "brackets would lose their partners",
};

function leftOut(which: "first" | "last", count: number, where: string): string {
  return count === 1
    ? `the ${which} new line is left out, which stands ${where} it already`
    : `the ${which} ${count} new lines are left out, which stand ${where} them already`;
}

function place({ start, end }: { readonly start: number; readonly end: number }): string {
  if (start === end) return start === 0 ? "in front of line 1" : `behind line ${start}`;
  return end - start === 1 ? `at line ${end}` : `at lines ${start + 1} to ${end}`;
}
