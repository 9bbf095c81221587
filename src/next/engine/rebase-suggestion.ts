import { Edit, isInRange, minimalEdit, movedBy, type TextEdit, type TextRange } from "../../text/index.ts";

/** How far typed text may differ from a suggestion and still agree with it. */
export interface RebaseLimits {
  /**
   * The most UTF-16 units of the suggested text that typing may skip; default 10. Source:
   * `maxAgreementOffset` in `editRebase.ts` of microsoft/vscode-copilot-chat.
   */
  readonly maxSkipped?: number;
  /**
   * Typed text longer than this, in UTF-16 units, may skip nothing. Default 1, as in the published
   * `@vscode/chat-lib` 0.66; that project's own source has 5 (`maxImperfectAgreementLength`).
   */
  readonly maxSkippingLength?: number;
  /**
   * Whether the suggestion replaces closers that the editor inserted behind the typed text, as in
   * `()` for `(`. Default `true`.
   */
  readonly absorbsClosers?: boolean;
}

/** The result of rebasing a suggestion over typed text. */
export type RebasedSuggestion =
  /** The rest of the suggestion, as an edit of the new text. It is not empty. */
  | { readonly kind: "kept"; readonly edit: Edit }
  /** The new text contains everything that was suggested, and perhaps more. */
  | { readonly kind: "done" }
  | { readonly kind: "dropped"; readonly reason: RebaseRefusal };

/**
 * Why a suggestion conflicts with the typed text. `at` is the range of the typing in the old text.
 */
export type RebaseRefusal =
  /** The typed text differs from the suggested text there. */
  | { readonly kind: "disagrees"; readonly at: TextRange; readonly typed: string }
  /** The suggestion contains the typed text, but only after `skipped` other UTF-16 units. */
  | { readonly kind: "too-far"; readonly at: TextRange; readonly typed: string; readonly skipped: number }
  /** The suggestion keeps or restores what was deleted. */
  | { readonly kind: "deleted"; readonly at: TextRange; readonly deleted: string }
  /**
   * The typed edit crosses an edge of the suggestion's range, or changes a word that the suggestion
   * changes too.
   */
  | { readonly kind: "entangled"; readonly at: TextRange };

/**
 * Rebases a suggestion over the text typed since. Both are edits of `text`.
 *
 * Returns the rest of the suggestion as an edit of the new text (`kept`); `done` where nothing is
 * left of it, or where it changed nothing; or `dropped` with the reason. `limits` sets how much of
 * the suggested text the typing may skip, and whether closers of the editor are replaced.
 *
 * Each part of the typed edit must be one of these, or the suggestion is dropped:
 * - *on the way*: inside a range that the suggestion replaces. The unchanged text before it and the
 *   typed text occur in the suggested text, in this order;
 * - *beyond*: it contains all of the suggested text there, and more. That part of the suggestion is
 *   done;
 * - *elsewhere*: it touches neither what the suggestion replaces nor a word that it changes. The
 *   suggestion moves.
 *
 * Laws: the result is never a new text. With S the parts of the suggestion that nothing went
 * beyond, and T the parts of the typed edit that are elsewhere or beyond,
 * `edit.apply(typed.apply(text))` equals the text with S and T in it; S and T do not touch each
 * other. Typed text stays where it is, except for closers that the editor inserted. Typing a
 * suggested text from its start keeps the suggestion to its end.
 *
 * An insertion or deletion that has the same effect at several offsets (`}` + newline behind a line
 * of `}`) counts as being where the user typed.
 */
export function rebaseSuggestion(
  text: string,
  suggestion: Edit,
  typed: Edit,
  limits: RebaseLimits = {},
): RebasedSuggestion {
  // Only nearby lines matter, and texts may be long.
  const { start, end } = linesThatMatter(text, [...suggestion.edits, ...typed.edits]);
  const rebased = rebaseIn(text.slice(start, end), suggestion.movedBy(-start), typed.movedBy(-start), limits);
  if (rebased.kind === "kept") return { ...rebased, edit: rebased.edit.movedBy(start) };
  if (rebased.kind === "done") return rebased;
  const { at } = rebased.reason;
  return { ...rebased, reason: { ...rebased.reason, at: movedBy(at, start) } };
}

