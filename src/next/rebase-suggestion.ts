import { Edit, minimalEdit, type TextEdit, type TextRange } from "../text/index.ts";
import { stripAutoClosers } from "./auto-closers.ts";
import { trySlide } from "./try-slide.ts";

/** How far typing may be from what was suggested and still count as agreeing with it. */
export interface RebaseLimits {
  /**
   * The most code units of the suggested text that typing may leave out in front of it; 10 unless told.
   * Source: `maxAgreementOffset` in `editRebase.ts` of microsoft/vscode-copilot-chat.
   */
  readonly maxSkipped?: number;
  /**
   * Typing longer than this, in code units, leaves out nothing. 1 unless told, as in the published `@vscode/chat-lib` 0.66; that project's own
   * tree has 5 (`maxImperfectAgreementLength`).
   */
  readonly maxSkippingLength?: number;
  /** Whether closers that the editor put behind what was typed, as in `()` for `(`, give way to the suggestion; they do unless told otherwise. */
  readonly absorbsClosers?: boolean;
}

/** What became of a suggestion while a person typed. */
export type RebasedSuggestion =
  /** What is left of it, as an edit of the new text. It changes something. */
  | { readonly kind: "kept"; readonly edit: Edit }
  /** The new text says all that was suggested, and perhaps more. */
  | { readonly kind: "done" }
  | { readonly kind: "dropped"; readonly reason: RebaseRefusal };

/** Why typing and a suggestion do not go together. `at` is the place of the typing in the text before. */
export type RebaseRefusal =
  /** Something else was typed than was suggested there. */
  | { readonly kind: "disagrees"; readonly at: TextRange; readonly typed: string }
  /** What was typed stands in the suggestion, but only behind `skipped` other code units. */
  | { readonly kind: "too-far"; readonly at: TextRange; readonly typed: string; readonly skipped: number }
  /** What was deleted, the suggestion keeps or puts back. */
  | { readonly kind: "deleted"; readonly at: TextRange; readonly deleted: string }
  /** The typing reaches over an edge of what the suggestion replaces, or stands elsewhere in a word that it changes. */
  | { readonly kind: "entangled"; readonly at: TextRange };

/**
 * Carries a suggestion over what was typed since. Both are edits of `text`.
 *
 * Each part of the typing is one of these, or the suggestion is dropped:
 * - *on the way*: inside of what the suggestion replaces, and what is left before it and what was typed stand in the suggested text, in this order;
 * - *beyond*: it holds all that the suggestion has there, and more. That part of the suggestion is done;
 * - *elsewhere*: it touches neither what the suggestion replaces nor a word that it changes. The suggestion moves.
 *
 * Laws: the result is never a text of its own making. With S the parts of the suggestion that nothing went beyond, and T the parts of the typing
 * that are elsewhere or beyond, `edit.apply(typed.apply(text))` equals the text with S and T in it, which do not touch. What was typed
 * stays where it stands, but for closers of the editor. Typing a suggested text from its front keeps it, to its end.
 *
 * An insertion or deletion that could as well stand elsewhere (`}` + newline behind a line of `}`) counts as standing where the person typed.
 */
export function rebaseSuggestion(
  text: string,
  suggestion: Edit,
  typed: Edit,
  limits: RebaseLimits = {},
): RebasedSuggestion {
  // Nothing further away has a say, and texts may be long.
  const { start, end } = linesThatMatter(text, [...suggestion.edits, ...typed.edits]);
  const rebased = rebaseIn(text.slice(start, end), moved(suggestion, -start), moved(typed, -start), limits);
  if (rebased.kind === "kept") return { ...rebased, edit: moved(rebased.edit, start) };
  if (rebased.kind === "done") return rebased;
  const { at } = rebased.reason;
  return { ...rebased, reason: { ...rebased.reason, at: { start: at.start + start, end: at.end + start } } };
}

/** The lines around edits, as far behind and in front of them as the longest of them may stand elsewhere. */
function linesThatMatter(text: string, edits: readonly TextEdit[]): TextRange {
  const reach = edits.reduce((most, { start, end, text: inserted }) => Math.max(most, end - start, inserted.length), 0);
  const first = edits.reduce((least, { start }) => Math.min(least, start), text.length) - reach;
  const last = edits.reduce((most, { end }) => Math.max(most, end), 0) + reach;
  const feed = last >= text.length ? -1 : text.indexOf("\n", last);
  return { start: first <= 0 ? 0 : text.lastIndexOf("\n", first - 1) + 1, end: feed < 0 ? text.length : feed + 1 };
}

function moved({ edits }: Edit, by: number): Edit {
  return Edit.of(edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text })));
}

