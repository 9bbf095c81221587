import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { Lines } from "../text/lines.ts";
import type { TextRange } from "../text/text-edit.ts";
import { allBlocks, type Block } from "./block.ts";
import { blocksOf } from "./blocks.ts";
import { closing } from "./node/fixtures/closing.ts";
import { type Fixture, fixtures } from "./node/fixtures/read-fixtures.ts";
import { openSyntax } from "./node/open-syntax.ts";

const syntax = openSyntax();
afterAll(() => {
  expect(syntax.openTrees).toBe(0);
  syntax[Symbol.dispose]();
});

async function blocks(document: Pick<Fixture, "language" | "text">): Promise<Block[]> {
  return blocksOf(closing((await syntax.parse(document))!));
}

/**
 * One line a block: its lines, its construct and its name, then the first line of its comments and
 * the lines of its body, where these differ. Lines count from 1.
 */
function outline(text: string, level: readonly Block[], depth = 0): string {
  const lines = Lines.of(text);
  const number = (offset: number) => lines.positionAt(offset).line + 1;
  const span = ({ start, end }: TextRange) =>
    number(start) === number(end) ? `${number(start)}` : `${number(start)}-${number(end)}`;
  return level
    .map(({ kind, what, name, range, fullRange, body, children }) => {
      const lead = fullRange.start < range.start ? ` (from ${number(fullRange.start)})` : "";
      const inside = body === undefined ? "" : ` {${span(body)}}`;
      const shown = name === undefined ? "" : ` ${name.replaceAll(/\s+/g, " ")}`;
      const head = `${"  ".repeat(depth)}${span(range)} ${kind} ${what}${shown}${lead}${inside}\n`;
      return head + outline(text, children, depth + 1);
    })
    .join("");
}

describe("outlines", () => {
  // UPDATE_OUTLINES=1 rewrites them; review the difference before you keep it.
  const update = process.env["UPDATE_OUTLINES"] === "1";
  for (const fixture of fixtures) {
    test(fixture.name, async () => {
      const actual = outline(fixture.text, await blocks(fixture));
      const path = fixture.path.replace(/\.txt$/, ".outline");
      if (update) writeFileSync(path, actual);
      expect(actual).toBe(readFileSync(path, "utf8"));
    });

    test(`${fixture.name} with other line endings`, async () => {
      const text = fixture.text.replaceAll("\n", "\r\n");
      const actual = outline(text, await blocks({ ...fixture, text }));
      expect(actual).toBe(outline(fixture.text, await blocks(fixture)));
    });
  }
});

function checkNesting(level: readonly Block[], within: TextRange): void {
  let last = within.start;
  for (const block of level) {
    const { range, fullRange, body, nameRange, children } = block;
    expect(fullRange.start).toBeGreaterThanOrEqual(last);
    expect(range.start).toBeGreaterThanOrEqual(fullRange.start);
    expect(range.end).toBe(fullRange.end);
    for (const part of [body, nameRange]) {
      if (part === undefined) continue;
      expect(part.start).toBeGreaterThanOrEqual(range.start);
      expect(part.end).toBeLessThanOrEqual(range.end);
    }
    last = fullRange.end;
    checkNesting(children, range);
  }
  expect(last).toBeLessThanOrEqual(within.end);
}

describe("children lie within their parents, in order and without overlap", () => {
  for (const fixture of fixtures) {
    test(`${fixture.name}, whole and cut off anywhere`, async () => {
      for (let end = fixture.text.length; end >= 0; end -= 97) {
        const text = fixture.text.slice(0, end);
        checkNesting(await blocks({ ...fixture, text }), { start: 0, end });
      }
    });
  }
});

test("blocksOf does not overflow the call stack on deeply nested text", async () => {
  const text = `x = ${"[".repeat(20_000)}${"]".repeat(20_000)};`;
  expect([...allBlocks(await blocks({ language: "javascript", text }))]).toHaveLength(1);
});
