import fc from "fast-check";
import { expect, test } from "vitest";
import { languageById, Structure } from "../../../syntax/index.ts";
import { readEdit } from "../../../text/edit.laws.ts";
import { Edit } from "../../../text/index.ts";
import { partnerEdits } from "./partner-edits.ts";

const language = languageById("typescript")!;

// An edit in the notation `a[old|new]b`, and the text with each partner edit, the likeliest first.
test.each<[what: string, notation: string, texts: readonly string[]]>([
  ["none for balanced brackets", "[f(a)|g(a)];", []],
  ["close a call around an argument", "use([|wrap(]a);", ["use(wrap(a));"]],
  ["close a call around one of several arguments", "use([|wrap(]a, b);", ["use(wrap(a), b);", "use(wrap(a, b));"]],
  [
    "close a call around a function",
    "use([|wrap(]() => {\n  go(a, b);\n});\nend();",
    ["use(wrap(() => {\n  go(a, b);\n}));\nend();"],
  ],
  [
    "close a call around a function whose head changes too",
    "use([(|wrap((]event) => {\n  go();\n});",
    ["use(wrap((event) => {\n  go();\n}));", "use(wrap((event)) => {\n  go();\n});"],
  ],
  [
    "close a call around an assigned value",
    "const a = [|wrap(]() => {\n  go()\n}\nend()",
    ["const a = wrap(() => {\n  go()\n})\nend()"],
  ],
  ["end before a semicolon", "const a = [|wrap(]b + c; // all of it", ["const a = wrap(b + c); // all of it"]],
  ["end before a comment", "a = [|wrap(]b // b, c\nend()", ["a = wrap(b) // b, c\nend()"]],
  [
    "close a call around a former statement with a semicolon as in the file",
    "[function f(|const f = memo((]a) [|=> ]{\n  go();\n}\nend();",
    ["const f = memo((a) => {\n  go();\n});\nend();", "const f = memo((a)) => {\n  go();\n}\nend();"],
  ],
  [
    "close a call after another argument",
    "[for (const |map(all, (]a[ of all|]) [|=> ]{\n  go();\n}\nend();",
    ["map(all, (a) => {\n  go();\n});\nend();", "map(all, (a)) => {\n  go();\n}\nend();"],
  ],
  [
    "close a call after continued lines",
    "a = [|wrap(]b\n  .c()\n  .d()\nend()",
    ["a = wrap(b\n  .c()\n  .d())\nend()"],
  ],
  ["ignore brackets in strings", "use([|wrap(]'), (');", ["use(wrap('), ('));"]],
  [
    "close two brackets at once",
    "use([|memo(ref(]() => {\n}, b)",
    ["use(memo(ref(() => {\n})), b)", "use(memo(ref(() => {\n}), b))", "use(memo(ref(() => {\n}, b)))"],
  ],
  ["close a brace", "use([|{ a: ]b);", ["use({ a: b});"]],
  ["none where the edit has both brackets", "use([(a)|wrap((b)]);", []],
  ["none around an empty operand", "use([|wrap(]\n);", []],
  ["remove the end of a removed call", "use([wrap(|]() => {\n  go();\n}));", ["use(() => {\n  go();\n});"]],
  ["remove the end of a removed call with its line", "[wrap(|]\n  a\n)\nend()", ["\n  a\nend()"]],
  ["none where the edit removes both brackets", "use([wrap(a)|a]);", []],
  ["none for an extra closing bracket", "use(a[)|))];", []],
])("partner edits: %s", (_, notation, texts) => {
  const { text, edit } = readEdit(notation);
  const all = partnerEdits(text, edit, language).map((more) => edit.compose(more).apply(text));
  expect(all).toEqual(texts);
});

test("law: partner edits restore the partners of all brackets and change nothing but brackets", () => {
  const source = fc.string({ unit: fc.constantFrom("a", "(", ")", "[", "]", ",", "\n", " "), maxLength: 16 });
  const lonely = (text: string) => Structure.of(text, language).unmatched.length;
  fc.assert(
    fc.property(source, source, fc.nat(16), fc.nat(16), (before, fresh, one, other) => {
      fc.pre(lonely(before) === 0);
      const [start, end] = [one, other].map((at) => Math.min(at, before.length)).sort((a, b) => a - b);
      const edit = Edit.replace({ start: start!, end: end! }, fresh);
      const after = edit.apply(before);
      for (const more of partnerEdits(before, edit, language)) {
        expect(more.apply(after).replace(/[()[\]\s]/g, "")).toBe(after.replace(/[()[\]\s]/g, ""));
        expect(lonely(more.apply(after))).toBe(0);
      }
    }),
  );
});
