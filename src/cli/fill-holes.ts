import {
  agreedEnd,
  type CompiledGrammar,
  expectedTerminals,
  FillSession,
  type GuidedEnd,
  guidedText,
  type Hole,
  HoleGuide,
  type HoleOpening,
  longestAllowed,
  MemberGuide,
  type MemberSource,
  Members,
  type Refusal,
  type TextGuide,
} from "../grammar/index.ts";
import type { FillGuide, FillRequest, Model } from "../model/index.ts";
import { detectLineEnding, type TextRange } from "../text/index.ts";

/** Holes in a text, and who fills them. */
export interface HolesToFill {
  readonly text: string;
  /** In the order of the text, in UTF-16 units; what stands in them is replaced. */
  readonly ranges: readonly TextRange[];
  /** Where the text begins for the grammar: behind a byte order mark. */
  readonly start: number;
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  readonly grammar: CompiledGrammar;
  readonly model: FillingModel;
  /** Who knows the members of types; names behind a dot are held to them. */
  readonly members?: MemberSource | undefined;
  /** What the model is shown of a place and around it; all of the text on both sides unless told. */
  readonly promptAt?: ((prefix: string, suffix: string) => Promise<ShownText>) | undefined;
  /** The most tokens of one filling. */
  readonly maxTokens: number;
  /** Whether refusals are explained. */
  readonly explain: boolean;
  /** Whether the language's own parser finds nothing wrong with the whole text; not asked where there is none. */
  readonly agrees?: ((text: string) => Promise<boolean>) | undefined;
  readonly signal: AbortSignal;
}

/** What a model is shown. */
export type ShownText = Pick<FillRequest, "prefix" | "suffix" | "context">;

/** A model that fills. */
export type FillingModel = Model & Required<Pick<Model, "fill">>;

/** A text that could not stand where the model wanted it. */
export interface ExplainedRefusal extends Refusal {
  /** The beginning of the filling that it was to stand behind. */
  readonly behind: string;
  /** The terminals that could stand there; the members, where it is none of them. */
  readonly expected: readonly string[];
  /** Whose member it is not. */
  readonly of?: string;
}

/** A hole and what it was filled with. */
export interface FilledHole extends Pick<GuidedEnd, "kind" | "text" | "ending" | "requests"> {
  readonly range: TextRange;
  /** How many texts of the model were refused, and which, where that is to be explained. */
  readonly refused: number;
  readonly refusals?: readonly ExplainedRefusal[];
  /** Whether the language's own parser refused what the grammar took, and agrees to this end. */
  readonly isMended?: boolean;
  /** Why members could not be told, where they were asked for. */
  readonly unknownMembers?: readonly string[];
}

/** What came of filling. Offsets are in UTF-16 units of the text as it was given. */
export type FillOutcome =
  | { readonly kind: "filled"; readonly holes: readonly FilledHole[] }
  /** No text begins with what stands before the first hole. */
  | { readonly kind: "dead-prefix" }
  /** No text ends with what stands behind the holes. */
  | { readonly kind: "dead-suffix" }
  /** Nothing makes one text of all that stands around the holes. */
  | { readonly kind: "no-filling" }
  /** Nothing was found for this hole that ends within its tokens. */
  | { readonly kind: "too-long"; readonly range: TextRange };

/** A token of a model is about so many bytes. */
const bytesPerToken = 4;

/** The most lines of one filling. */
const maxLines = 40;

/** How many refusals are told of one hole. */
const maxRefusals = 50;

/**
 * Fills holes from the first to the last one, each so that something remains for those behind it. Where the language's own parser refuses what the
 * grammar takes, another end is looked for; where it agrees to none, the first stays.
 */
