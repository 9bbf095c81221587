import type { TypeFinding } from "../../codebase/index.ts";
import { Edit, type TextRange } from "../../text/index.ts";
import { isAboutAnyLibrary, mayBeForLackOfLibrary } from "./library-findings.ts";

/** What became of the complaints about a file. */
export interface ComparedFindings {
  /** Those that came, in the text after the edit. */
  readonly fresh: readonly TypeFinding[];
  /** Those that are gone, in the text before. */
  readonly gone: readonly TypeFinding[];
}

/**
 * Compares the complaints about one file before and after an edit of it; without one, those about any files, whatever was done to others.
 *
 * The same complaint at the place that the edit moves it to is the same; so is one of the same words elsewhere, for lines move, and one of the same code at the same
 * place or in the edited lines, for messages name types that change. Each pairs with one at most. What libraries that are not there are to blame for is left out.
 * Law: where nothing is edited, of the same complaints none is fresh and none is gone.
 */
export function compareFindings(
  before: readonly TypeFinding[],
  after: readonly TypeFinding[],
  { edit, lines }: { readonly edit: Edit; readonly lines?: EditedLines } = { edit: Edit.empty },
): ComparedFindings {
  const lacksLibrary = before.some(isAboutAnyLibrary) || after.some(isAboutAnyLibrary);
  const counts = (finding: TypeFinding) =>
    !isAboutAnyLibrary(finding) && !(lacksLibrary && mayBeForLackOfLibrary(finding));
  let gone = before.filter(counts).map((finding) => ({ finding, at: edit.mapOffset(finding.start, "after") }));
  let fresh = after.filter(counts);
  const pairBy = (
    keyBefore: (one: Moved) => string | undefined,
    keyAfter: (one: TypeFinding) => string | undefined,
  ) => {
    const waiting = new Map<string, Moved[]>();
    // The first of a key is the last of its list, from where it is taken.
    for (const one of gone.toReversed()) {
      const key = keyBefore(one);
      if (key === undefined) continue;
      const same = waiting.get(key);
      if (same === undefined) waiting.set(key, [one]);
      else same.push(one);
    }
    const paired = new Set<Moved>();
    fresh = fresh.filter((one) => {
      const partner = waiting.get(keyAfter(one) ?? "")?.pop();
      if (partner !== undefined) paired.add(partner);
      return partner === undefined;
    });
    gone = gone.filter((one) => !paired.has(one));
  };
  const kind = ({ path, code }: TypeFinding) => `${code} ${path}`;
  const words = (finding: TypeFinding) => `${kind(finding)} ${finding.message}`;
  pairBy(
    ({ finding, at }) => `${at} ${words(finding)}`,
    (finding) => `${finding.start} ${words(finding)}`,
  );
  pairBy(({ finding }) => words(finding), words);
  pairBy(
    ({ finding, at }) => `${at} ${kind(finding)}`,
    (finding) => `${finding.start} ${kind(finding)}`,
  );
  if (lines !== undefined)
    pairBy(
      ({ finding }) => (isIn(lines.before, finding.start) ? kind(finding) : undefined),
      (finding) => (isIn(lines.after, finding.start) ? kind(finding) : undefined),
    );
  return { fresh, gone: gone.map(({ finding }) => finding) };
}

/** The lines that an edit changes, whole, as ranges of the texts before and after it. */
export interface EditedLines {
  readonly before: readonly TextRange[];
  readonly after: readonly TextRange[];
}

/** The lines that an edit changes. */
export function editedLines(before: string, edit: Edit, after = edit.apply(before)): EditedLines {
  return {
    before: edit.edits.map((range) => wholeLines(before, range)),
    after: edit.rangesAfter().map((range) => wholeLines(after, range)),
  };
}

/** A finding with where its start is after the edit. */
interface Moved {
  readonly finding: TypeFinding;
  readonly at: number;
}

function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const feed = text.indexOf("\n", end);
  return { start: start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1, end: feed < 0 ? text.length + 1 : feed + 1 };
}

function isIn(ranges: readonly TextRange[], offset: number): boolean {
  return ranges.some(({ start, end }) => start <= offset && offset < end);
}
