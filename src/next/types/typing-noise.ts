import type { TypeFinding } from "../../codebase/index.ts";
import { minimalEdit, type TextRange } from "../../text/index.ts";
import type { Moment } from "../next-edit-source.ts";

/**
 * Whether a complaint may be about what is not written to its end yet: it is on the cursor's own line. A name that means nothing is one all the same once the cursor
 * has left it, for what mends that stands elsewhere. `text` is the text that the finding speaks of, the moment's own or one made of it.
 */
export function isTypingNoise(
  finding: TypeFinding,
  moment: Pick<Moment, "path" | "text" | "cursor">,
  text: string,
): boolean {
  if (finding.path !== moment.path) return false;
  const { line, cursor } = cursorLine(moment, text);
  if (finding.start >= line.end || finding.end < line.start) return false;
  const isLeft = finding.end < cursor || cursor < finding.start;
  return !(isLeft && namelessCodes.has(finding.code));
}

/** TypeScript's complaints that a name means nothing. */
const namelessCodes: ReadonlySet<string> = new Set(["2304", "2503", "2552"]);

function cursorLine(
  { text, cursor }: Pick<Moment, "text" | "cursor">,
  now: string,
): { readonly line: TextRange; readonly cursor: number } {
  const edit = minimalEdit(text, now);
  const start = cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
  const feed = text.indexOf("\n", cursor);
  const line = { start, end: feed < 0 ? text.length + 1 : feed + 1 };
  return {
    line: { start: edit.mapOffset(line.start, "after"), end: edit.mapOffset(line.end, "before") },
    cursor: edit.mapOffset(cursor, "after"),
  };
}