export async function fillHoles(asked: HolesToFill): Promise<FillOutcome> {
  const { text, ranges, start, signal } = asked;
  const pieces = ranges.map((range, index) => text.slice(range.end, ranges[index + 1]?.start));
  const holes = new OpenedHoles(asked.grammar, pieces);
  let before = text.slice(start, ranges[0]!.start);
  const filled: FilledHole[] = [];
  for (const [index, range] of ranges.entries()) {
    const opening = holes.open(index, before);
    if (opening.kind !== "open") return { kind: opening.kind };
    const guide = new HoleGuide(opening.hole, { maxBytes: asked.maxTokens * bytesPerToken });
    const first = await fillHole(guide, { ...asked, before, behind: pieces.slice(index).join("") });
    if (first.kind === "impossible") return { kind: "too-long", range };
    const agrees = async (filling: string) => {
      signal.throwIfAborted();
      const whole = holes.wholeWith(index, before + filling);
      return whole !== undefined && (await asked.agrees!(text.slice(0, start) + whole));
    };
    const agreed = asked.agrees === undefined ? first : await mended(first, guide, { text, agrees });
    filled.push({ ...agreed, range });
    before += agreed.text + pieces[index];
  }
  return { kind: "filled", holes: filled };
}

interface Mending {
  /** The text that has the line endings to write. */
  readonly text: string;
  /** Whether the parser agrees to a filling. */
  readonly agrees: (filling: string) => Promise<boolean>;
}

/** The filling as it is where the parser agrees to it or to nothing, and else with another end. */
async function mended(
  filled: Omit<FilledHole, "range">,
  guide: HoleGuide,
  { text, agrees }: Mending,
): Promise<Omit<FilledHole, "range">> {
  if (await agrees(filled.text)) return filled;
  const { ending: _, ...rest } = filled;
  const own = filled.text.slice(0, filled.text.length - (filled.ending?.length ?? 0));
  const ended = await agreedEnd(guide, own, (each) => agrees(asWritten(each, text, guide)));
  if (ended === undefined) return filled;
  return { ...rest, ...ended, text: asWritten(ended.text, text, guide), isMended: true };
}

/** A filling with the line endings of `text`, where it may have them. */
function asWritten(filling: string, text: string, guide: TextGuide): string {
  const written = withLineEndings(filling, text);
  return guide.mayEnd(written) ? written : filling;
}

/** The holes of a text, each with what it keeps while those before it are tried with one filling or another. */
class OpenedHoles {
  readonly #sessions: readonly FillSession[];
  readonly #pieces: readonly string[];

  /** `pieces`: what stands behind each hole up to the next. */
  constructor(grammar: CompiledGrammar, pieces: readonly string[]) {
    this.#sessions = pieces.map(() => new FillSession(grammar));
    this.#pieces = pieces;
  }

  /** Opens a hole behind `before`. */
  open(index: number, before: string): HoleOpening {
    return this.#sessions[index]!.open({ before, behind: this.#pieces.slice(index) });
  }