function rebaseIn(text: string, suggestion: Edit, typed: Edit, limits: RebaseLimits): RebasedSuggestion {
  const after = typed.apply(text);
  const goal = suggestion.apply(text);
  const whole = suggestion.normalize(text);
  if (whole.isEmpty || after === goal) return { kind: "done" };
  const words = inWords(text, suggestion);
  // A selection that is typed over is, at its least, a deletion with nothing typed: so what was typed is also taken as it is told.
  const typings = distinct([inWords(text, typed), typed]);
  for (const suggested of distinct([whole, words])) {
    for (const typing of typings) {
      const rebased = carryOver(text, suggested, typing, { ...limits, lets: "both" });
      if (isSound(rebased) && rebased.kind === "kept" && rebased.edit.apply(after) === goal) return rebased;
    }
  }
  // Not all of the typing was on the way. The words tell best what stands elsewhere, the parts as they were suggested what went beyond.
  const elsewhere = typings.map((typing) => carryOver(text, words, typing, { ...limits, lets: "elsewhere" }));
  const beyond = typings.map((typing) => carryOver(text, whole, typing, { ...limits, lets: "beyond" }));
  return (
    [...elsewhere, ...beyond].find(isSound) ?? elsewhere.find(({ kind }) => kind === "dropped") ?? entangledWith(typed)
  );

  /** What is left takes nothing away that was typed over something else: then more was typed than was suggested. */
  function isSound(one: RebasedSuggestion): boolean {
    return one.kind === "done" || (one.kind === "kept" && !takesTyped(one.edit, typed));
  }
}

function entangledWith(typed: Edit): RebasedSuggestion {
  return { kind: "dropped", reason: { kind: "entangled", at: rangeOf(typed.edits[0]!) } };
}

/** Whether an edit of the new text takes away some of what was typed over something. */
function takesTyped(edit: Edit, typed: Edit): boolean {
  const ranges = typed.rangesAfter().filter((_, at) => typed.edits[at]!.end > typed.edits[at]!.start);
  return edit.edits.some((part) => ranges.some(({ start, end }) => part.start < end && start < part.end));
}

/** The limits, and which typing there may be that is not on the way. */
interface CarryRules extends RebaseLimits {
  readonly lets: "elsewhere" | "beyond" | "both";
}

function carryOver(text: string, suggestion: Edit, given: Edit, limits: CarryRules): RebasedSuggestion {
  const parts = slideToTyping(text, suggestion.edits, given.edits);
  const typed = splitDeletions(given, parts);
  const after = typed.apply(text);
  const ranges = typed.rangesAfter();
  const pieces = typed.edits.map((edit, i) => ({ ...edit, after: ranges[i]! }));

  const left: TextEdit[] = [];
  let beyond: TypedPart | undefined;
  for (const piece of pieces) {
    if (parts.some((part) => contains(part, piece))) continue;
    if (parts.some((part) => crosses(part, piece)))
      return { kind: "dropped", reason: { kind: "entangled", at: rangeOf(piece) } };
    const covered = parts.filter((part) => contains(piece, part));
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
    const inside = pieces.filter((piece) => contains(part, piece));
    if (inside.length === 0 && pieces.some((piece) => contains(piece, part))) continue;
    const rest = restInside(text, after, part, inside, pieces, limits);
    if ("kind" in rest) {
      const [only] = inside;
      const isBeyond = inside.length === 1 && contains(only!, part) && restBehind(text, only!, [part], limits) === "";
      if (!isBeyond) return { kind: "dropped", reason: rest };
      beyond = only;
    } else left.push(...rest);
  }
  if (beyond !== undefined && limits.lets === "elsewhere") return { kind: "dropped", reason: disagreement(beyond) };
  const edit = Edit.of(left.sort((one, other) => one.start - other.start)).normalize(after);
  return edit.isEmpty ? { kind: "done" } : { kind: "kept", edit };
}

/** A part of the typing, and where its text stands now. */
interface TypedPart extends TextEdit {
  readonly after: TextRange;
}

