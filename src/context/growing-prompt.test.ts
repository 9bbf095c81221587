import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CodeIndex } from "./code-index.ts";
import { EditHistory } from "./edit-history.ts";
import { GrowingPrompt } from "./growing-prompt.ts";
import type { Prompt } from "./prompt.ts";
import { PromptBuilder } from "./prompt-builder.ts";
import { estimatingCounter } from "./token-counters.ts";

const counter = estimatingCounter("typescript");
const words = ["cart", "item", "price", "total", "rate", "count", "order", "shop"];
const wordAt = (i: number) => words[i % words.length]!;

/** A file whose lines share words with those of others. */
function source(file: number, lines: number): string {
  return Array.from(
    { length: lines },
    (_, i) => `export const ${wordAt(i + file)}${file}x${i} = ${wordAt(i)}(${wordAt(i * 3 + file)}, ${i});\n`,
  ).join("");
}

/** A server that keeps the last prompt, and prompts for it at a cursor that moves. */
class Typing {
  /** The tokens that were to be evaluated for each prompt. */
  readonly fresh: number[] = [];
  readonly #growing = new GrowingPrompt();
  readonly #builder: PromptBuilder;
  readonly #history = new EditHistory();
  /** The most tokens of a prompt. */
  maxTokens: number;
  readonly #limit: number;
  readonly #texts = [source(100, 60), source(101, 5), source(102, 200)];
  #file = 0;
  #offset = 40;
  #kept = "";

  constructor(limit: number, maxTokens = 1600) {
    this.#limit = limit;
    this.maxTokens = maxTokens;
    const index = new CodeIndex();
    for (let i = 0; i < 12; i++) index.set(`src/${wordAt(i)}-${i}.ts`, "typescript", source(i, 60));
    index.set("src/wide.ts", "typescript", `const cart = item(price, "${"total rate ".repeat(300)}");\n`);
    this.#builder = new PromptBuilder({ index });
  }

  type(text: string): void {
    const before = this.#texts[this.#file]!;
    this.#texts[this.#file] = before.slice(0, this.#offset) + text + before.slice(this.#offset);
    this.#offset += text.length;
  }

  goTo(file: number, share: number): void {
    this.#file = file % this.#texts.length;
    this.#offset = Math.floor(this.#texts[this.#file]!.length * share);
  }

  /** The prompt of a request that is stopped when so much of it is evaluated. */
  ask(share = 1): Prompt {
    const { full, place } = this.#place();
    return this.#evaluate(this.#growing.part(full, place), share);
  }

  grow(share = 1): Prompt | undefined {
    const { full, place } = this.#place();
    const prompt = this.#growing.next(full, place);
    return prompt && this.#evaluate(prompt, share);
  }

  whole(): Prompt {
    return this.#place().full;
  }

  #place() {
    const [text, offset, path] = [this.#texts[this.#file]!, this.#offset, `src/own-${this.#file}.ts`];
    const document = { uri: `file:///w/${path}`, language: "typescript", version: 1, text };
    const budget = { maxTokens: this.maxTokens, suffixShare: 0.15, freshTokens: this.#limit };
    const request = { document, path, offset, counter, budget, history: this.#history, nowMs: 0 };
    const freshTokens = (prompt: Pick<Prompt, "prefix" | "suffix" | "context">) =>
      counter.count(this.#rest(textOf(prompt)));
    const place = { key: path, text, offset, counter, freshTokens, isReadable: () => true };
    return { full: this.#builder.assemble(request), place };
  }

  #evaluate(prompt: Prompt, share: number): Prompt {
    const text = textOf(prompt);
    const rest = this.#rest(text);
    this.fresh.push(counter.count(rest));
    this.#kept = text.slice(0, text.length - rest.length + Math.floor(rest.length * share));
    return prompt;
  }

  #rest(text: string): string {
    let length = 0;
    while (length < text.length && text[length] === this.#kept[length]) length++;
    return text.slice(length);
  }
}

/** As a template writes it: the text after the cursor comes last. */
function textOf({ prefix, suffix, context }: Pick<Prompt, "prefix" | "suffix" | "context">): string {
  return `<project>${context.map(({ path, text }) => `<file>${path}\n${text}`).join("")}<before>${prefix}<after>${suffix}<hole>`;
}

const share = fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }));
const step = fc.oneof(
  share.map((each) => (typing: Typing) => void typing.ask(each)),
  share.map((each) => (typing: Typing) => void typing.grow(each)),
  fc.constantFrom("a", "cart", " = ", "\n", "total(item);\n").map((text) => (typing: Typing) => typing.type(text)),
  fc.tuple(fc.nat(2), share).map(
    ([file, at]) =>
      (typing: Typing) =>
        typing.goTo(file, at),
  ),
);

test("whatever is typed, stopped and grown, no prompt has more to evaluate than the limit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 64, max: 1500 }), fc.array(step, { minLength: 5, maxLength: 40 }), (limit, steps) => {
      const typing = new Typing(limit);
      for (const each of steps) each(typing);
      expect(Math.max(0, ...typing.fresh)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 25 },
  );
});

describe.each([64, 120, 600])("with %i tokens to evaluate at once, a prompt that grows", (limit) => {
  const contextOf = ({ context }: Prompt) => context.map(({ path, text }) => `${path}\n${text}`).join("");

  test("keeps its beginning, and comes to all that the whole prompt has of other places", () => {
    const typing = new Typing(limit, 4000);
    const whole = typing.whole();
    let last = contextOf(typing.ask());
    for (let prompt = typing.grow(); prompt !== undefined; prompt = typing.grow()) {
      expect(contextOf(prompt).startsWith(last)).toBe(true);
      expect(prompt.tokens).toBeLessThanOrEqual(4000);
      last = contextOf(prompt);
    }
    const narrow = whole.context.filter(({ path }) => path !== "src/wide.ts");
    expect(narrow.length).toBeGreaterThan(2);
    for (const { text } of narrow) expect(last).toContain(text);
  });

  test("loses its end where the server turns out to take fewer tokens", () => {
    const typing = new Typing(limit, 4000);
    let last = typing.ask();
    for (let prompt = typing.grow(); prompt !== undefined; prompt = typing.grow()) last = prompt;
    expect(last.tokens).toBeGreaterThan(1200);
    typing.maxTokens = 1000;
    const shorter = typing.ask();
    expect(shorter.tokens).toBeLessThanOrEqual(1000);
    expect(contextOf(last).startsWith(contextOf(shorter))).toBe(true);
    expect(shorter.tokens).toBeGreaterThan(500);
  });

  test("begins with less where the server has evaluated another file since", () => {
    const typing = new Typing(limit);
    const first = typing.ask();
    while (typing.grow() !== undefined);
    typing.goTo(1, 0.5);
    typing.ask();
    typing.goTo(0, 0);
    typing.type("b");
    expect(contextOf(typing.ask()).length).toBeLessThanOrEqual(contextOf(first).length * 1.5);
  });
});

test.each([120, 600])("with %i tokens, a key costs little also where a step is evaluated to its end", (limit) => {
  const typing = new Typing(limit);
  typing.ask();
  for (const key of "abcdefghij") {
    typing.grow();
    typing.type(key);
    typing.ask();
    const [grown, asked] = typing.fresh.slice(-2);
    expect(grown! + asked!).toBeLessThanOrEqual(limit);
  }
});

test("a prompt that is little enough is sent whole, and does not grow", () => {
  const typing = new Typing(100_000);
  expect(typing.ask()).toEqual(typing.whole());
  expect(typing.grow()).toBeUndefined();
});
