import fc from "fast-check";
import { expect, test } from "vitest";
import { applyWorkspaceEdit } from "../../text/index.ts";
import type { BlockEdit } from "../edit-operation.ts";
import { type HunkRow, newLines, oldLines } from "./hunk-rows.ts";
import { resolveOperations } from "./resolve-operations.ts";

/** The file after a hunk, or the kind of its refusal. */
function placed(before: readonly string[], rows: readonly HunkRow[]): string {
  const search = oldLines(rows);
  const ask: BlockEdit = { kind: "block", row: 0, path: "a.ts", search, replace: newLines(rows), rows };
  const files = new Map([["a.ts", before.map((line) => `${line}\n`).join("")]]);
  const { edit, refusals } = resolveOperations([ask], files);
  const outcome = applyWorkspaceEdit(files, edit);
  if (refusals.length > 0 || outcome.kind !== "applied") return `!${refusals.map(({ kind }) => kind).join()}`;
  return outcome.files.get("a.ts")!.trimEnd().replaceAll("\n", "|");
}

const rowsOf = (text: string): readonly HunkRow[] =>
  text.split("|").map((row) => ({ mark: row[0] as HunkRow["mark"], text: row.slice(1) }));

// Lines are separated by `|`.
test.each([
  ["a line that goes has blanks too many", "f {|  aa;|  bb;|}", " f {|-    aa;|+  cc;|   bb;", "f {|  cc;|  bb;|}"],
  ["one of two lines that go has", "f {|  aa;|  bb;|}", "-  aa;|-   bb;|+  cc;", "f {|  cc;|}"],
  ["all old lines have", "f {|  aa;|  bb;|}", "  f {|-   aa;|+  cc;|   bb;", "f {|  cc;|  bb;|}"],
  ["all old lines have two", "f {|  aa;|  bb;|}", "   f {|-    aa;|+  cc;|     bb;", "f {|  cc;|  bb;|}"],
  ["lines that stay have", "f {|  aa;|  bb;|}", "   f {|     aa;|+  cc;", "f {|  aa;|  cc;|  bb;|}"],
  ["all lines have one", "f {|  aa;|  bb;|}", "  f {|    aa;|+   cc;", "f {|  aa;|  cc;|  bb;|}"],
  ["all lines have two, in one column", "f {|  aa;|  bb;|}", "   f {|-    aa;|+    cc;", "f {|  cc;|  bb;|}"],
  ["all lines lack two", "g {|  f {|    aa;|  }|}", " f {|-  aa;|+  cc;", "g {|  f {|    cc;|  }|}"],
  ["new lines are as they are, or have two", "f {|  aa;|  bb;|}", "     aa;|+    cc;|     bb;", "!ambiguous"],
  ["new lines fit in both ways", "f {|  aa;|  bb;|}", "   f {|+  cc;|     aa;", "!ambiguous"],
])("row 33: how new lines are indented where %s", (_, before, rows, expected) => {
  expect(placed(before.split("|"), rowsOf(rows))).toBe(expected);
});

test.each([
  ["f {|  aa;|}", "-  }|+};", "f {|  aa;|};"],
  ["f {|  aa;|}", "-}  |+};", "f {|  aa;|};"],
  ["f {|  aa;|}", "-    }|+};", "!ambiguous"],
  ["f {|}|g {|}", "-  }|+};", "!ambiguous"],
])("row 33: a lone brace with blanks too many: in %s, %s", (before, rows, expected) => {
  expect(placed(before.split("|"), rowsOf(rows))).toBe(expected);
});

const level = fc.constantFrom("", "  ", "    ");
const unlike = fc.uniqueArray(fc.tuple(level, fc.integer({ min: 10, max: 99 })), {
  minLength: 3,
  maxLength: 9,
  selector: ([, number]) => number,
});

test("law: new lines beside lines with one or two blanks too many are indented as intended, or refused as ambiguous", () => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(
      unlike,
      fc.array(level, { minLength: 1, maxLength: 3 }),
      fc.nat(8),
      fc.nat(2),
      fc.constantFrom(" ", "  "),
      fc.boolean(),
      (lines, levels, at, size, blanks, isAll) => {
        const before = lines.map(([indent, number]) => `${indent}line${number}();`);
        const start = at % before.length;
        const end = Math.min(before.length, start + size);
        const fresh = levels.map((indent, i) => `${indent}new${i}();`);
        const old = before.slice(start, end);
        const least = (some: readonly string[]) => Math.min(...some.map((line) => line.search(/\S/)));
        // New lines in the column of those that they replace are meant to have the superfluous
        // blanks, too.
        const isOld = isAll && least(fresh) !== least(old) + blanks.length;
        const row = (mark: HunkRow["mark"], more: string) => (text: string) => ({ mark, text: more + text });
        const rows = [
          ...before.slice(Math.max(0, start - 2), start).map(row(" ", blanks)),
          ...old.map(row("-", isOld ? blanks : "")),
          ...fresh.map(row("+", "")),
          ...before.slice(end, end + 2).map(row(" ", blanks)),
        ];
        const meant = [...before.slice(0, start), ...fresh, ...before.slice(end)].join("|");
        const result = placed(before, rows);
        const kind = result === meant ? "as meant" : result;
        counts[kind] = (counts[kind] ?? 0) + 1;
        expect(["as meant", "!ambiguous"]).toContain(kind);
      },
    ),
  );
  // More than half are applied, and some are not.
  expect(counts["as meant"]).toBeGreaterThan(counts["!ambiguous"] ?? 0);
  expect(counts["!ambiguous"]).toBeGreaterThan(0);
});
