import fc from "fast-check";
import { expect, test } from "vitest";
import type { Spacing } from "../reading/spacing.ts";
import { type Control, ControlStore } from "./suffix-control.ts";

const small = fc.integer({ min: 0, max: 3 });
const kind = fc.constantFrom("place", "take", "virtual", "line", "complete", "shift", "hole");

function make(store: ControlStore, kind: string, [a, b]: readonly number[], rest: Control): Control {
  switch (kind) {
    case "place":
      return store.place(a!, b! * 100_000_000, (a! % 4) as Spacing);
    case "take":
      return store.take(a!, b! as Spacing, a! % 2 === 0 ? rest : undefined, b! % 2 === 0);
    case "virtual":
      return store.virtual(a!, rest);
    case "line":
      return store.line(a!, b! % 2 === 0, rest);
    case "complete":
      return store.complete(rest);
    case "shift":
      return store.shift(a!, b! % 2 === 0 ? rest : undefined);
    default:
      return store.hole(a!);
  }
}

/** The answer of a control, with the id of the control after it. */
function written({ id: _, ...step }: Control): string {
  return JSON.stringify(step, (key, value: unknown) => (key === "rest" ? (value as Control | undefined)?.id : value));
}

test("ControlStore interns controls: equal steps share one, different steps do not", () => {
  let found = 0;
  const steps = fc.array(fc.tuple(kind, fc.tuple(small, small), fc.nat(100)), { maxLength: 80, size: "max" });
  const law = fc.property(steps, (all) => {
    const store = new ControlStore();
    const made = [store.hole(9)];
    const known = new Map([[written(made[0]!), made[0]!]]);
    for (const [name, numbers, at] of all) {
      const control = make(store, name, numbers, made[at % made.length]!);
      const before = known.get(written(control));
      expect(control.id).toBe(before?.id ?? known.size);
      expect(control).toBe(before ?? control);
      if (before !== undefined) found += 1;
      known.set(written(control), control);
      made.push(control);
    }
  });
  fc.assert(law);
  expect(found).toBeGreaterThan(50);
});