/**
 * The range of whole lines around the edits, extended on both sides by the longest edit's length:
 * so far an edit may slide.
 */
function linesThatMatter(text: string, edits: readonly TextEdit[]): TextRange {
  const reach = edits.reduce((most, { start, end, text: inserted }) => Math.max(most, end - start, inserted.length), 0);
  const first = edits.reduce((least, { start }) => Math.min(least, start), text.length) - reach;
  const last = edits.reduce((most, { end }) => Math.max(most, end), 0) + reach;
  const feed = last >= text.length ? -1 : text.indexOf("\n", last);
  return { start: first <= 0 ? 0 : text.lastIndexOf("\n", first - 1) + 1, end: feed < 0 ? text.length : feed + 1 };
}

function rebaseIn(text: string, suggestion: Edit, typed: Edit, limits: RebaseLimits): RebasedSuggestion {
  const after = typed.apply(text);
  const goal = suggestion.apply(text);
  const normalized = suggestion.normalize(text);
  if (normalized.isEmpty || after === goal) return { kind: "done" };
  const words = inWords(text, suggestion);
  // Typing over a selection is, as a minimal edit, a deletion with nothing typed. So the typed edit
  // is also tried as it was passed.
  const typings = distinct([inWords(text, typed), typed]);
  for (const suggested of distinct([normalized, words])) {
    for (const typing of typings) {
      const rebased = rebaseParts(text, suggested, typing, { ...limits, lets: "both" });
      if (isSound(rebased) && rebased.kind === "kept" && rebased.edit.apply(after) === goal) return rebased;
    }
  }
  // Not all of the typing was on the way. An edit in words shows best what is elsewhere, the parts
  // as suggested show what went beyond.
  const elsewhere = typings.map((typing) => rebaseParts(text, words, typing, { ...limits, lets: "elsewhere" }));
  const beyond = typings.map((typing) => rebaseParts(text, normalized, typing, { ...limits, lets: "beyond" }));
  return (
    [...elsewhere, ...beyond].find(isSound) ?? elsewhere.find(({ kind }) => kind === "dropped") ?? entangledWith(typed)
  );

  /**
   * Whether the rest deletes nothing that was typed over other text: otherwise more was typed than
   * was suggested.
   */
  function isSound(one: RebasedSuggestion): boolean {
    return one.kind === "done" || (one.kind === "kept" && !takesTyped(one.edit, typed));
  }
}

function entangledWith(typed: Edit): RebasedSuggestion {
  return { kind: "dropped", reason: { kind: "entangled", at: rangeOf(typed.edits[0]!) } };
}

/** Whether an edit of the new text deletes some of what was typed over other text. */
function takesTyped(edit: Edit, typed: Edit): boolean {
  const ranges = typed.rangesAfter().filter((_, at) => typed.edits[at]!.end > typed.edits[at]!.start);
  return edit.edits.some((part) => ranges.some(({ start, end }) => part.start < end && start < part.end));
}

/** The limits, and which kinds of typing that are not on the way are accepted. */
interface RebaseRules extends RebaseLimits {
  readonly lets: "elsewhere" | "beyond" | "both";
}

