import {
  agreedEnd,
  type CompiledGrammar,
  expectedTerminals,
  FillSession,
  type GuidedEnd,
  guidedText,
  type Hole,
  HoleGuide,
  likeliestText,
  MemberGuide,
  type MemberSource,
  Members,
  type Refusal,
  type RefusedCandidate,
  RefusedCandidates,
  type SearchLimit,
  type SlicedOpening,
  type SliceOptions,
  type TextGuide,
  takesOnlyTrivia,
} from "../../grammar/index.ts";
import { type FillRequest, type Model, ModelError } from "../../model/index.ts";
import { detectLineEnding, type TextRange } from "../../text/index.ts";

/** Holes in a text, and the model that fills them. */
export interface HolesToFill {
  readonly text: string;
  /** In the order of the text, in UTF-16 code units; their text is replaced. */
  readonly ranges: readonly TextRange[];
  /** Where the text begins for the grammar: after a byte order mark. */
  readonly start: number;
  readonly path: string;
  /** The id of the language. */
  readonly language: string;
  readonly grammar: CompiledGrammar;
  readonly model: FillingModel;
  /** The members of types; names after a dot are restricted to them. */
  readonly members?: MemberSource | undefined;
  /**
   * The prompt for a place between `prefix` and `suffix`; by default all of the text on both sides.
   */
  readonly promptAt?: ((prefix: string, suffix: string) => Promise<ShownText>) | undefined;
  /** The most tokens of one filling. */
  readonly maxTokens: number;
  /**
   * The milliseconds of one hole after which the search for the likeliest text begins no request,
   * counted from its first one.
   */
  readonly searchMs: number;
  /** Whether refusals are explained. */
  readonly explain: boolean;
  /**
   * Whether the language's own parser finds no error in the whole text; absent where there is no
   * parser.
   */
  readonly isAccepted?: ((text: string) => Promise<boolean>) | undefined;
  /** How the text is parsed with the grammar; `maxMs` is for each hole. */
  readonly slices: Omit<SliceOptions, "signal">;
  /** Called for each request to the model, and for each text that it tries within the grammar. */
  readonly onTried?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** The prompt of a model. */
export type ShownText = Pick<FillRequest, "prefix" | "suffix" | "context">;

/** A model that can fill. */
export type FillingModel = Model & Required<Pick<Model, "fill">>;

/** A text of the model that was refused. */
export interface ExplainedRefusal extends RefusedCandidate {
  /** The terminals that are possible there; the members, where an unknown member was refused. */
  readonly expected: readonly string[];
  /** The type or value that lacks the member. */
  readonly of?: string;
}

/** A hole and its filling. */
export interface FilledHole extends Pick<GuidedEnd, "kind" | "text" | "ending" | "requests"> {
  readonly range: TextRange;
  /** The number of refused texts of the model, and the texts themselves with `explain`. */
  readonly refused: number;
  readonly refusals?: readonly ExplainedRefusal[];
  /**
   * Whether the language's own parser refused the first filling, and accepts this one with another
   * ending.
   */
  readonly isMended?: boolean;
  /** Why the filling is empty: the model wrote nothing there, or nothing else is possible. */
  readonly emptySince?: "model-ended" | "nothing-else";
  /** Set where the model's own text was refused, and this is its likeliest allowed text. */
  readonly isLikeliest?: true;
  /** The limit that ended the search for the likeliest text before it was done. */
  readonly searchLimit?: SearchLimit;
  /** Set where the filling is only a comment. */
  readonly isComment?: true;
  /** Why members are unknown, where they were requested. */
  readonly unknownMembers?: readonly string[];
}

/** The result of filling. Offsets are in UTF-16 code units of the original text. */
export type FillOutcome =
  | { readonly kind: "filled"; readonly holes: readonly FilledHole[] }
  /** No text of the language begins with the text before the first hole. */
  | { readonly kind: "dead-prefix" }
  /** No text of the language ends with the text after the holes. */
  | { readonly kind: "dead-suffix" }
  /** No fillings combine the texts around the holes to a text of the language. */
  | { readonly kind: "no-filling" }
  /**
   * The grammar refused the model's text for this hole at every attempt; `refusal` is the first
   * one.
   */
  | (RefusedHole & { readonly range: TextRange })
  /** Each filling that was found turns the code behind this hole into a comment. */
  | { readonly kind: "hides-code"; readonly range: TextRange }
  /** No filling of this hole was found that ends within its tokens. */
  | { readonly kind: "too-long"; readonly range: TextRange }
  /** Parsing the text around this hole takes longer than allowed. */
  | { readonly kind: "too-slow"; readonly range: TextRange };

/** The approximate number of bytes in a token. */
const bytesPerToken = 4;

/** The most lines of one filling. */
const maxLines = 40;

/**
 * Fills holes from the first to the last, so that the later ones can still be filled. Where the
 * language's own parser refuses what the grammar accepts, or a comment of the filling would take in
 * the code behind the hole, another ending is searched; if the parser accepts none, the first
 * filling stays. It ends at the first hole that cannot be filled, with the
 * reason. Rejects with the error of the model, and with the signal's reason on abort.
 */
export async function fillHoles(task: HolesToFill): Promise<FillOutcome> {
  const { text, ranges, start, signal } = task;
  const pieces = ranges.map((range, index) => text.slice(range.end, ranges[index + 1]?.start));
  const holes = new OpenedHoles(task.grammar, pieces, { ...task.slices, signal });
  let before = text.slice(start, ranges[0]!.start);
  const filled: FilledHole[] = [];
  for (const [index, range] of ranges.entries()) {
    const opening = await holes.open(index, before);
    if (opening.kind === "too-slow") return { kind: "too-slow", range };
    if (opening.kind !== "open") return { kind: opening.kind };
    const guide = new HoleGuide(opening.hole, { maxBytes: task.maxTokens * bytesPerToken });
    const first = await fillHole(guide, { ...task, before, behind: pieces.slice(index).join("") });
    if (first.kind === "impossible") return { kind: "too-long", range };
    if (first.kind === "refused") return { ...first, range };
    const hidesCode = (filling: string) => opening.hole.hidesCode(filling, pieces[index]!);
    // Hundreds of endings may be tried, each for some milliseconds.
    const pause = async () => {
      await task.slices.yieldThread();
      signal.throwIfAborted();
    };
    const isAccepted = async (filling: string) => {
      if (hidesCode(filling)) return false;
      const whole = await holes.wholeWith(index, before + filling);
      return whole !== undefined && (await task.isAccepted!(text.slice(0, start) + whole));
    };
    const parsed =
      task.isAccepted === undefined ? first : await withAcceptedEnding(first, guide, { text, pause, isAccepted });
    const showsCode = async (filling: string) => !hidesCode(filling);
    const accepted = await withAcceptedEnding(parsed, guide, { text, pause, isAccepted: showsCode });
    if (hidesCode(accepted.text)) return { kind: "hides-code", range };
    filled.push({ ...accepted, range });
    before += accepted.text + pieces[index];
  }
  return { kind: "filled", holes: filled };
}

interface EndingSearch {
  /** The text whose line endings are written. */
  readonly text: string;
  /** Lets other work run; called before each try. */
  readonly pause: () => Promise<void>;
  /** Whether the parser accepts a filling. */
  readonly isAccepted: (filling: string) => Promise<boolean>;
}

/**
 * The filling unchanged where the parser accepts it or no other one, otherwise with another ending.
 */
async function withAcceptedEnding(
  filled: Omit<FilledHole, "range">,
  guide: HoleGuide,
  { text, pause, isAccepted }: EndingSearch,
): Promise<Omit<FilledHole, "range">> {
  if (await isAccepted(filled.text)) return filled;
  const { ending: _, ...rest } = filled;
  const ownText = filled.text.slice(0, filled.text.length - (filled.ending?.length ?? 0));
  const ended = await agreedEnd(guide, ownText, async (each) => {
    await pause();
    const isLess = ownText.trim() !== "" && (each.trim() === "" || guide.isTrivia(each));
    return !isLess && isAccepted(asWritten(each, text, guide));
  });
  if (ended === undefined) return filled;
  return { ...rest, ...ended, text: asWritten(ended.text, text, guide), isMended: true };
}

/** A filling with the line endings of `text`, where the grammar allows them. */
function asWritten(filling: string, text: string, guide: TextGuide): string {
  const written = withLineEndings(filling, text);
  return guide.mayEnd(written) ? written : filling;
}

/**
 * The holes of a text. Each keeps its parser state while the holes before it are tried with several
 * fillings.
 */
class OpenedHoles {
  readonly #sessions: readonly FillSession[];
  readonly #pieces: readonly string[];
  readonly #slices: SliceOptions;

