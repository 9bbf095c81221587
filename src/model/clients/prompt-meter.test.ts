import { expect, test } from "vitest";
import { learnRates, PromptMeter, unitsOf, usualTokenRates } from "./prompt-meter.ts";

const code = "const total = items.length;\n".repeat(10);
const chinese = "计算所有商品的总价".repeat(10);
const bytes = (text: string) => new TextEncoder().encode(text).length;

test.each([
  ["code, a token for each byte", code, bytes(code)],
  ["code, a token for four characters", code, code.length / 4],
  ["Chinese, a token for each byte", chinese, bytes(chinese)],
  ["Chinese, two tokens for three characters", chinese, 60],
  ["both, a token for each byte", code + chinese, bytes(code + chinese)],
])("a text that was counted has its tokens by the rates that follow: %s", (_, text, tokens) => {
  const { ascii, other } = unitsOf(text);
  const rates = learnRates(usualTokenRates, { ascii, other, tokens });
  expect(ascii * rates.ascii + other * rates.other).toBeCloseTo(tokens);
});

test("lines that are counted one by one have together the tokens of their text, within 3 %", () => {
  const meter = new PromptMeter();
  const lines = Array.from({ length: 60 }, (_, i) => `${"  ".repeat(i % 4)}${"word ".repeat(i % 12)};\n`);
  const tokens = lines.join("").length * 0.31;
  meter.counted("typescript", lines.join(""), tokens);
  const sum = lines.reduce((all, line) => all + meter.counter("typescript")!.count(line), 0);
  expect(Math.abs(sum / tokens - 1)).toBeLessThan(0.03);
});

test("code and Chinese by turns are soon counted within a tenth, whole or mixed", () => {
  const meter = new PromptMeter();
  for (let i = 0; i < 6; i++) {
    for (const text of [code + chinese, code]) meter.counted("typescript", text, bytes(text));
  }
  for (const text of [code, chinese, code + chinese]) {
    expect(Math.abs(meter.counter("typescript")!.count(text) / bytes(text) - 1)).toBeLessThan(0.1);
  }
});

test.each([
  ["takes what the rates say", code, Math.round(code.length * 0.3)],
  ["takes 2 % more", code, Math.round(code.length * 0.306)],
  ["is too short", "a = 1", 5],
  ["has no tokens", code, 0],
])("the rates stay the same object where a text %s", (_, text, tokens) => {
  expect(learnRates(usualTokenRates, { ...unitsOf(text), tokens })).toBe(usualTokenRates);
});

test("a language of which no text was counted is counted by the base, and nothing is before there is one", () => {
  const meter = new PromptMeter();
  expect(meter.counter("python")).toBeUndefined();
  meter.base = { ascii: 1, other: 3 };
  const counter = meter.counter("python");
  expect(counter?.count("a计")).toBe(4);
  expect(meter.counter("python")).toBe(counter);
  meter.counted("python", code, code.length / 2);
  expect(meter.counter("python")!.count(code)).toBe(code.length / 2);
  expect(meter.counter("go")?.count("ab")).toBe(2);
});
