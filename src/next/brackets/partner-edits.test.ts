import fc from "fast-check";
import { expect, test } from "vitest";
import { languageById, Structure } from "../../syntax/index.ts";
import { readEdit } from "../../text/edit.laws.ts";
import { Edit } from "../../text/index.ts";
import { partnerEdits } from "./partner-edits.ts";

const language = languageById("typescript")!;

/** An edit in the notation `a[old|new]b`, and what the text becomes with what it leaves to do, the likeliest first. */
test.each<[what: string, notation: string, texts: readonly string[]]>([
  ["nothing where brackets are as they were", "[f(a)|g(a)];", []],
  ["a call around an argument", "use([|wrap(]a);", ["use(wrap(a));"]],
  ["around one of several", "use([|wrap(]a, b);", ["use(wrap(a), b);", "use(wrap(a, b));"]],
  [
    "around a function",
    "use([|wrap(]() => {\n  go(a, b);\n});\nend();",
    ["use(wrap(() => {\n  go(a, b);\n}));\nend();"],
  ],
  [
    "around a function whose head changes too",
    "use([(|wrap((]event) => {\n  go();\n});",
    ["use(wrap((event) => {\n  go();\n}));", "use(wrap((event)) => {\n  go();\n});"],
  ],
  [
    "around what a name is given",
    "const a = [|wrap(]() => {\n  go()\n}\nend()",
    ["const a = wrap(() => {\n  go()\n})\nend()"],
  ],
  ["up to a semicolon", "const a = [|wrap(]b + c; // all of it", ["const a = wrap(b + c); // all of it"]],
  ["in front of a comment", "a = [|wrap(]b // b, c\nend()", ["a = wrap(b) // b, c\nend()"]],
  [
    "around what was a statement, which ends as others do",
    "[function f(|const f = memo((]a) [|=> ]{\n  go();\n}\nend();",
    ["const f = memo((a) => {\n  go();\n});\nend();", "const f = memo((a)) => {\n  go();\n}\nend();"],
  ],
  [
    "around what begins with another argument",
    "[for (const |map(all, (]a[ of all|]) [|=> ]{\n  go();\n}\nend();",
    ["map(all, (a) => {\n  go();\n});\nend();", "map(all, (a)) => {\n  go();\n}\nend();"],
  ],
  ["over lines that go on", "a = [|wrap(]b\n  .c()\n  .d()\nend()", ["a = wrap(b\n  .c()\n  .d())\nend()"]],
  ["strings as they are", "use([|wrap(]'), (');", ["use(wrap('), ('));"]],
  [
    "two at once",
    "use([|memo(ref(]() => {\n}, b)",
    ["use(memo(ref(() => {\n})), b)", "use(memo(ref(() => {\n}), b))", "use(memo(ref(() => {\n}, b)))"],
  ],
  ["of another kind", "use([|{ a: ]b);", ["use({ a: b});"]],
  ["nothing where all of it is in the edit", "use([(a)|wrap((b)]);", []],
  ["nothing around nothing", "use([|wrap(]\n);", []],
  ["a call that goes", "use([wrap(|]() => {\n  go();\n}));", ["use(() => {\n  go();\n});"]],
  ["a call that goes, its end on a line of its own", "[wrap(|]\n  a\n)\nend()", ["\n  a\nend()"]],
  ["nothing where the partner is in the edit", "use([wrap(a)|a]);", []],
  ["nothing for what closes", "use(a[)|))];", []],
])("%s", (_, notation, texts) => {
  const { text, edit } = readEdit(notation);
  const all = partnerEdits(text, edit, language).map((more) => edit.compose(more).apply(text));
  expect(all).toEqual(texts);
});

test("law: where all brackets had partners, all have again with what is left to do, and nothing else is other", () => {
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
