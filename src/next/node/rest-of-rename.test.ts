import { afterEach, describe, expect, test } from "vitest";
import type { Edit } from "../../text/index.ts";
import type { NextEditSuggestion } from "../engine/outcome.ts";
import { finished, openRenaming } from "./fixtures/renaming-workspace.ts";

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** After this many suggestions were accepted one by one, the rest is accepted as a chain. */
async function check(marked: string, accepted: number, hasTypes = false): Promise<void> {
  const { workspace, apply, suggest, texts, ...opened } = await openRenaming(marked, { hasTypes });
  close = () => opened.close();
  for (let count = 0; count < accepted; count++) {
    const { id, path, edit } = (await suggest())!;
    apply(path, edit!);
    workspace.engine.accepted(id);
  }
  const suggestion = await suggest();
  const whole = suggestion && (await workspace.engine.whole(suggestion.id));
  const places = [suggestion!, ...suggestion!.others.filter(({ chain }) => chain === suggestion!.chain)];
  expect(new Set(places.map(({ path }) => path))).toEqual(new Set(whole?.files.keys()));
  for (const [path, { edit }] of whole?.files ?? []) apply(path, edit);
  expect(texts()).toBe(finished(marked));
}

/** Occurrences in a function each, so that no two are one proposal. */
function uses(count: number, call: string, from = 0): string {
  return Array.from(
    { length: count },
    (_, at) => `export function f${at + from}(x) {\n  return ${call} + ${at};\n}\n`,
  ).join("\n");
}

const cases: readonly (readonly [name: string, marked: string])[] = [
  [
    "a function and the files that import it",
    `=== cart.ts\nexport function ⟦total→sum⟧(x) {\n  return x;\n}\n\n${uses(4, "⟨total→sum⟩(x)")}=== pay.ts\nimport { ⟨total→sum⟩ } from "./cart";\n\n${uses(4, "⟨total→sum⟩(x)")}`,
  ],
  [
    "a constant, with the places in other files alone",
    `=== rate.ts\nexport const ⟦rate→taxRate⟧ = 1;\n=== a.ts\nimport { ⟨rate→taxRate⟩ } from "./rate";\n\n${uses(3, "⟨rate→taxRate⟩ * x")}=== b.ts\nimport * as all from "./rate";\n\n${uses(3, "all.⟨rate→taxRate⟩ * x")}`,
  ],
  [
    "a class, its constructor and its type",
    `=== box.ts\nexport class ⟦Box→Crate⟧ {}\n\n${uses(3, "new ⟨Box→Crate⟩(x)")}=== use.ts\nimport { ⟨Box→Crate⟩ } from "./box";\n\nexport function g(one: ⟨Box→Crate⟩) {\n  return one;\n}\n\n${uses(3, "new ⟨Box→Crate⟩(x)")}`,
  ],
  [
    "a member",
    `=== box.ts\nexport class Box {\n  ⟦wideness→width⟧ = 1;\n\n  m() {\n    return this.⟨wideness→width⟩;\n  }\n}\n\n${uses(3, "new Box().⟨wideness→width⟩")}=== use.ts\nimport { Box } from "./box";\n\n${uses(3, "new Box().⟨wideness→width⟩")}`,
  ],
  [
    "a method, which an example is the likelier reason for after the first place",
    `=== box.ts\nexport class Box {\n  ⟦total→sumUp⟧(x: number) {\n    return x;\n  }\n}\n\n${uses(4, "new Box().⟨total→sumUp⟩(x)")}=== use.ts\nimport { Box } from "./box";\n\n${uses(3, "new Box().⟨total→sumUp⟩(x)")}`,
  ],
  [
    "a method that is called twice on lines that follow one another",
    `=== box.ts\nexport class Box {\n  ⟦total→sumUp⟧(x: number) {\n    return x;\n  }\n}\n\n${uses(3, "new Box().⟨total→sumUp⟩(x) +\n    new Box().⟨total→sumUp⟩(x)")}=== use.ts\nimport { Box } from "./box";\n\n${uses(3, "new Box().⟨total→sumUp⟩(x)")}`,
  ],
  [
    "a property of an interface",
    `=== box.ts\nexport interface Box {\n  ⟦size→width⟧: number;\n}\n\nexport function make(x: number): Box {\n  return { ⟨size→width⟩: x };\n}\n\n${uses(3, "make(x).⟨size→width⟩")}=== use.ts\nimport type { Box } from "./box";\n\nexport function f(x: Box) {\n  return x.⟨size→width⟩;\n}\n`,
  ],
  [
    "a method of Python",
    "=== cart.py\nclass Cart:\n    def ⟦total→amount⟧(self, x):\n        return x\n\n\ndef f(x):\n    return Cart().⟨total→amount⟩(x)\n\n\ndef g(x):\n    return Cart().⟨total→amount⟩(x) + 1\n\n\ndef h(x):\n    return Cart().⟨total→amount⟩(x) + 2\n=== pay.py\nfrom cart import Cart\n\n\ndef f(x):\n    return Cart().⟨total→amount⟩(x)\n\n\ndef g(x):\n    return Cart().⟨total→amount⟩(x) + 1\n",
  ],
  [
    "a function of Python",
    "=== cart.py\ndef ⟦total→amount⟧(x):\n    return x\n\n\ndef f(x):\n    return ⟨total→amount⟩(x)\n\n\ndef g(x):\n    return ⟨total→amount⟩(x) + 1\n=== pay.py\nfrom cart import ⟨total→amount⟩\n\n\ndef f(x):\n    return ⟨total→amount⟩(x)\n\n\ndef g(x):\n    return ⟨total→amount⟩(x) + 1\n",
  ],
];