function rebaseParts(text: string, suggestion: Edit, given: Edit, limits: RebaseRules): RebasedSuggestion {
  const parts = slideToTyping(text, suggestion.edits, given.edits);
  const typed = splitDeletions(given, parts);
  const after = typed.apply(text);
  const ranges = typed.rangesAfter();
  const pieces = typed.edits.map((edit, i) => ({ ...edit, after: ranges[i]! }));

  const left: TextEdit[] = [];
  let beyond: TypedPart | undefined;
  for (const piece of pieces) {
    if (parts.some((part) => isInRange(piece, part))) continue;
    if (parts.some((part) => crosses(part, piece)))
      return { kind: "dropped", reason: { kind: "entangled", at: rangeOf(piece) } };
    const covered = parts.filter((part) => isInRange(part, piece));
    if (covered.length > 0) {
      const rest = restBehind(text, piece, covered, limits);
      if (typeof rest !== "string") return { kind: "dropped", reason: rest };
      if (rest === "") beyond = piece;
      left.push({ start: piece.after.end, end: piece.after.end, text: rest });
    } else if (limits.lets === "beyond" || parts.some((part) => isEntangled(text, piece, part))) {
      return { kind: "dropped", reason: { kind: "entangled", at: rangeOf(piece) } };
    }
  }
  for (const part of parts) {
    const inside = pieces.filter((piece) => isInRange(piece, part));
    if (inside.length === 0 && pieces.some((piece) => isInRange(part, piece))) continue;
    const rest = restInside(text, after, part, inside, pieces, limits);
    if ("kind" in rest) {
      const [only] = inside;
      const isBeyond = inside.length === 1 && isInRange(part, only!) && restBehind(text, only!, [part], limits) === "";
      if (!isBeyond) return { kind: "dropped", reason: rest };
      beyond = only;
    } else left.push(...rest);
  }
  if (beyond !== undefined && limits.lets === "elsewhere") return { kind: "dropped", reason: disagreement(beyond) };
  const edit = Edit.of(left.sort((one, other) => one.start - other.start)).normalize(after);
  return edit.isEmpty ? { kind: "done" } : { kind: "kept", edit };
}

/** A part of the typed edit, and its range in the new text. */
interface TypedPart extends TextEdit {
  readonly after: TextRange;
}

/**
 * Returns the rest of one part of a suggestion after `inside` was typed within it, as edits of the
 * new text; or why they conflict.
 */
function restInside(
  text: string,
  after: string,
  part: TextEdit,
  inside: readonly TypedPart[],
  typed: readonly TypedPart[],
  limits: RebaseLimits,
): readonly TextEdit[] | RebaseRefusal {
  const { maxSkipped = 10, maxSkippingLength = 1, absorbsClosers = true } = limits;
  const before = typed.filter((piece) => piece.end <= part.start && !inside.includes(piece));
  const start = part.start + growth(before);
  const end = part.end + growth(before) + growth(inside);

  const rest: TextEdit[] = [];
  let passed = start;
  let from = 0;
  let skipped = 0;
  /**
   * Keeps text that is both in the new text and in the suggested text at `at`, and inserts the
   * missing text in front of it.
   */
  const pass = (typedText: string, at: number) => {
    rest.push({ start: passed, end: passed, text: part.text.slice(from, at) });
    passed += typedText.length;
    from = at + typedText.length;
  };
  for (const piece of inside) {
    const deleted = text.slice(piece.start, piece.end);
    if (piece.text === "") {
      if (part.text.includes(deleted)) return { kind: "deleted", at: rangeOf(piece), deleted };
      continue;
    }
    const most = (length: number) => (deleted !== "" || length > maxSkippingLength ? 0 : maxSkipped);
    const isFine = (candidate: string, at: number) => at >= 0 && skipped + at - from <= most(candidate.length);
    let typedText = after.slice(passed, piece.after.end);
    let at = part.text.indexOf(typedText, from);
    if (!isFine(typedText, at)) {
      const closers = absorbsClosers ? stripAutoClosers(piece.text) : undefined;
      const opened = closers === undefined ? "" : typedText.slice(0, typedText.length - closers.length);
      const openedAt = closers === undefined ? -1 : part.text.indexOf(opened, from);
      const isAbsorbed = isFine(opened, openedAt) && hasInOrder(part.text.slice(openedAt + opened.length), closers!);
      if (!isAbsorbed) return at < 0 ? disagreement(piece) : { ...disagreement(piece), kind: "too-far", skipped: at };
      typedText = opened;
      at = openedAt;
    }
    skipped += at - from;
    pass(typedText, at);
    for (const closer of after.slice(passed, piece.after.end)) pass(closer, part.text.indexOf(closer, from));
  }
  rest.push({ start: passed, end, text: part.text.slice(from) });
  return rest;
}

