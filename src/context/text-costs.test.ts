import fc from "fast-check";
import { expect, test } from "vitest";
import { TextCosts } from "./text-costs.ts";
import { estimatingCounter, exactTokenisers, openTokenCounter } from "./token-counters.ts";

const line = fc.oneof(
  fc.constantFrom(
    "",
    "  ",
    "\t",
    "// a",
    "  // b",
    "/* c */",
    "});",
    "const größe = 1;",
    "'quoted",
    "\u{1f6d2}",
    "a\ud83d",
    "// ",
    "// word",
    "_",
  ),
  fc.string(),
  fc.string({ unit: "binary" }),
);
const texts = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("\n", "\r\n", "\n\n"))
  .map(([lines, ending]) => lines.join(ending));

for (const name of exactTokenisers) {
  test(`law: the stretches of a text cost together what ${name} counts`, async () => {
    const counter = await openTokenCounter(name);
    const costs = new TextCosts(counter);
    fc.assert(fc.property(texts, (text) => costs.count(text) === counter.count(text)));
  });
}

test("token costs of a file of comments can be split at its lines", () => {
  const costs = new TextCosts(estimatingCounter("typescript"));
  const text = Array.from({ length: 400 }, (_, i) => `// ${i};\n`).join("");
  const { offset, tokens } = costs.backward(text, text.length, 700);
  expect(text[offset - 1]).toBe("\n");
  expect(tokens).toBeGreaterThan(300);
  expect(costs.forward("// a\n// b\n", 0, 2).offset).toBe("// a\n".length);
});

test("token counters count names of special tokens as text", async () => {
  const counter = await openTokenCounter("o200k_base");
  expect(counter.count("<|endoftext|>")).toBeGreaterThan(1);
});

test("TextCosts remembers at most twice as many stretches as its limit", () => {
  const costs = new TextCosts(estimatingCounter("typescript"), 10);
  for (let i = 0; i < 100; i++) costs.count(`line ${i}\n`);
  expect(costs.size).toBeLessThanOrEqual(20);
});

test("law: token costs are the same from the start and from the end", () => {
  const costs = new TextCosts(estimatingCounter("typescript"));
  fc.assert(
    fc.property(texts, fc.nat(200), (text, maxTokens) => {
      const forward = costs.forward(text, 0, maxTokens);
      expect(costs.count(text.slice(0, forward.offset))).toBe(forward.tokens);
      expect(forward.within(maxTokens)).toEqual({ offset: forward.offset, tokens: forward.tokens });
      const backward = costs.backward(text, text.length, maxTokens);
      expect(backward.tokens).toBeLessThanOrEqual(maxTokens);
      expect(costs.count(text.slice(backward.offset))).toBe(backward.tokens);
      expect(backward.isWhole).toBe(backward.offset === 0);
      expect(backward.tryStopAt(backward.offset)?.tokens ?? 0).toBe(backward.tokens);
    }),
  );
});
