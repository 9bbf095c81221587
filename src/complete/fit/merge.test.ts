import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languageById, languages, Structure } from "../../syntax/index.ts";
import { fixtures } from "../../syntax/node/fixtures/read-fixtures.ts";
import { mergesOf } from "./merge.ts";

/** The place at the `|` of a text. */
function placeAt(text: string, language = "typescript") {
  const [prefix, suffix] = text.split("|") as [string, string];
  return placeOf(prefix, suffix, language);
}

function placeOf(prefix: string, suffix: string, language: string) {
  return { prefix, suffix, language, lineBefore: /[^\r\n]*$/.exec(prefix)![0], rest: /^[^\r\n]*/.exec(suffix)![0] };
}

/**
 * The text with the best merge between `«` and `»`; what it covers is between `‹` and `›` behind
 * it.
 */
function merged(text: string, answer: string, language?: string): string {
  const place = placeAt(text, language);
  const [best] = mergesOf(answer, place);
  if (best === undefined) return "nothing";
  const covered = best.covered > 0 ? `‹${place.suffix.slice(0, best.covered)}›` : "";
  return `${place.prefix}«${best.text}»${covered}${place.suffix.slice(best.covered)}`;
}

describe("an answer is merged with the rest of the line", () => {
  test.each([
    ["f(|)", "a", "f(«a»)"],
    ["f(|)", "a)", "f(«a»)"],
    ["f(|);", "a);", "f(«a»);"],
    ["f(|);", "a)", "f(«a»);"],
    ["f(|)", "bar()", "f(«bar()»)"],
    ["f(|)", "bar())", "f(«bar()»)"],
    ["f(|)", "bar(", "f(«bar»)"],
    ["f(|)", "a) + g(b", "f(«a) + g(b»)"],
    ["f(|)", "a) + b", "f(«a) + b»‹)›"],
    ["f(|);", "a).then(b);", "f(«a).then(b»);"],
    ["f(|)", "a, {", "f(«a,»)"],
    ["f(|)", "() => {\n  g();\n}", "f(«() => {\n  g();\n}»)"],
    ["x = {|};", "a: {}", "x = {«a: {}»};"],
    ["x = {|};", "a: {}};", "x = {«a: {}»};"],
    ['f("|")', 'why")', 'f("«why»")'],
    ['f("|")', 'why" + "not', 'f("«why" + "not»")'],
    ["f(|)", ")", "nothing"],
    ["|foo(a)", "b = foo(a)", "«b = »foo(a)"],
    ["x|bar", "Yb", "x«Yb»bar"],
    ["f(a|", ", b);", "f(a«, b);»"],
    ["f(a|", ", b));", "f(a«, b)»"],
  ])("%j + %j = %j", (text, answer, expected) => expect(merged(text, answer)).toBe(expected));
});

describe("an answer is merged with type arguments closed after the cursor", () => {
  test.each([
    ["rust", "let v: Vec<|>", "i32> = Vec::new();", "let v: Vec<«i32> = Vec::new();»‹>›"],
    ["rust", "let v: Vec<|>;", "i32> = Vec::new();", "let v: Vec<«i32> = Vec::new();»‹>;›"],
    ["rust", "let v: Vec<|>", "i32>", "let v: Vec<«i32»>"],
    ["rust", "let v: Vec<|>", "Vec<u8>", "let v: Vec<«Vec<u8>»>"],
    ["rust", "let v: Vec<|>", "Vec<u8>> = Vec::new();", "let v: Vec<«Vec<u8>> = Vec::new();»‹>›"],
    ["rust", "let v: Vec<Vec<|>>", "u8>> = a;", "let v: Vec<Vec<«u8>> = a;»‹>>›"],
    ["rust", "let v: Box<|>", "dyn Fn(u8) -> u8> = a;", "let v: Box<«dyn Fn(u8) -> u8> = a;»‹>›"],
    ["rust", "if a <| > b {}", "c && d", "if a <«c && d» > b {}"],
    ["typescript", "let v: Set<|>", "number> = new Set();", "let v: Set<«number> = new Set();»‹>›"],
    ["typescript", "let v: Set<|>", "() => void", "let v: Set<«() => void»>"],
  ])("%s: %j + %j = %j", (language, text, answer, expected) => expect(merged(text, answer, language)).toBe(expected));
});

