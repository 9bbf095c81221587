import { expect, test } from "vitest";
import { readsAsWords } from "./reads-as-words.ts";

const words = [
  "Done.",
  "I have renamed `add(a, b)`, as you asked.",
  "**Note:** it is slower.",
  "- The second line stays.",
  "## Summary",
  "変更しました。",
  "「add」を直しました。",
];
const code = [
  "  const z = 1;",
  "  Indented words",
  "const z = 1;",
  "}",
  "return x",
  "Foo.bar();",
  "Foo(bar)",
  "x",
  "",
  "@decorator",
  "else:",
];

for (const row of words) test(`a row reads as words: ${row}`, () => expect(readsAsWords(row)).toBe(true));
for (const row of code) test(`a row reads as code: ${row}`, () => expect(readsAsWords(row)).toBe(false));
