import { expect, test } from "vitest";
import { redacted } from "../model/fixtures/redacted.ts";
import { placePieces } from "./place-pieces.ts";
import type { RedactedPiece } from "./prompt.ts";
import { TextCosts } from "./text-costs.ts";

/** One token a line. */
const costs = new TextCosts({ name: "lines", isExact: true, count: (text) => text.split("\n").length - 1 });

/** Pieces as `priority x lines`, and what became of them, in the order in which they were given. */
const cases: readonly (readonly [room: number, pieces: string, statuses: string])[] = [
  [10, "1x4 2x4", "written 4, written 4"],
  [6, "1x4 2x4", "clipped 2, written 4"],
  [5, "1x4 2x4", "over-budget 4, written 4"],
  [4, "2x4 2x4 1x1", "written 4, over-budget 4, over-budget 1"],
  [0, "1x1", "over-budget 1"],
];
for (const [room, given, statuses] of cases) {
  test(`placePieces of ${given} in ${room} tokens`, () => {
    const pieces = given.split(" ").map((one): RedactedPiece => {
      const [priority, count] = one.split("x").map(Number);
      const text = redacted("line\n".repeat(count!));
      return { kind: "retrieved", path: "a", lines: { start: 10, end: 10 + count! }, text, priority: priority! };
    });
    const placed = placePieces(pieces, costs, room);
    const shown = placed.pieces.map(
      ({ status, tokens }) => `${status.kind === "left-out" ? status.reason : status.kind} ${tokens}`,
    );
    expect(shown.join(", ")).toBe(statuses);
    for (const { lines, text } of placed.pieces) expect(lines!.end - lines!.start).toBe(text.split("\n").length - 1);
    expect(placed.tokens).toBeLessThanOrEqual(room);
  });
}
