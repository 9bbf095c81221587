/** A figure that a benchmark has to reach. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly bar: number;
  /** Whether the value must reach the bar or stay below it. */
  readonly sense: "at-least" | "below" | "at-most";
}

/** Whether the value is where it should be. */
export function passes({ value, bar, sense }: Bar): boolean {
  return sense === "at-least" ? value >= bar : sense === "below" ? value < bar : value <= bar;
}

/** One line a bar: its name, the value, the requirement, and whether it is met. */
export function printBars(bars: readonly Bar[]): string {
  const words = { "at-least": "at least", below: "below", "at-most": "at most" };
  const width = Math.max(...bars.map(({ name }) => name.length));
  return bars
    .map((bar) => {
      const requirement = `${words[bar.sense]} ${bar.bar}`;
      return `${bar.name.padEnd(width)} ${bar.value.toFixed(2).padStart(9)}   ${requirement.padEnd(13)} ${passes(bar) ? "pass" : "MISS"}`;
    })
    .join("\n");
}