  /** The whole text when all holes behind this one are ended as soon as they can be; `before` ends with its filling. */
  wholeWith(index: number, before: string): string | undefined {
    const whole = before + this.#pieces[index];
    if (index + 1 === this.#pieces.length) return whole;
    const opening = this.open(index + 1, whole);
    const ending = opening.kind === "open" ? opening.hole.shortestEnding(opening.hole.empty) : undefined;
    return ending === undefined ? undefined : this.wholeWith(index + 1, whole + new TextDecoder().decode(ending));
  }
}

interface AskedHole extends HolesToFill {
  readonly before: string;
  readonly behind: string;
}

async function fillHole(grammarGuide: HoleGuide, asked: AskedHole): Promise<Omit<FilledHole, "range">> {
  const { model, path, language, before, behind, maxTokens, signal } = asked;
  const promptAt = asked.promptAt ?? (async (prefix: string, suffix: string) => ({ prefix, suffix }));
  const members =
    asked.members &&
    new Members({
      ...{ before, behind, source: asked.members },
      endingOf: (text) => grammarGuide.ending(text),
    });
  const guide: TextGuide = members === undefined ? grammarGuide : new MemberGuide(grammarGuide, members);
  const refused = new RefusedCandidates(guide);
  /** What the model said, request by request, from the start of the filling. */
  const said: string[] = [];
  const requestAfter = async (soFar: string): Promise<FillRequest> => ({
    ...(await promptAt(before + soFar, behind)),
    ...{ path, language, maxLines, maxTokens },
    ...(model.followsGuide && { guide: refused.watching(soFar) }),
  });
  async function* ask(soFar: string): AsyncGenerator<string, "finished" | "cut"> {
    const request = said.push(soFar);
    refused.request = request;
    const parts = model.fill(await requestAfter(soFar), { signal });
    try {
      for (;;) {
        const part = await parts.next();
        if (part.done === true) return part.value.reason === "length" ? "cut" : "finished";
        said[request - 1] += part.value.text;
        yield part.value.text;
      }
    } finally {
      await parts.return({ reason: "length" });
    }
  }
  const { next } = model;
  const alternatives =
    next === undefined || model.followsGuide
      ? undefined
      : async (soFar: string) => {
          const { prefix, suffix } = await promptAt(before + soFar, behind);
          // Many servers do not tell; then the model is simply asked again.
          return next.call(model, { path, language, prefix, suffix }, { signal }).catch(() => []);
        };
  const parts = guidedText({ guide, ask, signal, ...(alternatives && { alternatives }) });
  for (;;) {
    const part = await parts.next();
    if (part.done !== true) continue;
    const { kind, text, ending, requests, refusals } = part.value;
    const beginningOf = ({ text: refused, offset }: Refusal) =>
      said.find((whole) => whole.startsWith(refused, offset))?.slice(0, offset) ?? text.slice(0, offset);
    const all = [...refused.refusals, ...refusals.map((refusal) => ({ ...refusal, behind: beginningOf(refusal) }))];
    const explained = () =>
      all.map((refusal) => {
        const member = guide.tryUnknownMember?.(refusal.behind + refusal.text);
        if (refusal.cause === "members" && member !== undefined)
          return { ...refusal, expected: member.names, of: member.of };
        return { ...refusal, expected: expectedBehind(grammarGuide.hole, refusal.behind) };
      });
    return {
      ...{ kind, text: asWritten(text, asked.text, guide), requests, refused: all.length },
      ...(ending !== undefined && { ending }),
      ...(asked.explain && { refusals: explained() }),
      ...(members !== undefined && members.unknown.size > 0 && { unknownMembers: [...members.unknown] }),
    };
  }
}

/** `filling` with the line endings of `text`. */
function withLineEndings(filling: string, text: string): string {
  const ending = detectLineEnding(text);
  return ending === undefined ? filling : filling.replace(/\r\n|\n|\r/g, ending);
}

function expectedBehind(hole: Hole, beginning: string): readonly string[] {
  return expectedTerminals(hole, hole.add(hole.empty, new TextEncoder().encode(beginning)));
}

/** Remembers what a model that follows the guide wanted to say, and what was refused of it. */
class RefusedCandidates {
  readonly refusals: Omit<ExplainedRefusal, "expected">[] = [];
  /** The number of the request under way, from 1. */
  request = 0;
  readonly #guide: TextGuide;
  readonly #known = new Set<string>();

  constructor(guide: TextGuide) {
    this.#guide = guide;
  }

  /** The guide of what goes on from `soFar`. */
  watching(soFar: string): FillGuide {
    const guide = this.#guide;
    return {
      allows: (text) => {
        const isAllowed = guide.allows(soFar + text);
        if (!isAllowed) this.#remember(soFar + text);
        return isAllowed;
      },
      mayEnd: (text) => guide.mayEnd(soFar + text),
      prepare: async (text) => guide.prepare?.(soFar + text),
    };
  }

  #remember(text: string): void {
    if (this.refusals.length >= maxRefusals || this.#known.has(text)) return;
    this.#known.add(text);
    const member = this.#guide.tryUnknownMember?.(text);
    const offset = member === undefined ? longestAllowed(this.#guide, text) : Math.max(0, member.offset);
    const cause = member !== undefined ? "members" : this.#guide.canGoOn(text) ? "budget" : "grammar";
    const behind = text.slice(0, offset);
    this.refusals.push({ offset, behind, text: text.slice(offset), cause, request: this.request });
  }
}
