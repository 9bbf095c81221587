import type { LineSplice } from "../../formats/index.ts";

/** Applies splices that are sorted and disjoint, and returns the resulting lines. */
export function spliceLines(lines: readonly string[], splices: readonly LineSplice[]): readonly string[] {
  const after: string[] = [];
  let from = 0;
  for (const { start, end, lines: fresh } of splices) {
    for (let index = from; index < start; index++) after.push(lines[index]!);
    for (const line of fresh) after.push(line);
    from = end;
  }
  for (let index = from; index < lines.length; index++) after.push(lines[index]!);
  return after;
}
