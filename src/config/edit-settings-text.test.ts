import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { editSettingsText, type SettingEdit, settingInText } from "./edit-settings-text.ts";

/** `a.b=1` sets, `a.b` takes out; a name in quotes may hold dots. */
function readEdits(notation: string): readonly SettingEdit[] {
  return notation.split("; ").map((one) => {
    const [, names, value] = /^(.*?)(?:=(.*))?$/.exec(one)!;
    const path = names!.match(/"[^"]*"|[^.]+/g)!.map((name) => name.replaceAll('"', ""));
    return { path, value: value === undefined ? undefined : JSON.parse(value) };
  });
}

function edited(text: string, notation: string): string {
  const answer = editSettingsText(text, readEdits(notation));
  return answer.kind === "edited" ? answer.text : `refused: ${answer.detail}`;
}

describe("settings are set in the text of a file", () => {
  test.each<[before: string, edits: string, after: string]>([
    ["", 'model=["a","b"]', '{\n  "model": ["a", "b"]\n}\n'],
    ["{}\n", 'model="a"; edit.model="b"', '{\n  "model": "a",\n  "edit": { "model": "b" }\n}\n'],
    ["{\n}", 'model="a"', '{\n  "model": "a"\n}'],
    ['{\n  // of a\n  "a": 1, // too\n}\n', 'model="x"', '{\n  "model": "x",\n  // of a\n  "a": 1, // too\n}\n'],
    ['{ // mine\n\t"a": 1\n}', 'model="x"', '{ // mine\n\t"model": "x",\n\t"a": 1\n}'],
    ['{ /* a\n b */ "a": 1 }', 'model="x"', '{ "model": "x", /* a\n b */ "a": 1 }'],
    ['{"a":1}', 'edit.model="x"', '{ "edit": { "model": "x" },"a":1}'],
    ['{ "edit": {} }', 'edit.model="x"', '{ "edit": { "model": "x" } }'],
    ['{ "edit": { /* none */ } }', 'edit.model="x"', '{ "edit": { /* none */ "model": "x" } }'],
    [
      '{\r\n    "a": {\r\n        "b": 1\r\n    }\r\n}',
      "a.c=2",
      '{\r\n    "a": {\r\n        "c": 2,\r\n        "b": 1\r\n    }\r\n}',
    ],
    ['{\n  "model": "old", // why\n  "a": 1,\n}', 'model=["new"]', '{\n  "model": ["new"], // why\n  "a": 1,\n}'],
    ['{ "model": [ "a" ,"b"] }', 'model=["a","b"]', '{ "model": [ "a" ,"b"] }'],
    ["{}", 'models."ollama:m:1.5b".template="qwen"', '{\n  "models": { "ollama:m:1.5b": { "template": "qwen" } }\n}'],
    ['\uFEFF{ "a": 1 }', "b=2", '\uFEFF{ "b": 2, "a": 1 }'],
    ["// a file of comments\n", "a=1", "refused: line 2: value expected"],
    ['{ "a": ', "a=1", "refused: line 1: value expected"],
    ["[1]", "a=1", "refused: line 1: an object in braces is expected"],
    ['{ "edit": 1 }', "edit.model=1", "refused: `edit` is no object in braces"],
    ['{ "a": 1, "a": 2 }', "a=3", "refused: `a` occurs twice"],
  ])("%j with %s", (before, edits, after) => {
    expect(edited(before, edits)).toBe(after);
  });
});

describe("settings are taken out of the text of a file", () => {
  test.each<[before: string, edits: string, after: string]>([
    ['{\n  "model": "a",\n  // of b\n  "b": 1\n}\n', "model", '{\n  // of b\n  "b": 1\n}\n'],
    ['{\n  "b": 1, // of b\n  "model": "a"\n}\n', "model", '{\n  "b": 1 // of b\n}\n'],
    ['{\n  "b": 1,\n  "model": "a", // mine\n}\n', "model", '{\n  "b": 1,\n  // mine\n}\n'],
    ['{ "a": 1, "b": 2, "c": 3 }', "b", '{ "a": 1, "c": 3 }'],
    ['{ "a": 1 /* x */, "b": 2 }', "a", '{ /* x */ "b": 2 }'],
    ['{ "edit": { "model": "a" }, "b": 1 }', "edit.model", '{ "b": 1 }'],
    ['{ "a": 1 }', "b.c", '{ "a": 1 }'],
    ['{ "a": 1 }', "a", "{ }"],
  ])("%j without %s", (before, edits, after) => {
    expect(edited(before, edits)).toBe(after);
  });
});

test("a value is read from the text of a file", () => {
  const text = '\uFEFF{ "edit": { "model": ["a"] }, /* no */ }';
  expect([settingInText(text, ["edit", "model"]), settingInText(text, ["model"])]).toEqual([["a"], undefined]);
});

describe("laws", () => {
  const name = fc.constantFrom("model", "edit", "models", "next", "a b");
  const value = fc.oneof(
    fc.string({ maxLength: 4 }),
    fc.integer(),
    fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
  );
  const section = fc.dictionary(name, value, { minKeys: 1, maxKeys: 3 });
  const settings = fc.dictionary(fc.constantFrom("k", "l", "m"), fc.oneof(value, section), { minKeys: 1, maxKeys: 3 });
  const written = fc.tuple(settings, fc.constantFrom(undefined, 2, "\t")).map(([object, indent]) => {
    const text = JSON.stringify(object, null, indent);
    return indent === undefined ? text : text.replace(/,\n/g, ", // said\n");
  });
  const edits = fc.uniqueArray(fc.record({ path: fc.oneof(fc.tuple(name), fc.tuple(name, name)), value }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ path }) => path[0],
  });

  test("what is set is read, other keys stay, a second run changes nothing, and taking out restores", () => {
    fc.assert(
      fc.property(written, edits, (text, set) => {
        const answer = editSettingsText(text, set);
        const after = answer.kind === "edited" ? answer.text : "";
        expect(set.map(({ path }) => settingInText(after, path))).toEqual(set.map(({ value: wanted }) => wanted));
        expect(parse(after)).toMatchObject(parse(text));
        expect(editSettingsText(after, set)).toEqual({ kind: "edited", text: after });
        const out = set.map(({ path }) => ({ path, value: undefined }));
        expect(editSettingsText(after, out)).toEqual({ kind: "edited", text });
      }),
    );
  });
});