describe("an answer is merged with the lines below", () => {
  test.each([
    ["if (a) {\n  |\n}\n", "f();\n}", "if (a) {\n  «f();»\n}\n"],
    ["if (a) {\n  |\n}\n", "if (b) {\n    f();\n  }", "if (a) {\n  «if (b) {\n    f();\n  }»\n}\n"],
    ["if (a) {\n  |\n}\n", "if (b) {\n    f();\n  }\n}", "if (a) {\n  «if (b) {\n    f();\n  }»\n}\n"],
    ["if (a) {|\n}\n", "\n  f();\n}", "if (a) {«\n  f();»\n}\n"],
    ["if (a) {\n  |\n", "f();\n}", "if (a) {\n  «f();\n}»\n"],
    ["a();\n|\nb();\nc();", "x();\nb();\nc();", "a();\n«x();»\nb();\nc();"],
    ["a();\n|\n\nb();", "x();\n\nb();", "a();\n«x();»\n\nb();"],
    ["f(|);\nb();", "a);\nb();", "f(«a»);\nb();"],
    ["a();\r\n|\r\nb();\r\n", "x();\nb();", "a();\r\n«x();»\r\nb();\r\n"],
    ["|", "if (a) {", "«if (a) {»"],
    ["f();\n|\n", "}", "nothing"],
  ])("%j + %j = %j", (text, answer, expected) => expect(merged(text, answer)).toBe(expected));

  test("equal Python lines with different indentation are not merged", () => {
    expect(merged("if a:\n    |\nreturn x\n", "return x", "python")).toBe("if a:\n    «return x»\nreturn x\n");
  });
});

describe("brackets stay balanced in every language", () => {
  const unmatched = (text: string, language: string) => Structure.of(text, languageById(language)!).unmatched;

  const pieces = ["a", "b", " ", ", ", "\n", "\n  ", ";", ":", "(", ")", "[", "]", "{", "}", "<", ">", '"', "'", "//"];
  const noise = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));

  test("law: any text is merged into any place of a generated document", () => {
    const language = fc.constantFrom(...languages.map(({ id }) => id));
    fc.assert(
      fc.property(noise, noise, noise, language, (prefix, suffix, answer, id) => {
        fc.pre(unmatched(prefix + suffix, id).length === 0);
        for (const { text, covered } of mergesOf(answer, placeOf(prefix, suffix, id))) {
          const left = unmatched(prefix + text + suffix.slice(covered), id);
          const own = left.filter(({ offset }) => offset >= prefix.length && offset < prefix.length + text.length);
          const atLineEnd = /^[ \t]*(?:[\r\n]|$)/.test(suffix);
          expect(left.length).toBeLessThanOrEqual(atLineEnd ? opensOnLastLine(text) : 0);
          expect(own.length).toBeLessThanOrEqual(left.length);
        }
      }),
    );
  });

  test("in the fixtures, when removed text is suggested with the rest of its line and the lines below", () => {
    const file = fc.constantFrom(...fixtures.filter(({ language }) => languageById(language)?.grammar !== undefined));
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(40), fc.nat(60), ({ text, language }, seed, length, more) => {
        fc.pre(unmatched(text, language).length === 0 && !text.includes("\r"));
        const start = seed % text.length;
        const end = Math.min(start + length, text.length);
        const place = placeOf(text.slice(0, start), text.slice(end), language);
        for (const { text: inserted, covered } of mergesOf(text.slice(start, end + more), place)) {
          const after = place.prefix + inserted + place.suffix.slice(covered);
          const before = unmatched(place.prefix + place.suffix, language).length;
          const spare = place.rest.trim() === "" ? opensOnLastLine(inserted) : 0;
          expect(unmatched(after, language).length).toBeLessThanOrEqual(before + spare);
        }
      }),
    );
  });
});

function opensOnLastLine(text: string): number {
  return text.slice(text.lastIndexOf("\n") + 1).match(/[([{<]/g)?.length ?? 0;
}
