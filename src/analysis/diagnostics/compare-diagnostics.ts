import { addToGroup, countsOf, Edit, type TextRange } from "../../text/index.ts";
import { isAboutLibrary, missingPackage } from "./library-diagnostics.ts";
import type { Diagnostic } from "./type-checker.ts";

/**
 * Returns the diagnostics of a later state that an earlier one did not have, where diagnostics are
 * matched by key: what stays the same while lines move and messages name types that change, such as
 * block and code. A diagnostic without a key is ignored. Where a key has no more diagnostics than
 * before, none of them is new. Where it has more, those with a message that it had before are not
 * new, and all others are, since which of them are older is unknown.
 */
export function newDiagnostics<T extends { readonly message: string }>(
  before: readonly T[],
  after: readonly T[],
  keyBefore: (one: T) => string | undefined,
  keyAfter = keyBefore,
): readonly T[] {
  const keyed = (all: readonly T[], keyOf: (one: T) => string | undefined) =>
    all.flatMap((one) => {
      const key = keyOf(one);
      return key === undefined ? [] : [{ key, one }];
    });
  const words = ({ key, one }: { readonly key: string; readonly one: T }) => `${key}\n${one.message}`;
  const left = unpaired({ gone: keyed(before, keyBefore), fresh: keyed(after, keyAfter) }, words, words);
  const more = countsOf(left.fresh.map(({ key }) => key));
  for (const { key } of left.gone) more.set(key, (more.get(key) ?? 0) - 1);
  return left.fresh.filter(({ key }) => more.get(key)! > 0).map(({ one }) => one);
}

/** The difference between the diagnostics of a file before and after an edit. */
export interface ComparedDiagnostics {
  /** The new diagnostics, with offsets in the text after the edit. */
  readonly fresh: readonly Diagnostic[];
  /** The diagnostics that are gone, with offsets in the text before the edit. */
  readonly gone: readonly Diagnostic[];
}

/**
 * Compares the diagnostics of one file before and after an edit of it; without an edit, those of
 * any files whatever changed elsewhere. Returns those of `after` and of `before` that have no
 * partner.
 *
 * Two diagnostics are paired, in this order, when they have the same message at the place that the
 * edit moves it to; the same message anywhere in the file, because lines move; or the same code at
 * the same place or, with `lines`, in the edited lines, because messages contain types that change.
 * Each is paired at most once. Diagnostics caused by missing libraries are left out.
 *
 * Law: without an edit, equal lists give neither new nor gone diagnostics.
 */
export function compareDiagnostics(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  { edit, lines }: { readonly edit: Edit; readonly lines?: EditedLines } = { edit: Edit.empty },
): ComparedDiagnostics {
  const lacksLibrary = before.some(isAboutAnyLibrary) || after.some(isAboutAnyLibrary);
  const counts = (one: Diagnostic) => !isAboutAnyLibrary(one) && !(lacksLibrary && ofInference.has(one.code));
  const kind = ({ path, code }: Diagnostic) => `${code} ${path}`;
  const words = (one: Diagnostic) => `${kind(one)} ${one.message}`;
  const moved = ({ start }: Diagnostic) => edit.mapOffset(start, "after");
  let left: ComparedDiagnostics = { gone: before.filter(counts), fresh: after.filter(counts) };
  left = unpaired(
    left,
    (one) => `${moved(one)} ${words(one)}`,
    (one) => `${one.start} ${words(one)}`,
  );
  left = unpaired(left, words, words);
  left = unpaired(
    left,
    (one) => `${moved(one)} ${kind(one)}`,
    (one) => `${one.start} ${kind(one)}`,
  );
  if (lines === undefined) return left;
  return unpaired(
    left,
    (one) => (isIn(lines.before, one.start) ? kind(one) : undefined),
    (one) => (isIn(lines.after, one.start) ? kind(one) : undefined),
  );
}

/** The whole lines that an edit changes, as ranges of the text before and of the text after. */
export interface EditedLines {
  readonly before: readonly TextRange[];
  readonly after: readonly TextRange[];
}

/**
 * Returns the whole lines that an edit of `before` changes, as ranges of offsets in the text before
 * and in the text after.
 */
export function editedLines(before: string, edit: Edit, after = edit.apply(before)): EditedLines {
  return {
    before: edit.edits.map((range) => wholeLines(before, range)),
    after: edit.rangesAfter().map((range) => wholeLines(after, range)),
  };
}

/**
 * What is left of two lists when each of one is paired with the first of the other that has its
 * key; those without a key stay.
 */
function unpaired<T>(
  { gone, fresh }: { readonly gone: readonly T[]; readonly fresh: readonly T[] },
  keyBefore: (one: T) => string | undefined,
  keyAfter: (one: T) => string | undefined,
): { readonly gone: readonly T[]; readonly fresh: readonly T[] } {
  const waiting = new Map<string, T[]>();
  // The lists are reversed, so that `pop` takes the first diagnostic of a key.
  for (const one of gone.toReversed()) {
    const key = keyBefore(one);
    if (key !== undefined) addToGroup(waiting, key, one);
  }
  const paired = new Set<T>();
  const left = fresh.filter((one) => {
    const key = keyAfter(one);
    const partner = key === undefined ? undefined : waiting.get(key)?.pop();
    if (partner !== undefined) paired.add(partner);
    return partner === undefined;
  });
  return { gone: gone.filter((one) => !paired.has(one)), fresh: left };
}

function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const feed = text.indexOf("\n", end);
  return { start: start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1, end: feed < 0 ? text.length + 1 : feed + 1 };
}

function isIn(ranges: readonly TextRange[], offset: number): boolean {
  return ranges.some(({ start, end }) => start <= offset && offset < end);
}

/**
 * Whether a diagnostic is about a library, or names one that cannot be found: no edit is the cause.
 */
function isAboutAnyLibrary(diagnostic: Diagnostic): boolean {
  return isAboutLibrary(diagnostic) || missingPackage(diagnostic) !== undefined;
}

/**
 * TypeScript's codes for a type that cannot be inferred. A missing library may be the cause: the
 * checker could not infer a type from it.
 */
const ofInference: ReadonlySet<string> = new Set(["7005", "7006", "7008", "7010", "7011", "7019", "7031", "7034"]);