describe("the rest of a rename while a use is unfinished", () => {
  const marked = `=== cart.ts\nexport function ⟦countItems→itemCount⟧(lines: number[]): number {\n  return lines.length;\n}\n\nexport function hasItems(lines: number[]): boolean {\n  return ⟨countItems→itemCount⟩(lines) > 0;\n}\n\nexport function size(lines: number[]): number {\n  return ⟨countItems→itemCount⟩(lines\n}\n=== invoice.ts\nimport { ⟨countItems→itemCount⟩ } from "./cart";\n\nexport function invoice(lines: number[]): string {\n  return String(⟨countItems→itemCount⟩(lines));\n}\n`;
  for (const hasTypes of [false, true])
    for (const accepted of [0, 1, 2])
      test(`${hasTypes ? "with" : "without"} types, after ${accepted} by key`, () => check(marked, accepted, hasTypes));
});

describe("a rename that was accepted as a whole and undone", () => {
  const marked = `=== money.ts\nexport function ⟦format→show⟧(x: number) {\n  return x;\n}\n\nexport const one = ⟨format→show⟩(1);\n=== report.ts\nimport { ⟨format→show⟩ } from "./money";\n\nexport const two = ⟨format→show⟩(2);\n`;
  for (const hasTypes of [false, true])
    test(`is suggested again when a request is invoked, ${hasTypes ? "with" : "without"} types`, async () => {
      const { workspace, apply, suggest, texts, ...opened } = await openRenaming(marked, { hasTypes });
      close = () => opened.close();
      const acceptAll = async () => {
        const { id } = (await suggest())!;
        const { files } = (await workspace.engine.whole(id))!;
        workspace.engine.accepted(id);
        for (const [path, { edit }] of files) apply(path, edit);
        return [...files].map(([path, { text, edit }]) => [path, edit.invert(text)] as const);
      };
      for (const [path, undo] of await acceptAll()) apply(path, undo);
      expect((await suggest("automatic"))?.edit).toBeUndefined();
      await acceptAll();
      expect(texts()).toBe(finished(marked));
    });
});

/** After this many places were rejected, the suggestion has all others, and accepts these. */
async function checkRejected(marked: string, rejected: number): Promise<void> {
  const { workspace, suggest, ...opened } = await openRenaming(marked, { hasTypes: false });
  close = () => opened.close();
  const printed = ({ path, edit }: { readonly path: string; readonly edit?: Edit }) =>
    edit!.edits.map((part) => `${path} ${part.start}`);
  const placesOf = (suggestion: NextEditSuggestion) =>
    [suggestion, ...suggestion.others.filter(({ chain }) => chain === suggestion.chain)].flatMap(printed).sort();
  let expected = placesOf((await suggest())!);
  for (let count = 0; count < rejected; count++) {
    const suggestion = (await suggest())!;
    const gone = printed(suggestion);
    workspace.engine.rejected(suggestion.id);
    expected = expected.filter((place) => !gone.includes(place));
  }
  const suggestion = (await suggest())!;
  expect(placesOf(suggestion)).toEqual(expected);
  const whole = await workspace.engine.whole(suggestion.id);
  expect([...(whole?.files ?? [])].flatMap(([path, { edit }]) => printed({ path, edit })).sort()).toEqual(expected);
}

describe("a rename of which places were rejected", () => {
  const marked = `=== money.ts\nexport function ⟦format→show⟧(x) {\n  return x;\n}\n${["report", "ledger", "bill"]
    .map((name) => `=== ${name}.ts\nimport { ⟨format→show⟩ } from "./money";\n\n${uses(2, "⟨format→show⟩(x)")}`)
    .join("")}`;
  for (const rejected of [1, 2, 3]) test(`after ${rejected} rejections`, () => checkRejected(marked, rejected));
});

describe("row 28: the rest of a rename in all files", () => {
  for (const [name, marked] of cases)
    for (const accepted of [0, 1, 2, 3])
      test(`row 28: ${name}, after ${accepted} by key`, () => check(marked, accepted));
});
