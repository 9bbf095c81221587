/** One prompt input with every kind of content, for golden prompts. */
import { promptInputOf } from "./format.laws.ts";

/** A field was renamed, and the cursor is at a use of its old name. */
export const goldenPromptInput = promptInputOf(
  `import { Money } from "./money.ts";

/** What a customer wants. */
export class Order {
  readonly lines: readonly Line[] = [];

«  total(): Money {
    let sum = Money.zero;
    for (const line of this.items|) {
      sum = sum.plus(line.price);
    }
    return sum;
  }

»  isEmpty(): boolean {
    return this.items.length === 0;
  }
}
`,
  {
    path: "src/order.ts",
    history: [
      {
        path: "src/line.ts",
        lines: { start: 2, end: 5 },
        before: ["export interface Item {", "  readonly price: number;"],
        after: ["export interface Line {", "  readonly price: Money;", "  readonly count: number;"],
        atMs: 1000,
      },
      {
        path: "src/order.ts",
        lines: { start: 4, end: 5 },
        before: ["  readonly items: readonly Item[] = [];"],
        after: ["  readonly lines: readonly Line[] = [];"],
        atMs: 2000,
      },
    ],
    viewed: [
      {
        path: "src/money.ts",
        lines: { start: 0, end: 4 },
        text: "export class Money {\n  static readonly zero = new Money(0);\n\n  plus(other: Money): Money {\n",
      },
    ],
    diagnostics: [
      { line: 8, severity: "error", message: "Property 'items' does not exist on type 'Order'." },
      { line: 15, severity: "error", message: "Property 'items' does not exist on type 'Order'." },
    ],
  },
);