/**
 * Returns the text to insert behind `piece`, which was typed in place of text that contains whole
 * parts of a suggestion; or why they conflict. Empty where it contains all that was suggested.
 */
function restBehind(
  text: string,
  piece: TypedPart,
  covered: readonly TextEdit[],
  { maxSkipped = 10, maxSkippingLength = 1 }: RebaseLimits,
): string | RebaseRefusal {
  const old = text.slice(piece.start, piece.end);
  const local = covered.map((part) => ({ ...part, start: part.start - piece.start, end: part.end - piece.start }));
  const suggested = Edit.of(local).apply(old);
  if (piece.text === suggested) return "";
  if (piece.text === "") return { kind: "deleted", at: rangeOf(piece), deleted: old };
  if (suggested.startsWith(piece.text)) {
    // Deletions insert nothing: the rest is text that was deleted beyond them.
    const isDeletion = covered.every((part) => part.text === "");
    return isDeletion ? { kind: "deleted", at: rangeOf(piece), deleted: old } : suggested.slice(piece.text.length);
  }
  const at = suggested === "" ? -1 : piece.text.indexOf(suggested);
  const isBeyond = at >= 0 && at <= (suggested.length > maxSkippingLength ? 0 : maxSkipped);
  return isBeyond ? "" : disagreement(piece);
}

/**
 * The suggestion's parts; those that only insert or only delete are moved to where the same was
 * typed or deleted, where that has the same effect. The parts stay in order and apart.
 */
function slideToTyping(text: string, parts: readonly TextEdit[], typed: readonly TextEdit[]): readonly TextEdit[] {
  const slid: TextEdit[] = [];
  for (const [i, part] of parts.entries()) {
    const low = slid.length === 0 ? -1 : slid.at(-1)!.end;
    const high = parts[i + 1]?.start ?? text.length + 1;
    const options = typed
      .filter((piece) => belongTogether(text, part, piece))
      .map(({ start }) => trySlide(text, part, start))
      .filter((option) => option !== undefined && low < option.start && option.end < high);
    slid.push(options[0] ?? part);
  }
  return slid;
}

/**
 * Whether a part of a suggestion and typed text should be moved to one place, if possible. Both
 * must delete, or both insert; and they must be on one line, be separated by white space only, or
 * one must contain the other's text. A line inserted above a `}` is not the line suggested below
 * it.
 */
function belongTogether(text: string, part: TextEdit, typed: TextEdit): boolean {
  const isInsertion = part.start === part.end;
  if (isInsertion !== (typed.start === typed.end)) return false;
  if (!isInsertion) return part.text === "" && typed.text === "";
  const between = text.slice(Math.min(part.start, typed.start), Math.max(part.start, typed.start));
  if (between.trim() === "" || !/[\r\n]/.test(between)) return true;
  const [suggested, typedText] = [part.text.trim(), typed.text.trim()];
  return suggested !== "" && typedText !== "" && (suggested.includes(typedText) || typedText.includes(suggested));
}

/**
 * The same edit with its deletions cut at the ends of the suggestion's deletions, into what both
 * delete and what only one does.
 */
function splitDeletions(typed: Edit, parts: readonly TextEdit[]): Edit {
  const edges = parts.filter(({ text }) => text === "").flatMap(({ start, end }) => [start, end]);
  return Edit.of(
    typed.edits.flatMap((piece) => {
      if (piece.text !== "") return [piece];
      const cuts = [piece.start, ...edges.filter((edge) => piece.start < edge && edge < piece.end), piece.end];
      return cuts.slice(1).map((end, i) => ({ start: cuts[i]!, end, text: "" }));
    }),
  );
}

/** The edit as minimal changes of words, without text that it replaces by the same. */
function inWords(text: string, edit: Edit): Edit {
  return Edit.of(
    edit.edits.flatMap(({ start, end, text: inserted }) =>
      minimalEdit(text.slice(start, end), inserted).edits.map((edit) => ({
        start: start + edit.start,
        end: start + edit.end,
        text: edit.text,
      })),
    ),
  ).normalize(text);
}

