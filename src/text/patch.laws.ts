/** Texts that differ in lines, for the tests about patches. */
import fc from "fast-check";
import { applyFilePatch } from "./apply-file-patch.ts";
import { invariant } from "./errors.ts";
import type { FilePatch } from "./unified-diff.ts";
import type { FileTexts } from "./workspace-edit.ts";

/**
 * Texts of a few lines, most of them alike, with either line ending, with or without one at the
 * end.
 */
export const anyLineText = fc
  .tuple(
    fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\r\n", "-- x\n", "++ x\n", "é \\ 😀\n"), { maxLength: 16 }),
    fc.constantFrom("", "", "end", "\r"),
  )
  .map(([lines, end]) => lines.join("") + end);

/** Two texts, the second made from the first by replacing a few runs of lines. */
export const anyTwoTexts = fc
  .tuple(anyLineText, fc.array(fc.tuple(fc.nat(16), fc.nat(2), anyLineText), { maxLength: 2 }))
  .map(([before, splices]) => {
    const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    for (const [at, count, inserted] of splices) lines.splice(at, count, ...(inserted.match(/[^\n]*\n/g) ?? []));
    return { before, after: lines.join("") };
  });

/** The files after patches that all fit, each of the text before all of them. */
export function patchedFiles(files: FileTexts, patches: readonly FilePatch[]): FileTexts {
  const after = new Map(files);
  for (const { kind, pathBefore } of patches)
    if (pathBefore !== undefined && (kind === "delete" || kind === "rename")) after.delete(pathBefore);
  for (const patch of patches) {
    const { pathBefore, pathAfter } = patch;
    const before = pathBefore === undefined ? undefined : files.get(pathBefore);
    const outcome = applyFilePatch(patch, before);
    invariant(outcome.kind === "applied", () => JSON.stringify({ patch, outcome }));
    if (pathAfter !== undefined) after.set(pathAfter, outcome.edit.apply(before ?? ""));
  }
  return after;
}