/** What is left of one part of a suggestion when `inside` was typed inside of it, as edits of the new text; or why it does not agree. */
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
  /** Leaves what stands in the new text, and in the suggested text at `at`, and inserts in front of it what is missing. */
  const pass = (said: string, at: number) => {
    rest.push({ start: passed, end: passed, text: part.text.slice(from, at) });
    passed += said.length;
    from = at + said.length;
  };
  for (const piece of inside) {
    const deleted = text.slice(piece.start, piece.end);
    if (piece.text === "") {
      if (part.text.includes(deleted)) return { kind: "deleted", at: rangeOf(piece), deleted };
      continue;
    }
    const most = (length: number) => (deleted !== "" || length > maxSkippingLength ? 0 : maxSkipped);
    const isFine = (said: string, at: number) => at >= 0 && skipped + at - from <= most(said.length);
    let said = after.slice(passed, piece.after.end);
    let at = part.text.indexOf(said, from);
    if (!isFine(said, at)) {
      const closers = absorbsClosers ? stripAutoClosers(piece.text) : undefined;
      const opened = closers === undefined ? "" : said.slice(0, said.length - closers.length);
      const openedAt = closers === undefined ? -1 : part.text.indexOf(opened, from);
      const isAbsorbed = isFine(opened, openedAt) && hasInOrder(part.text.slice(openedAt + opened.length), closers!);
      if (!isAbsorbed) return at < 0 ? disagreement(piece) : { ...disagreement(piece), kind: "too-far", skipped: at };
      said = opened;
      at = openedAt;
    }
    skipped += at - from;
    pass(said, at);
    for (const closer of after.slice(passed, piece.after.end)) pass(closer, part.text.indexOf(closer, from));
  }
  rest.push({ start: passed, end, text: part.text.slice(from) });
  return rest;
}

/**
 * What is left to insert behind `piece`, which was typed in the place of text that whole parts of a suggestion lie in; or why it does not agree.
 * Nothing when it says all that they would and perhaps more.
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
  if (suggested.startsWith(piece.text)) return suggested.slice(piece.text.length);
  const at = suggested === "" ? -1 : piece.text.indexOf(suggested);
  const isBeyond = at >= 0 && at <= (suggested.length > maxSkippingLength ? 0 : maxSkipped);
  return isBeyond ? "" : disagreement(piece);
}

/**
 * The suggestion's parts, with those that merely insert or merely delete put where the same was typed or deleted, if they do the same there.
 * They stay in order and apart.
 */
function slideToTyping(text: string, parts: readonly TextEdit[], typed: readonly TextEdit[]): readonly TextEdit[] {
  const slid: TextEdit[] = [];
  for (const [i, part] of parts.entries()) {
    const low = slid.length === 0 ? -1 : slid.at(-1)!.end;
    const high = parts[i + 1]?.start ?? text.length + 1;
    const options = typed
      .filter((piece) => meansSamePlace(text, part, piece))
      .map(({ start }) => trySlide(text, part, start))
      .filter((option) => option !== undefined && low < option.start && option.end < high);
    slid.push(options[0] ?? part);
  }
  return slid;
}

/**
 * Whether a part of a suggestion and typing are worth being put in one place, if they can be: both delete, or both insert, and either they stand on
 * one line or with only blanks between them, or what one says stands in the other. A line opened above a `}` is not the line suggested below it.
 */
function meansSamePlace(text: string, part: TextEdit, typed: TextEdit): boolean {
  const isInsertion = part.start === part.end;
  if (isInsertion !== (typed.start === typed.end)) return false;
  if (!isInsertion) return part.text === "" && typed.text === "";
  const between = text.slice(Math.min(part.start, typed.start), Math.max(part.start, typed.start));
  if (between.trim() === "" || !/[\r\n]/.test(between)) return true;
  const [suggested, said] = [part.text.trim(), typed.text.trim()];
  return suggested !== "" && said !== "" && (suggested.includes(said) || said.includes(suggested));
}

/** The same edit, its deletions cut where a deletion of the suggestion begins or ends: what both delete, and what only one does. */
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

/** An edit as changes of words: what it replaces by the same is not part of it. */
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

/** Whether typing that neither holds a part of a suggestion nor is held by it still meets it. */
function isEntangled(text: string, typed: TextEdit, part: TextEdit): boolean {
  const bothDelete = typed.text === "" && part.text === "";
  if (bothDelete) return typed.start < part.end && part.start < typed.end;
  const one = wholeWords(text, typed);
  return one.start <= part.end && part.start <= one.end;
}

/** The range of an edit, widened to the words of the text that it changes. A sign typed right behind a word leaves the word as it is. */
function wholeWords(text: string, { start, end, text: inserted }: TextEdit): TextRange {
  const isInsertion = start === end;
  if (!isInsertion || isWordUnit(inserted.charAt(0))) while (isWordUnit(text.charAt(start - 1))) start--;
  if (!isInsertion || isWordUnit(inserted.slice(-1))) while (isWordUnit(text.charAt(end))) end++;
  return { start, end };
}

function isWordUnit(unit: string): boolean {
  return /[\p{L}\p{M}\p{N}\p{Cs}_$]/u.test(unit);
}

function contains(outer: TextRange, inner: TextRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** Whether two ranges share something and each has something of its own. */
function crosses(one: TextRange, other: TextRange): boolean {
  return one.start < other.end && other.start < one.end && !contains(one, other) && !contains(other, one);
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