  /** `pieces`: the text from each hole to the next. */
  constructor(grammar: CompiledGrammar, pieces: readonly string[], slices: SliceOptions) {
    this.#slices = slices;
    this.#sessions = pieces.map(() => new FillSession(grammar));
    this.#pieces = pieces;
  }

  /** Opens a hole after the text `before`. */
  open(index: number, before: string): Promise<SlicedOpening> {
    return this.#sessions[index]!.openInSlices({ before, behind: this.#pieces.slice(index) }, this.#slices);
  }

  /**
   * The whole text with the shortest endings for all later holes; `before` ends with the filling of
   * this one. `undefined` where one cannot be filled.
   */
  async wholeWith(index: number, before: string): Promise<string | undefined> {
    const whole = before + this.#pieces[index];
    if (index + 1 === this.#pieces.length) return whole;
    const opening = await this.open(index + 1, whole);
    const ending = opening.kind === "open" ? opening.hole.shortestEnding(opening.hole.empty) : undefined;
    return ending === undefined ? undefined : this.wholeWith(index + 1, whole + new TextDecoder().decode(ending));
  }
}

interface HoleTask extends HolesToFill {
  readonly before: string;
  readonly behind: string;
}

interface RefusedHole {
  readonly kind: "refused";
  readonly refusal: ExplainedRefusal;
  readonly searchLimit?: SearchLimit;
}

async function fillHole(grammarGuide: HoleGuide, task: HoleTask): Promise<Omit<FilledHole, "range"> | RefusedHole> {
  const { model, path, language, before, behind, maxTokens, signal } = task;
  const promptAt = task.promptAt ?? (async (prefix: string, suffix: string) => ({ prefix, suffix }));
  const members =
    task.members &&
    new Members({
      ...{ before, behind, source: task.members },
      endingOf: (text) => grammarGuide.ending(text),
    });
  const guide: TextGuide = members === undefined ? grammarGuide : new MemberGuide(grammarGuide, members);
  const refused = new RefusedCandidates(guide, task.onTried);
  /** The text of the model for each request, from the start of the filling. */
  const answers: string[] = [];
  const starts: string[] = [];
  /** The requests whose answer continues with a text other than the model's own. */
  const forced = new Set<number>();
  const requestAfter = async (soFar: string): Promise<FillRequest> => ({
    ...(await promptAt(before + soFar, behind)),
    ...{ path, language, maxLines, maxTokens },
    ...(model.followsGuide && { guide: refused.watching(soFar) }),
  });
  async function* requestText(soFar: string): AsyncGenerator<string, "finished" | "cut"> {
    const request = answers.push(soFar);
    starts.push(soFar);
    refused.request = request;
    task.onTried?.();
    const parts = model.fill(await requestAfter(soFar), { signal });
    try {
      for (;;) {
        const part = await parts.next();
        if (part.done === true && part.value.isForced) forced.add(request);
        if (part.done === true) return part.value.reason === "length" ? "cut" : "finished";
        answers[request - 1] += part.value.text;
        yield part.value.text;
      }
    } finally {
      await parts.return({ reason: "length" });
    }
  }
  const { next } = model;
  let listed = manyListed;
  const alternatives =
    next === undefined || model.followsGuide
      ? undefined
      : async (soFar: string) => {
          const { prefix, suffix } = await promptAt(before + soFar, behind);
          // Many servers do not list tokens; then the model is simply requested again.
          const list = () => next.call(model, { path, language, prefix, suffix, limit: listed }, { signal });
          return list()
            .catch((error: unknown) => {
              if (!(error instanceof ModelError) || error.code !== "request-refused" || listed === fewListed)
                throw error;
              // Some servers refuse to list so many.
              listed = fewListed;
              return list();
            })
            .catch(() => {
              signal.throwIfAborted();
              return [];
            });
        };
  /** Whether the model itself writes nothing after a beginning. */
  const ends = async (soFar: string) => {
    const parts = model.fill({ ...(await requestAfter(soFar)), maxTokens: 1 }, { signal });
    try {
      const part = await parts.next();
      return part.done === true && part.value.reason === "finished";
    } finally {
      await parts.return({ reason: "length" });
    }
  };
  const first = await endOf(guidedText({ guide, ask: requestText, signal, ...(alternatives && { maxRequests: 1 }) }));
  const [refusal] = first.refusals;
  const good = refusal && (answers[0] ?? "").slice(0, refusal.offset);
  const tokens = good !== undefined && alternatives !== undefined ? await alternatives(good) : [];
  const { now } = task.slices;
  const startMs = now();
  const isLate = () => now() - startMs > task.searchMs;
  const search =
    alternatives !== undefined && tokens.length > 0 && refusal?.cause !== "members"
      ? await likeliestText({ guide, next: alternatives, ends, isLate, signal })
      : undefined;
  const searchLimit = search?.limit && { searchLimit: search.limit };
  const ownText = first.text.slice(0, first.text.length - (first.ending?.length ?? 0));
  const isFound = search?.kind === "found" && (search.text !== "" || ownText.trim() === "");
  // Without a search, the filling continues from the part that was not refused.
  const continues = alternatives !== undefined && refusal !== undefined && search === undefined;
  const filled = continues
    ? await endOf(
        guidedText({
          ...{ guide, signal },
          ask: replayFirst(answers[0]!, requestText),
          alternatives: async (soFar) => (soFar === good ? tokens : alternatives(soFar)),
        }),
      )
    : first;
  const { refusals } = filled;
  const { kind, text, ending } = isFound ? { kind: "whole" as const, text: search.text, ending: undefined } : filled;
  const requests = filled.requests + (search === undefined ? 0 : search.requests + 1);
  const beginningOf = ({ text: refused, offset }: Refusal) =>
    answers.find((whole) => whole.startsWith(refused, offset))?.slice(0, offset) ?? text.slice(0, offset);
  const all = [...refused.refusals, ...refusals.map((refusal) => ({ ...refusal, behind: beginningOf(refusal) }))];
  const explain = (refusal: (typeof all)[number]): ExplainedRefusal => {
    const member = guide.tryUnknownMember?.(refusal.behind + refusal.text);
    if (refusal.cause === "members" && member !== undefined)
      return { ...refusal, expected: member.names, of: member.of };
    return { ...refusal, expected: expectedBehind(grammarGuide.hole, refusal.behind) };
  };
  const explained = () => all.map(explain);
  const attempts = answers.map((whole, index): Attempt => {
    const ownText = refusals.find((refusal) => refusal.request === index + 1);
    const refusal = ownText ?? (forced.has(index + 1) ? refused.refusals.find(isOfRequest(index + 1)) : undefined);
    const soFar = starts[index]!;
    if (refusal?.cause === "grammar") {
      // A text that may end before the refusal is cut back to there.
      const own = whole.slice(0, refusal.offset);
      return own.trim() !== "" && guide.mayEnd(own) ? "stands" : "refused";
    }
    const isEmpty = whole.trim() === soFar.trim();
    return !isEmpty || (soFar.trim() !== "" && guide.mayEnd(soFar)) ? "stands" : "says-nothing";
  });
  const isRefused = !isFound && attempts.includes("refused") && attempts.every((attempt) => attempt !== "stands");
  if (kind !== "impossible" && isRefused) {
    const nothingElse = takesOnlyTrivia(grammarGuide.hole) && guide.mayEnd("");
    const refusal = all.find(({ cause }) => cause === "grammar")!;
    if (!nothingElse) return { kind: "refused", refusal: explain(refusal), ...searchLimit };
  }
  const isComment = text.trim() !== "" && guide.isTrivia?.(text) === true;
  return {
    ...(text === "" && { emptySince: isRefused ? ("nothing-else" as const) : ("model-ended" as const) }),
    ...(isFound && text !== "" && { isLikeliest: true as const }),
    ...searchLimit,
    ...(isComment && { isComment }),
    ...{ kind, text: asWritten(text, task.text, guide), requests, refused: all.length },
    ...(ending !== undefined && { ending }),
    ...(task.explain && { refusals: explained() }),
    ...(members !== undefined && members.unknown.size > 0 && { unknownMembers: [...members.unknown] }),
  };
}

/** Wraps `ask` so that its first answer is `text`, which was received already. */
function replayFirst(
  text: string,
  requestText: (soFar: string) => AsyncGenerator<string, "finished" | "cut">,
): typeof requestText {
  let isFirst = true;
  return async function* (soFar) {
    if (!isFirst) return yield* requestText(soFar);
    isFirst = false;
    yield text;
    return "finished";
  };
}

/** The number of tokens that a model is requested to list, and the number after that is refused. */
const manyListed = 100;
const fewListed = 20;

/** Consumes a guided text and returns its end, which contains the text of all parts. */
async function endOf(parts: ReturnType<typeof guidedText>): Promise<GuidedEnd> {
  for (;;) {
    const part = await parts.next();
    if (part.done === true) return part.value;
  }
}

/**
 * The result of one request: its text is used, at least a beginning of it; the grammar refused it;
 * or it is empty.
 */
type Attempt = "stands" | "refused" | "says-nothing";

function isOfRequest(request: number): (refusal: Refusal) => boolean {
  return (refusal) => refusal.request === request && refusal.cause === "grammar";
}

/** `filling` with the line endings of `text`. */
function withLineEndings(filling: string, text: string): string {
  const ending = detectLineEnding(text);
  return ending === undefined ? filling : filling.replace(/\r\n|\n|\r/g, ending);
}

function expectedBehind(hole: Hole, beginning: string): readonly string[] {
  return expectedTerminals(hole, hole.add(hole.empty, new TextEncoder().encode(beginning)));
}
