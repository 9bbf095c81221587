import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { languages } from "../languages/index.ts";
import { Edit } from "../text/edit.ts";
import { closing } from "./node/fixtures/closing.ts";
import { type Fixture, fixtures } from "./node/fixtures/read-fixtures.ts";
import { openSyntax } from "./node/open-syntax.ts";
import { rootOf, type SyntaxTree } from "./tree.ts";
import { treeErrors } from "./tree-errors.ts";

const syntax = openSyntax();
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

test("there is a fixture for every language with a grammar", () => {
  const covered = new Set(fixtures.map((fixture) => fixture.language));
  const wanted = languages.filter((language) => language.grammar !== undefined).map((language) => language.id);
  expect(wanted.filter((id) => !covered.has(id))).toEqual([]);
});

describe("parse", () => {
  for (const fixture of fixtures) {
    test(`${fixture.name} has no error, with either line ending`, async () => {
      const tree = closing((await syntax.parse(fixture))!);
      expect(treeErrors(tree)).toEqual([]);
      const other = closing((await syntax.parse({ ...fixture, text: fixture.text.replaceAll("\n", "\r\n") }))!);
      expect(treeErrors(other)).toEqual([]);
      expect(rootOf(tree).endIndex).toBe(fixture.text.length);
    });
  }

  test("offsets of a tree count UTF-16 code units, also where a chunk of input ends inside a surrogate pair", async () => {
    for (const lead of ["", "x", "\uFEFF"]) {
      const text = `${lead ? `${lead};` : ""}"${"😀é漢".repeat(4000)}"; let last = "👩‍👩‍👧";`;
      const tree = closing((await syntax.parse({ language: "typescript", text }))!);
      const last = rootOf(tree).descendantsOfType("variable_declarator").at(-1)!;
      expect(text.slice(last.startIndex, last.endIndex)).toBe('last = "👩‍👩‍👧"');
    }
  });

  test("tryParse returns undefined for a language without a grammar, and before its grammar is loaded", async () => {
    const fresh = closing(openSyntax());
    expect(await fresh.load("markdown")).toBe(false);
    expect(await fresh.parse({ language: "klingon", text: "" })).toBeUndefined();
    expect(fresh.tryParse({ language: "json", text: "1" })).toBeUndefined();
    expect(await fresh.load("json")).toBe(true);
    expect(String(fresh.tryParse({ language: "json", text: "1" }))).toBe("(document (number))");
  });

  test("disposing a tree twice is harmless, and reading it afterwards throws an error with the reason", async () => {
    const tree = (await syntax.parse({ language: "css", text: "a {}" }))!;
    expect(syntax.openTrees).toBe(1);
    tree[Symbol.dispose]();
    tree[Symbol.dispose]();
    expect(syntax.openTrees).toBe(0);
    expect(() => tree.toString()).toThrow("The CSS tree has been disposed.");
  });

  test("disposing a Syntax disposes its trees", async () => {
    const owner = openSyntax();
    const tree = (await owner.parse({ language: "css", text: "a {}" }))!;
    owner[Symbol.dispose]();
    expect(owner.openTrees).toBe(0);
    expect(() => tree.toString()).toThrow("disposed");
  });
});

describe("reparse equals a parse from nothing", () => {
  /**
   * Common edits, and those that break parsers: brackets, quotes, line ends, characters of two code
   * units.
   */
  const typed = fc.oneof(
    fc.constantFrom(..."(){}[]\"'`<>/*#\\;:,=$"),
    fc.constantFrom(
      ...["\n", "\r\n", "  ", "\t", "\n    ", "/*", "*/", "//", '"""', "<!--", "-->", "?>", "<?php ", "😀"],
    ),
    fc.constantFrom("if", "else", "class A", "def f():\n  ", "return x", "x = 1", "end", "do", "case", "0", "async "),
  );
  /** Edits anywhere, after which the text is usually broken. */
  const rough = fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), text: typed });
  /**
   * Edits that lengthen a name or whitespace, after which the text is usually as valid as before.
   */
  const gentle = fc.record({ at: fc.nat(), text: fc.constantFrom("x", "é", "xyz") });
  const rounds = <T>(edit: fc.Arbitrary<T>) =>
    fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

  /** Parses, edits in rounds, and compares; returns whether the last text was accepted. */
  async function check(fixture: Fixture, edits: readonly ((text: string) => Edit)[]): Promise<boolean> {
    let tree = syntax.tryParse(fixture)!;
    for (const edit of edits) {
      const next = (await syntax.reparse(tree, edit(tree.text)))!;
      tree[Symbol.dispose]();
      tree = next;
    }
    const fresh = syntax.tryParse({ language: fixture.language, text: tree.text })!;
    const [actual, expected] = [dump(tree), dump(fresh)];
    const accepted = !tree.hasError;
    tree[Symbol.dispose]();
    fresh[Symbol.dispose]();
    expect(actual).toEqual(expected);
    return accepted;
  }

  for (const fixture of fixtures) {
    test(fixture.name, async () => {
      await syntax.load(fixture.language);
      const numRuns = Math.ceil(fc.readConfigureGlobal().numRuns! / 4);
      const roughly = (round: readonly { at: number; length: number; text: string }[]) => (text: string) => {
        const edits = round.map(({ at, length, text: inserted }) => {
          const start = at % (text.length + 1);
          return { start, end: Math.min(text.length, start + length), text: inserted };
        });
        return Edit.tryOf(edits) ?? Edit.of(edits.slice(0, 1));
      };
      await fc.assert(
        fc.asyncProperty(rounds(rough), async (all) => void (await check(fixture, all.map(roughly)))),
        { numRuns },
      );

      let accepted = 0;
      const gently = (round: readonly { at: number; text: string }[]) => (text: string) => {
        const places = [...text.matchAll(/(?<=[a-z]{3})(?=[a-z])|(?<=\n)(?=\n)|(?<= )(?= )/g)].map(
          ({ index }) => index,
        );
        const edits = round.map(({ at, text: inserted }) => {
          const place = places[at % places.length]!;
          return { start: place, end: place, text: /\s/.test(text[place]!) ? text[place]! : inserted };
        });
        return Edit.tryOf(edits)!;
      };
      await fc.assert(
        fc.asyncProperty(rounds(gentle), async (all) => {
          if (await check(fixture, all.map(gently))) accepted++;
        }),
        { numRuns },
      );
      // The grammar never accepts the trailing commas of JSON with comments.
      expect(accepted > 0).toBe(fixture.language !== "jsonc");
    });
  }
});

/** All nodes with type and position. */
function dump(tree: SyntaxTree): string[] {
  const lines: string[] = [];
  const cursor = rootOf(tree).walk();
  try {
    for (;;) {
      const { row, column } = cursor.startPosition;
      lines.push(`${cursor.nodeType} [${cursor.startIndex}, ${cursor.endIndex}) at ${row}:${column}`);
      if (cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return lines;
    }
  } finally {
    cursor.delete();
  }
}
