import fc from "fast-check";
import { expect, test } from "vitest";
import { carryOver } from "./carry-over.ts";
import { readEdit } from "./edit.laws.ts";
import { minimalEdit } from "./minimal-edit.ts";
import { applyWorkspaceEdit, type FileChange, workspaceEdit } from "./workspace-edit.ts";

interface Case {
  readonly what: string;
  readonly before: string;
  readonly change: FileChange | string;
  readonly now: Readonly<Record<string, string>>;
  readonly expected: Readonly<Record<string, string>> | "stale";
}

const cases: readonly Case[] = [
  { what: "nothing happened", before: "a\nb\n", change: "a\nB\n", now: { f: "a\nb\n" }, expected: { f: "a\nB\n" } },
  { what: "lines above", before: "a\nb\n", change: "a\nB\n", now: { f: "x\na\nb\n" }, expected: { f: "x\na\nB\n" } },
  { what: "the line beside", before: "a\nb\n", change: "a\nB\n", now: { f: "x\nb\n" }, expected: { f: "x\nB\n" } },
  { what: "the same line", before: "a\nb\n", change: "a\nB\n", now: { f: "a\nbb\n" }, expected: "stale" },
  {
    what: "the same line, in another word",
    before: "one two\n",
    change: "one 2\n",
    now: { f: "1 two\n" },
    expected: "stale",
  },
  { what: "the file is gone", before: "a\n", change: "b\n", now: {}, expected: "stale" },
  { what: "removed as it was", before: "a\n", change: { kind: "delete", uri: "f" }, now: { f: "a\n" }, expected: {} },
  {
    what: "removed, and written meanwhile",
    before: "a\n",
    change: { kind: "delete", uri: "f" },
    now: { f: "b\n" },
    expected: "stale",
  },
  {
    what: "made, and made meanwhile",
    before: "a\n",
    change: { kind: "create", uri: "g", text: "" },
    now: { f: "a\n", g: "b\n" },
    expected: "stale",
  },
  {
    what: "moved onto a file that has appeared",
    before: "a\n",
    change: { kind: "rename", uri: "f", uriAfter: "g", edit: minimalEdit("a\n", "b\n") },
    now: { f: "a\n", g: "" },
    expected: "stale",
  },
];

for (const { what, before, change, now, expected } of cases) {
  test(`an edit is carried over a change meanwhile: ${what}`, async () => {
    const files = new Map([["f", before]]);
    const edit =
      typeof change === "string" ? { kind: "edit" as const, uri: "f", edit: minimalEdit(before, change) } : change;
    const carried = await carryOver(files, workspaceEdit([edit]), async (path) => now[path]);
    expect(carried.kind === "stale" ? "stale" : filesOf(carried)).toEqual(expected);
  });
}

test.each([
  ["a\n[b|x]\nc\n", "new\na\nb\nc\n", "new\na\nx\nc\n"],
  ["a\n[b|x]\nc\n", "a\nbb\nc\n", undefined],
  ["a\nb[|x]\nc\n", "a\nyb\nc\n", undefined],
  ["a\n[|x\n]b\n", "a\ny\nb\n", undefined],
  ["a\n[|x\n]b\n", "y\nb\n", "y\nx\nb\n"],
])("the edit %j where the text is %j", async (marked, now, expected) => {
  const { text: before, edit } = readEdit(marked);
  const change: FileChange = { kind: "edit", uri: "f", edit };
  const carried = await carryOver(new Map([["f", before]]), workspaceEdit([change]), async () => now);
  expect(carried.kind === "stale" ? undefined : filesOf(carried)).toEqual(expected && { f: expected });
});

test("an edit of texts that did not change is carried over as it is", async () => {
  const files = new Map([["f", "a\nb\n"]]);
  const edit = workspaceEdit([{ kind: "edit", uri: "f", edit: minimalEdit("a\nb\n", "a\nB\n") }]);
  const carried = await carryOver(files, edit, async () => "a\nb\n");
  expect(carried.kind === "carried" && carried.edit === edit && carried.files === files).toBe(true);
});

/** The files after an edit that was carried over. */
function filesOf({ files, edit }: Exclude<Awaited<ReturnType<typeof carryOver>>, { readonly kind: "stale" }>) {
  const applied = applyWorkspaceEdit(files, edit);
  return applied.kind === "applied" ? Object.fromEntries(applied.files) : applied;
}

test("carrying an edit over never loses text that was written meanwhile", async () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 6 })
    .map((lines) => `${lines.join("\n")}\n`);
  await fc.assert(
    fc.asyncProperty(text, text, text, async (before, after, extra) => {
      fc.pre(before !== after);
      const now = `${extra.replaceAll(/\w/g, "new")}${before}`;
      const edit = workspaceEdit([{ kind: "edit", uri: "f", edit: minimalEdit(before, after) }]);
      const carried = await carryOver(new Map([["f", before]]), edit, async () => now);
      fc.pre(carried.kind !== "stale");
      const kept = "new\n".repeat(extra.split("\n").length - 1);
      expect(filesOf(carried)).toEqual({ f: expect.stringContaining(kept) });
    }),
  );
});
