import { splitPatchLines, type TextEdit, tryDiffFile } from "../../../src/text/index.ts";

/**
 * The replacements of the selected hunks, in offsets of the text before. Hunks count from 0, in the
 * order of {@link tryFileDiff}.
 *
 * Laws: all hunks convert the text before into the text after; no hunks give no replacements; the
 * text of hunks that are not selected is unchanged.
 */
export function editsOfHunks(
  { before, after }: { readonly before: string; readonly after: string },
  isChosen: (hunk: number) => boolean,
): readonly TextEdit[] {
  const patch = tryDiffFile({ path: "", before, after });
  const offsets = [0];
  for (const line of splitPatchLines(before)) offsets.push(offsets.at(-1)! + line.length);
  const edits: TextEdit[] = [];
  for (const [at, { beforeStart, lines }] of (patch?.hunks ?? []).entries()) {
    if (!isChosen(at)) continue;
    let line = beforeStart;
    let open: { start: number; text: string } | undefined;
    const close = () => {
      if (open !== undefined) edits.push({ start: offsets[open.start]!, end: offsets[line]!, text: open.text });
      open = undefined;
    };
    for (const { kind, text } of lines) {
      if (kind === "keep") close();
      else open ??= { start: line, text: "" };
      if (kind === "insert") open!.text += text;
      else line++;
    }
    close();
  }
  return edits;
}