/**
 * Whether a typed edit and a part of a suggestion, neither of which contains the other, conflict.
 */
function isEntangled(text: string, typed: TextEdit, part: TextEdit): boolean {
  const bothDelete = typed.text === "" && part.text === "";
  if (bothDelete) return typed.start < part.end && part.start < typed.end;
  const one = wholeWords(text, typed);
  return one.start <= part.end && part.start <= one.end;
}

/**
 * The range of an edit, extended to whole words that it changes. Punctuation typed right behind a
 * word leaves the word unchanged.
 */
function wholeWords(text: string, { start, end, text: inserted }: TextEdit): TextRange {
  const isInsertion = start === end;
  if (!isInsertion || isWordUnit(inserted.charAt(0))) while (isWordUnit(text.charAt(start - 1))) start--;
  if (!isInsertion || isWordUnit(inserted.slice(-1))) while (isWordUnit(text.charAt(end))) end++;
  return { start, end };
}

function isWordUnit(unit: string): boolean {
  return /[\p{L}\p{M}\p{N}\p{Cs}_$]/u.test(unit);
}

/** Whether two ranges overlap and neither contains the other. */
function crosses(one: TextRange, other: TextRange): boolean {
  return one.start < other.end && other.start < one.end && !isInRange(other, one) && !isInRange(one, other);
}

function growth(pieces: readonly TextEdit[]): number {
  return pieces.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0);
}

function hasInOrder(text: string, units: string): boolean {
  let from = 0;
  for (const unit of units) {
    from = text.indexOf(unit, from) + 1;
    if (from === 0) return false;
  }
  return true;
}

function disagreement(piece: TextEdit): { readonly kind: "disagrees"; readonly at: TextRange; readonly typed: string } {
  return { kind: "disagrees", at: rangeOf(piece), typed: piece.text };
}

function rangeOf({ start, end }: TextRange): TextRange {
  return { start, end };
}

function distinct(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter((edit, i) => edits.findIndex((other) => other.equals(edit)) === i);
}

const pairs: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);

/**
 * Returns the closers at the end of a typed text that an editor may have inserted automatically:
 * `)` of `(a)`, `])` of `f([])`. `undefined` where there are none.
 *
 * Editors insert closing brackets and quotes behind what the user types. The text does not show
 * whether the user typed them.
 */
function stripAutoClosers(typed: string): string | undefined {
  for (let at = 1; at < typed.length; at++) {
    const closers = typed.slice(at);
    if (openClosersOf(typed.slice(0, at)).startsWith(closers)) return closers;
  }
  return undefined;
}

/** The closers of all brackets and quotes that a text leaves open, the innermost first. */
function openClosersOf(text: string): string {
  const openClosers: string[] = [];
  for (const unit of text) {
    if (unit === openClosers.at(-1)) openClosers.pop();
    else if (pairs.has(unit)) openClosers.push(pairs.get(unit)!);
  }
  return openClosers.reverse().join("");
}

/**
 * Returns the insertion or deletion of `text` that begins at `start` and has the same effect as
 * `part`, which only inserts or only deletes; `undefined` where there is none.
 *
 * `x` inserted behind the `x` of `axb` could also be inserted before it: the texts do not show
 * which.
 */
export function trySlide(text: string, part: TextEdit, start: number): TextEdit | undefined {
  const length = part.end - part.start;
  const forward = start >= part.start;
  if (length === 0) {
    const passed = text.slice(Math.min(start, part.start), Math.max(start, part.start));
    const whole = forward ? part.text + passed : passed + part.text;
    if (forward ? !whole.startsWith(passed) : !whole.endsWith(passed)) return undefined;
    const inserted = forward ? whole.slice(passed.length) : whole.slice(0, part.text.length);
    return { start, end: start, text: inserted };
  }
  const [near, far] = forward ? [part.start, start] : [start, part.start];
  const isSame = text.slice(near, far) === text.slice(near + length, far + length);
  return isSame && far + length <= text.length ? { start, end: start + length, text: "" } : undefined;
}
