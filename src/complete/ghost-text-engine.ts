import { LinkedController, raceAbort, resultWithin } from "../async/index.ts";
import type { Prompt } from "../context/index.ts";
import { Members, type NoGuide } from "../grammar/index.ts";
import type { FillRequest, Model } from "../model/index.ts";
import { describeUncheckedSyntax, languageById } from "../syntax/index.ts";
import { detectLineEnding, EmendError } from "../text/index.ts";
import { type BareAnswer, bareAnswer } from "./answers/bare-answer.ts";
import { GuideAtPlace } from "./answers/guide-at-place.ts";
import { tryFirstLine } from "./answers/refused-text.ts";
import { Trimmer } from "./answers/trim.ts";
import type { TriggerFeatures } from "./feedback/acceptance-model.ts";
import {
  type ActiveSuggestion,
  type Observations,
  restOfSuggestion,
  SuggestionLog,
} from "./feedback/suggestion-log.ts";
import { suggestionIds } from "./feedback/suggestion-store.ts";
import { type FitAnswer, fitText } from "./fit/fit.ts";
import { shapeOf } from "./fit/shape.ts";
import { SharedStarts } from "./fit/statement-starts.ts";
import { refuseDocument, refusePlace } from "./gate.ts";
import type { GhostTextParts } from "./ghost-text-parts.ts";
import {
  afterFailure,
  failureOf,
  lowConfidence,
  type ModelFailure,
  type NoSuggestion,
  noSuggestion,
  noSuggestionFrom,
  withModel,
} from "./no-suggestion.ts";
import type { GhostTextOutcome, NoSuggestionReason, Suggestion, SuggestionChange } from "./outcome.ts";
import { type Place, placeBefore, requestAt, toEdit, tryPlace } from "./place.ts";
import type { GhostTextRequest } from "./request.ts";
import { RequestTrace } from "./request-trace.ts";
import { AnswerCache, type CachedAnswer } from "./requests/answer-cache.ts";
import { answerAgreeing, type InFlightRequest, InFlightRequests, typedSince } from "./requests/in-flight-requests.ts";
import { ModelRequest, ModelRequestLog, type ModelRequestResult } from "./requests/model-request.ts";
import { RequestLife } from "./requests/request-life.ts";
import { debounceMs } from "./settings.ts";

/** A model that can fill, and its place in the order of requests to models. */
interface Filler {
  readonly model: Model;
  readonly rank: number;
  readonly isInstant: boolean;
}

/** What a model is shown, and the filler it is for. */
interface FillOrder {
  readonly filler: Filler;
  readonly place: Place;
  readonly prompt: Prompt;
  readonly temperature?: number;
}

/** A text that fits and where it came from. */
interface Found {
  readonly fit: Extract<FitAnswer, { kind: "fits" }>;
  readonly origin: Suggestion["origin"];
  readonly model: string;
  readonly probability?: number | undefined;
  /** The number of the request that it answers. */
  readonly request: number | undefined;
}

/**
 * Suggests ghost text at a cursor: gate, reuse, context, prompt, model, trim, check, offer.
 *
 * It keeps what was suggested last, the answers of models and the requests under way, and stops
 * these when disposed. Law: while the person types exactly what is shown, it stays, and no request
 * is sent.
 */
export class GhostTextEngine implements Disposable {
  readonly #parts: GhostTextParts;
  readonly #fillers: readonly Filler[];
  readonly #cache: AnswerCache;
  readonly #pending: InFlightRequests;
  readonly #log: SuggestionLog;
  readonly #newId: () => string;
  readonly #starts: SharedStarts;
  readonly #requests = new ModelRequestLog();
  /** The request of each document that was not answered yet. */
  readonly #lives = new Map<string, RequestLife>();
  /** What was offered last, the first of it shown. */
  #current: readonly ActiveSuggestion[] = [];
  /** Stops the prompt for the request ahead from being made. */
  #ahead: AbortController | undefined;
  /** Stops the growth of the prompt for the last place. */
  #growth: AbortController | undefined;
  #isDisposed = false;

  /** Models that cannot fill are left out. */
  constructor(parts: GhostTextParts) {
    const { models, clock, settings, acceptance, syntax } = parts;
    this.#parts = parts;
    this.#fillers = models
      .map((model, rank) => ({ model, rank, isInstant: settings.instantModels.includes(model.name) }))
      .filter(({ model }) => model.fill !== undefined);
    this.#cache = new AnswerCache({ maxEntries: settings.cacheEntries, lookBack: settings.lookBack, clock });
    this.#starts = new SharedStarts(syntax);
    this.#pending = new InFlightRequests(clock, settings.orphanMs);
    this.#log = new SuggestionLog(clock, acceptance, settings.seenAfterMs);
    this.#newId = parts.newId ?? suggestionIds("ghost");
  }

  /**
   * Returns the suggestions at a cursor, or why there is none. A request supersedes the one before
   * for the same document.
   *
   * A model that fails, a signal that aborts and an engine that is disposed give `no-suggestion`.
   * It rejects only where another part fails, such as the prompt.
   */
  async complete(
    request: GhostTextRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<GhostTextOutcome> {
    const { uri } = request.document;
    const life = new RequestLife(signal);
    this.#growth?.abort();
    if (this.#isDisposed) life.end("cancelled");
    this.#lives.get(uri)?.end("superseded");
    this.#lives.set(uri, life);
    try {
      const walk = new RequestTrace(request, life, this.#parts.clock);
      const outcome = await this.#answer(walk);
      if (walk.isAllowed && life.over === undefined) void this.#grow(request);
      return outcome;
    } finally {
      life.close();
      if (this.#lives.get(uri) === life) this.#lives.delete(uri);
    }
  }

  /**
   * Records that a suggestion was seen, and sends the request for what comes after it ahead, where
   * the settings allow that. Unknown ids are ignored.
   */
  shown(id: string): void {
    if (this.#isDisposed || !this.#log.shown(id)) return;
    const offer = this.#log.offer(id);
    if (offer !== undefined) void this.#sendAhead(offer);
  }

  /**
   * Records that a suggestion was accepted: all of it, or the first `acceptedCharacters` UTF-16
   * units of its ghost text. Unknown ids are ignored.
   */
  accepted(id: string, acceptedCharacters?: number): void {
    const offer = this.#log.offer(id);
    if (offer === undefined) return;
    const isWhole = acceptedCharacters === undefined || acceptedCharacters >= offer.suggestion.ghost.length;
    this.#log.accepted(id, isWhole ? "wholly" : "partly");
    if (isWhole) this.#current = [];
  }

  /** Records that a suggestion was dismissed, and stops the request ahead. */
  dismissed(id: string): void {
    this.#log.dismissed(id);
    if (this.#current.some(({ suggestion }) => suggestion.id === id)) this.#current = [];
    this.#stopAhead();
  }

  /** What the person did so far. */
  get observations(): Observations {
    return this.#log.observations;
  }

  /** How many answers are cached and how many requests are under way: both are bounded. */
  get load(): { readonly answers: number; readonly requests: number } {
    return { answers: this.#cache.size, requests: this.#pending.size };
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const life of [...this.#lives.values()]) life.end("cancelled");
    this.#stopAhead();
    this.#growth?.abort();
    this.#pending.stopAll();
    this.#cache.clear();
    this.#starts.clear();
    this.#requests.clear();
    this.#current = [];
  }

  async #answer(walk: RequestTrace): Promise<GhostTextOutcome> {
    const { request, life } = walk;
    const { settings, syntax } = this.#parts;
    if (life.over !== undefined) return walk.silent("gate", { kind: life.over });
    const place = tryPlace(request);
    const refused =
      refuseDocument(request, (path) => this.#parts.access(path), settings) ??
      (place === undefined ? { kind: "disagrees-with-picked" as const } : refusePlace(place, settings));
    if (refused !== undefined || place === undefined) return walk.silent("gate", refused!);
    walk.isAllowed = true;
    walk.note("gate", "Ghost text is on at this place.");

    const wanted = request.trigger === "invoked" ? Math.min(request.limit ?? 1, maxAlternatives) : 1;
    const again = this.#typedAsSuggested(walk, place);
    if (again !== undefined && again.suggestions.length >= wanted) return again;
    if (again === undefined) this.#leaveCurrent(place);
    const shown = again === undefined ? [] : this.#current;

    if (languageById(place.language)?.grammar !== undefined) await life.wait(syntax.load(place.language));
    const found = await this.#find(walk, place, wanted);
    if (life.over !== undefined) return walk.silent("offer", { kind: life.over });
    if (found.kind === "no-suggestion") return again ?? walk.silent(found.step, found.reason);
    return this.#offer(walk, place, found.all, shown.slice(0, wanted - 1));
  }

  /** The rest of what was offered last, where the person types just that. */
  #typedAsSuggested(walk: RequestTrace, place: Place): Extract<GhostTextOutcome, { kind: "offered" }> | undefined {
    const left = this.#current.map((offer) => {
      const rest = restOfSuggestion(offer, place);
      if (rest === undefined || rest.text.trim() === "") return undefined;
      // What was taken and undone leaves the text for which it was offered.
      if (this.#refuseDeleted(walk, place, rest) !== undefined) return undefined;
      const { edit, ghost } = toEdit(place, walk.request, { ...rest, own: "" });
      return { ...offer, suggestion: { ...offer.suggestion, edit, ghost, origin: "typed-as-suggested" as const } };
    });
    const kept = left.filter((offer) => offer !== undefined);
    const [first, ...others] = kept;
    if (first === undefined) return undefined;
    // Another of several may be what the person has in mind.
    if (left[0] === undefined) this.#log.typedOver(this.#current[0]!.suggestion.id);
    this.#current = kept;
    for (const offer of kept) this.#log.update(offer);
    walk.note("reuse", "The text was typed as suggested.");
    this.#recall(walk, first.ask);
    return walk.offered([first.suggestion, ...others.map((offer) => offer.suggestion)]);
  }

  /** Drops the active suggestion and its requests, where a place is not on its way. */
  #leaveCurrent(place: Place): void {
    this.#pending.stopMoot(place, false);
    const [first] = this.#current;
    if (first === undefined || first.uri !== place.uri) return;
    const rest = restOfSuggestion(first, place);
    this.#current = [];
    if (rest === undefined || rest.text.trim() !== "") {
      this.#log.typedOver(first.suggestion.id);
      this.#ahead?.abort();
      // Typing all of it accepts it.
    } else this.#log.accepted(first.suggestion.id, "wholly");
  }

  /** Looks in the cache, joins what is under way, or asks. */
  async #find(walk: RequestTrace, place: Place, wanted: number): Promise<FindAnswer> {
    const [filler] = this.#fillers;
    if (filler === undefined) return noSuggestion("model", { kind: "no-model", cure });
    if (wanted === 1) {
      const cached = await this.#fromCache(walk, place);
      if (cached !== undefined) return { kind: "found", all: [cached] };
    }
    const signals = { ...signalsOf(place), recent: this.#log.recent };
    const lowAcceptance = this.#tryLowAcceptance(walk, signals);
    if (lowAcceptance !== undefined) return noSuggestion("gate", lowAcceptance);

    const joined = wanted === 1 ? await this.#join(walk, place) : undefined;
    if (joined !== undefined) return joined;
    if (walk.life.over !== undefined) return noSuggestion("model", { kind: walk.life.over });

    if (place.trigger === "automatic" && !filler.isInstant) {
      const waitMs = debounceMs(walk.acceptance!.score, this.#parts.settings.debounce);
      await walk.life.pause(waitMs, this.#parts.clock);
      if (walk.life.over !== undefined) return noSuggestion("model", { kind: walk.life.over });
      walk.note("reuse", `No earlier answer fits. Waited ${Math.round(waitMs)} ms for another key.`);
    } else walk.note("reuse", "No earlier answer fits.");
    const first = await this.#askInOrder(walk, place);
    if (first.kind === "no-suggestion" || wanted === 1) return first;
    return { kind: "found", all: await this.#withAlternatives(walk, place, first.all[0]!, wanted) };
  }

  async #fromCache(walk: RequestTrace, place: Place): Promise<Found | undefined> {
    for (const { answer, typed, closed } of this.#cache.find(place).slice(0, maxHits)) {
      const { probability, model, ask } = answer;
      const fit = await this.#fit(walk, place, answer, { typed, closed, model });
      if (walk.life.over !== undefined) return undefined;
      if (fit.kind === "no-suggestion" || this.#refuseFit(walk, place, fit, probability) !== undefined) continue;
      const origin = answer.isAhead ? "ahead" : "cache";
      walk.note("reuse", `The answer of ${model}, requested ${typed} characters ago, still fits.`);
      return { fit, origin, model, probability, request: ask };
    }
    return undefined;
  }

  async #join(walk: RequestTrace, place: Place): Promise<FindAnswer | undefined> {
    const pending = this.#pending.find(place);
    if (pending === undefined) return undefined;
    const since = typedSince(pending, place)!;
    walk.prompt = pending.prompt;
    const came = await this.#wait(walk, place, pending, since.typed);
    if (came === undefined) {
      walk.prompt = undefined;
      if (walk.life.over === undefined) this.#pending.stopMoot(place, false);
      return undefined;
    }
    if (came.kind === "draft") return { kind: "found", all: [came.found] };
    // A request that failed is made again, one that was answered is not.
    if (came.answer.kind !== "answered") return undefined;
    walk.note("reuse", `Waited for the request to ${pending.model} that was sent ${since.typed} characters ago.`);
    const origin = pending.isAhead ? "ahead" : "joined";
    const found = await this.#take(walk, place, came.answer, {
      ...{ ...since, origin, model: pending.model, ...requestOf(pending) },
    });
    const isLost = came.answer.error !== undefined || (found.kind === "no-suggestion" && found.reason.kind === "empty");
    return found.kind === "no-suggestion" && isLost ? undefined : found;
  }

  /** Asks one model after the other until one has something to offer. */
  async #askInOrder(walk: RequestTrace, place: Place): Promise<FindAnswer> {
    let failure: ModelFailure | undefined;
    let nothing: NoSuggestion | undefined;
    // No prompt is made ahead for a place that is requested now.
    this.#ahead?.abort();
    for (const filler of this.#fillers) {
      const prompt = await this.#makePrompt(walk, place, filler);
      if (prompt.kind === "no-suggestion") {
        const { reason } = prompt;
        if (walk.life.over !== undefined || reason.kind !== "timed-out") return prompt;
        walk.fail("prompt", filler.model.name, reason);
        failure ??= reason;
        continue;
      }
      const pending = this.#send({ filler, place, prompt: prompt.prompt }, { isFallback: failure !== undefined });
      const came = await this.#wait(walk, place, pending, 0);
      if (came?.kind === "draft") return { kind: "found", all: [came.found] };
      if (came === undefined || walk.life.over !== undefined) {
        return noSuggestion("model", { kind: walk.life.over ?? "cancelled" });
      }
      const { answer } = came;
      if (answer.kind === "aborted") return noSuggestion("model", { kind: "superseded" });
      if (answer.kind === "answered") {
        const how = { typed: 0, closed: 0, origin: "model", model: filler.model.name, ...requestOf(pending) } as const;
        const taken = await this.#take(walk, place, answer, how);
        if (taken.kind === "found") return taken;
        if (walk.life.over !== undefined) return taken;
        if (answer.error === undefined) {
          // Ghost text with too low an acceptance score has the same score from another model.
          if (taken.reason.kind === "low-acceptance") return afterFailure(failure, taken);
          walk.fail("model", filler.model.name, taken.reason);
          nothing ??= this.#fillers.length > 1 ? withModel(taken, filler.model.name) : taken;
          continue;
        }
      }
      const failed = answer.kind === "answered" ? ({ kind: "failed", error: answer.error } as const) : answer;
      const reason = failureOf(failed, filler.model.name);
      walk.fail("model", filler.model.name, reason);
      failure ??= reason;
    }
    if (nothing !== undefined) return afterFailure(failure, nothing);
    return noSuggestion("model", failure!);
  }

  /**
   * The first answer and others that differ from it: of the same model, freer in its choice, and of
   * the other models.
   */
  async #withAlternatives(walk: RequestTrace, place: Place, first: Found, wanted: number): Promise<readonly Found[]> {
    const [own] = this.#fillers;
    const temperature = this.#parts.settings.alternativesTemperature;
    const orders: Omit<FillOrder, "place" | "prompt">[] = [];
    if (own !== undefined && !own.isInstant) {
      for (let i = 1; i < wanted; i++) orders.push({ filler: own, temperature });
    }
    for (const filler of this.#fillers) if (filler.model.name !== first.model) orders.push({ filler });
    const others = await Promise.all(orders.map((order) => this.#fitOnce(walk, place, order)));
    const all = [first];
    for (const other of others) {
      const isNew = other !== undefined && !all.some(({ fit }) => fit.text.trim() === other.fit.text.trim());
      if (isNew && all.length < wanted) all.push(other);
    }
    return all;
  }

  /** What one model makes of a place, without waiting for the next key or looking anywhere else. */
  async #fitOnce(
    walk: RequestTrace,
    place: Place,
    { filler, temperature }: Pick<FillOrder, "filler" | "temperature">,
  ): Promise<Found | undefined> {
    const prompt = await this.#makePrompt(walk, place, filler);
    if (prompt.kind === "no-suggestion") return undefined;
    const free = temperature === undefined ? {} : { temperature };
    const { ask, number } = this.#startRequest({ filler, place, prompt: prompt.prompt, ...free });
    const answer = await walk.life.wait(ask.answer);
    if (answer === undefined) ask.abort();
    if (answer?.kind !== "answered" || answer.text.trim() === "") return undefined;
    const { probability } = answer;
    const model = filler.model.name;
    const fit = await this.#fit(walk, place, keptOf(answer), { typed: 0, closed: 0, model });
    if (fit.kind === "no-suggestion" || walk.life.over !== undefined) return undefined;
    return { fit, origin: "model", model, probability, request: number };
  }

  async #makePrompt(
    walk: RequestTrace,
    place: Place,
    { model }: Filler,
  ): Promise<{ readonly kind: "made"; readonly prompt: Prompt } | NoSuggestion> {
    const { settings, clock } = this.#parts;
    const { life } = walk;
    const request = requestAt(place, walk.request);
    using stop = new LinkedController(life.signal);
    // A person who has asked waits as long for the prompt as for the answer.
    const waits = walk.request.trigger === "invoked" && settings.timeoutMs > settings.promptMs;
    const [afterMs, limit] = waits
      ? ([settings.timeoutMs, "complete.timeoutMs"] as const)
      : ([settings.promptMs, "typing"] as const);
    const making = this.#promptWithGuide(request, place, model, stop.signal, walk);
    const prompt = await life.wait(resultWithin(making, { clock, limitMs: afterMs }));
    if (prompt === undefined) {
      stop.abort(new EmendError("not-wanted", "The prompt is no longer needed."));
      return noSuggestion(
        "prompt",
        life.over === undefined
          ? { kind: "timed-out", waitedFor: "prompt", afterMs, limit, model: model.name }
          : { kind: life.over },
      );
    }
    walk.prompt = prompt;
    walk.note("prompt", `${prompt.tokens} tokens of at most ${prompt.budget.maxTokens} for ${model.name}`);
    return { kind: "made", prompt };
  }

  /**
   * Makes a prompt while the text is read for {@link #guideFor}. Where that fails the answer is
   * held to nothing.
   */
  async #promptWithGuide(
    request: GhostTextRequest,
    place: Place,
    model: Model,
    signal: AbortSignal,
    walk?: RequestTrace,
  ): Promise<Prompt> {
    const { language, prefix, suffix, autoClosed } = place;
    const reading = this.#isGuided(model)
      ? this.#parts.prepareGuide?.(language, prefix, suffix.slice(autoClosed), { signal })
      : undefined;
    const noted = reading?.then(
      (none) => void (none && walk?.note("prompt", printNoGuide(none))),
      () => undefined,
    );
    const prompt = await this.#parts.prompt(request, model, { signal });
    if (noted !== undefined) await noted;
    return prompt;
  }

  #isGuided(model: Model): boolean {
    const { guide } = this.#parts.settings;
    return guide === "always" || (guide === "auto" && model.followsGuide === true);
  }

  /**
   * Sends a request that others may join, and keeps its answer. `isAhead`: it is for the place
   * after a suggestion; `isFallback`: an earlier model has failed there.
   */
  #send(order: FillOrder, { isAhead = false, isFallback = false }): InFlightRequest {
    const { ask, number } = this.#startRequest(order);
    const { filler, place, prompt } = order;
    const { rank, model } = filler;
    void ask.answer.then((answer) => {
      if (answer.kind !== "answered" || answer.text.trim() === "" || this.#isDisposed) return;
      // The next request may get all of it.
      if (answer.error !== undefined) return;
      const { probability } = answer;
      const known = {
        ...(probability !== undefined && { probability }),
        ...(isFallback && { untilMs: this.#parts.clock.now() + fallbackMs }),
      };
      this.#cache.put(place, { ...keptOf(answer), ...known, model: model.name, rank, isAhead, ask: number });
    });
    const pending = { request: ask, number, place, prompt, model: model.name, rank, isAhead };
    this.#pending.add(pending);
    return pending;
  }

  /** Asks, and remembers what under a number. */
  #startRequest({ filler, place, prompt, temperature }: FillOrder): {
    readonly ask: ModelRequest;
    readonly number: number;
  } {
    const { settings, clock } = this.#parts;
    const { trimmer, maxLines } = this.#trimmerAt(place);
    const { model } = filler;
    const guide = this.#guideFor(model, place);
    const own = model.followsGuide ? guide : undefined;
    const held = model.followsGuide ? undefined : guide;
    const request: FillRequest = {
      ...{ path: place.path, language: place.language, prefix: prompt.prefix, suffix: prompt.suffix },
      ...{ context: prompt.context, maxLines, maxTokens: maxLines * settings.tokensPerLine },
      ...(temperature !== undefined && { temperature }),
      ...(own !== undefined && { guide: own }),
    };
    const bare = (text: string, isWhole: boolean): BareAnswer => {
      const answer = bareAnswer(text, place, isWhole);
      return held?.hold(answer, isWhole) ?? answer;
    };
    const number = this.#requests.add(prompt);
    const ask = new ModelRequest({
      ...{ model, request, clock, timeoutMs: settings.timeoutMs, patienceMs: settings.patienceMs },
      maxLineCharacters: settings.maxLineCharacters,
      bare,
      prepare: held?.needsPreparation ? (text) => held.prepare(bareAnswer(text, place, false).text) : undefined,
      notes: () => guide?.notes ?? [],
      refused: () => guide?.refused ?? [],
      isEnough: (text) => trimmer.isEnough(text),
      isUsable: (text) => trimmer.isUsable(text),
    });
    void ask.answer.then((answer) => {
      if (answer.kind === "answered" && answer.evidence !== undefined)
        this.#requests.addEvidence(number, answer.evidence);
    });
    return { ask, number };
  }

  /** The prompt of the model whose answer is used, and the explanation of the answer. */
  #recall(walk: RequestTrace, ask: number | undefined): void {
    const record = ask === undefined ? undefined : this.#requests.tryRecord(ask);
    walk.prompt ??= record?.prompt;
    walk.evidence = record?.evidence;
  }

  /** What an answer at a place is held to; `undefined` where it is to nothing. */
  #guideFor(model: Model, place: Place): GuideAtPlace | undefined {
    const { members } = this.#parts.settings;
    const { language, path, prefix, suffix, autoClosed } = place;
    // Closers that the editor has put there are the model's to write.
    const behind = suffix.slice(autoClosed);
    const isGuided = this.#isGuided(model);
    const source = members === "on" ? this.#parts.members?.(path, language) : undefined;
    if (!isGuided && source === undefined) return undefined;
    const grammar = this.#parts.guide?.(language, prefix, behind);
    if (grammar === undefined && source === undefined) return undefined;
    const endingOf = (text: string) => (grammar?.allows(text) ? grammar.ending?.(text) : undefined);
    const known = source && new Members({ before: prefix, behind, source, endingOf });
    return new GuideAtPlace(isGuided ? grammar : undefined, known);
  }

  /**
   * Waits for a request; a draft comes first where it is slow. `undefined` when the request is
   * cancelled, or the answer disagrees.
   */
  async #wait(
    walk: RequestTrace,
    place: Place,
    pending: InFlightRequest,
    typed: number,
  ): Promise<
    | { readonly kind: "answer"; readonly answer: ModelRequestResult }
    | { readonly kind: "draft"; readonly found: Found }
    | undefined
  > {
    const { life } = walk;
    const hold = this.#pending.hold(pending);
    let isKept = false;
    try {
      const answering = answerAgreeing(pending, place.prefix.slice(place.prefix.length - typed));
      const drafter = this.#fillers.find(({ rank, isInstant }) => isInstant && rank > pending.rank);
      if (drafter !== undefined && place.trigger === "automatic") {
        const { clock, settings } = this.#parts;
        const limit = { clock, limitMs: settings.draftAfterMs };
        const isSlow =
          (await life.wait(
            resultWithin(
              answering.then(() => true),
              limit,
            ),
          )) === undefined;
        if (!pending.request.isOver && life.over === undefined && isSlow) {
          const shownPrompt = walk.prompt;
          const draft = await this.#fitOnce(walk, place, { filler: drafter });
          walk.prompt = shownPrompt;
          const isGood = draft && this.#refuseFit(walk, place, draft.fit, draft.probability) === undefined;
          if (isGood && life.over === undefined && !pending.request.isOver) {
            // The request continues: its answer is for keys that differ from the draft.
            isKept = true;
            walk.note("model", `${pending.model} is slow; ${draft.model} wrote a draft`);
            return { kind: "draft", found: draft };
          }
        }
      }
      const answer = await life.wait(answering);
      return answer && { kind: "answer", answer };
    } finally {
      if (!isKept) hold[Symbol.dispose]();
    }
  }

  /** Fits an answer to the place, or returns why there is no suggestion. */
  async #take(
    walk: RequestTrace,
    place: Place,
    answer: Extract<ModelRequestResult, { kind: "answered" }>,
    how: Pick<Found, "origin" | "model" | "request"> & {
      readonly firstTextAtMs: number | undefined;
      readonly typed: number;
      readonly closed: number;
    },
  ): Promise<FindAnswer> {
    const { text, reason, probability } = answer;
    const { typed, closed, origin, model, request } = how;
    walk.noteFirstToken(how.firstTextAtMs);
    for (const refused of answer.refused ?? []) walk.refuse(model, refused);
    if (text.trim() === "") {
      refuse(walk, model, answer.withheld?.text ?? "", { kind: "thrown-away", reason: lowConfidence(answer) });
      for (const note of answer.notes ?? []) walk.note("check", note);
      return noSuggestion("model", noSuggestionFrom(answer));
    }
    const broken = answer.error === undefined ? "" : `: ${answer.error.message}`;
    walk.note("model", `${model}: ${text.length} characters, ${reason}${broken}`);
    for (const note of answer.notes ?? []) walk.note("check", note);
    const fit = await this.#fit(walk, place, keptOf(answer), { typed, closed, model });
    if (fit.kind === "no-suggestion") return noSuggestion(fit.step, fit.reason);
    walk.note("check", fit.changes.length === 0 ? "as the model wrote it" : fit.changes.join(", "));
    const lowAcceptance = this.#refuseFit(walk, place, fit, probability);
    if (lowAcceptance === undefined)
      return { kind: "found", all: [{ fit, origin, model, probability, request: request }] };
    refuse(walk, model, fit.text, { kind: "thrown-away", reason: lowAcceptance });
    return noSuggestion("offer", lowAcceptance);
  }

  async #fit(
    walk: RequestTrace,
    place: Place,
    { text, changes, isWhole }: Pick<CachedAnswer, "text" | "changes" | "isWhole">,
    since: { readonly typed: number; readonly closed: number; readonly model: string },
  ): Promise<FitAnswer> {
    const { syntax, settings } = this.#parts;
    const { trimmer } = this.#trimmerAt(placeBefore(place, since));
    const typed = place.prefix.slice(place.prefix.length - since.typed);
    const fit = await fitText(text, { place, trimmer, typed, syntax, settings, isWhole, changes });
    if (fit.kind === "no-suggestion") refuse(walk, since.model, text, { kind: "thrown-away", reason: fit.reason });
    else for (const cut of fit.cuts) refuse(walk, since.model, cut.text, { kind: "cut", change: cut.change });
    if (fit.kind === "fits" && fit.unchecked !== undefined) walk.note("check", describeUncheckedSyntax(fit.unchecked));
    return fit;
  }

  #trimmerAt(place: Place): { readonly trimmer: Trimmer; readonly maxLines: number } {
    const { settings } = this.#parts;
    const starts = this.#starts.at(place);
    const shape = settings.multiLine === "never" ? "line" : shapeOf(place, () => starts.blocks());
    const isOpen = shape === "line" && place.rest.trim() !== "" && settings.multiLine !== "never";
    const most = shape === "block" ? settings.maxBlockLines : settings.maxStatementLines;
    const maxLines = shape === "line" && !isOpen ? 1 : most;
    const startsStatement = (text: string, line: number) => starts.startsAt(text, line);
    return { trimmer: new Trimmer({ place, shape, maxLines, startsStatement }), maxLines };
  }

  /** The reason where the acceptance score is too low for automatic ghost text. */
  #tryLowAcceptance(walk: RequestTrace, signals: TriggerFeatures): NoSuggestionReason | undefined {
    const threshold = this.#parts.settings.acceptanceThreshold;
    walk.acceptance = this.#parts.acceptance.score(signals);
    const { score } = walk.acceptance;
    const isHeldBack = walk.request.trigger === "automatic" && score < threshold;
    return isHeldBack ? { kind: "low-acceptance", score, threshold } : undefined;
  }

  /** Whether ghost text that comes by itself is what the person has just deleted there. */
  #refuseDeleted(
    { request }: RequestTrace,
    place: Place,
    { text, covered }: { readonly text: string; readonly covered: number },
  ): NoSuggestionReason | undefined {
    if (request.trigger !== "automatic") return undefined;
    const written = text.replace(/\r\n|\n/g, lineEndingAt(place, request));
    const { edit } = toEdit(place, request, { text: written, covered, own: "" });
    const isBack = this.#parts.bringsBack?.(place.path, request.document.text, edit) === true;
    return isBack ? { kind: "just-deleted", text: tryFirstLine(text) ?? text } : undefined;
  }

  #refuseFit(
    walk: RequestTrace,
    place: Place,
    fit: { readonly text: string; readonly covered: number },
    probability: number | undefined,
  ) {
    return (
      this.#refuseDeleted(walk, place, fit) ??
      this.#tryLowAcceptance(walk, { ...signalsOf(place, fit.text, probability), recent: this.#log.recent })
    );
  }

  /** Hands out what was found, behind what is shown already. */
  #offer(
    walk: RequestTrace,
    place: Place,
    all: readonly Found[],
    shown: readonly ActiveSuggestion[],
  ): GhostTextOutcome {
    const { request } = walk;
    const { uri } = place;
    const ending = lineEndingAt(place, request);
    const offers = all.map(({ fit, origin, model, probability, request: ask }): ActiveSuggestion => {
      const { covered, overlap, changes } = fit;
      const text = fit.text.replaceAll("\n", ending);
      // Closers that the editor has put there, and the model wrote too, are taken with the text.
      const own = place.rest.slice(0, Math.min(overlap, place.autoClosed));
      const suggestion: Suggestion = {
        id: this.#newId(),
        ...toEdit(place, request, { text, covered, own }),
        ...(probability !== undefined && { probability }),
        ...{ origin, model, changes },
      };
      const after = place.suffix.slice(Math.max(covered, own.length));
      const { path, language } = place;
      return { suggestion, uri, path, language, before: place.prefix, text: text + own, after, ask };
    });
    for (const [index, offer] of offers.entries()) {
      this.#log.add(offer, signalsOf(place, all[index]!.fit.text, all[index]!.probability));
    }
    const isNew = (offer: ActiveSuggestion) => !shown.some((other) => madeBy(other) === madeBy(offer));
    this.#current = [...shown, ...offers.filter(isNew)];
    this.#recall(walk, this.#current[0]?.ask);
    const [suggestion, ...others] = this.#current.map((offer) => offer.suggestion);
    walk.note(
      "offer",
      `${others.length + 1} suggestion${others.length === 0 ? "" : "s"}; the first from ${originNames[suggestion!.origin]}.`,
    );
    return walk.offered([suggestion!, ...others]);
  }

  /**
   * Asks for what comes after an offer, as if it had been accepted, so that the answer is there
   * when it is.
   */
  async #sendAhead(offer: ActiveSuggestion): Promise<void> {
    const [filler] = this.#fillers;
    // A model that answers at once needs no request ahead.
    if (!this.#parts.settings.ahead || filler === undefined || filler.isInstant) return;
    this.#stopAhead();
    const { uri, path, language, before, text, after } = offer;
    const request: GhostTextRequest = {
      document: { uri, language, version: 0, text: before + text + after },
      ...{ path, offset: before.length + text.length, trigger: "automatic" },
    };
    const place = tryPlace(request);
    const { settings } = this.#parts;
    const refused = refuseDocument(request, (file) => this.#parts.access(file), settings);
    if (place === undefined || refused !== undefined || refusePlace(place, settings) !== undefined) return;
    if (this.#cache.find(place).length > 0 || this.#pending.find(place) !== undefined) return;
    const controller = new AbortController();
    this.#ahead = controller;
    try {
      const prompt = await this.#promptWithGuide(request, place, filler.model, controller.signal);
      if (!controller.signal.aborted) this.#send({ filler, place, prompt }, { isAhead: true });
    } catch {
      // The caller does not wait: the request that needs this prompt fails with the same error.
    }
  }

  /** Lets the prompt of a place grow step by step, between the requests, until the next key. */
  async #grow(request: GhostTextRequest): Promise<void> {
    const [filler] = this.#fillers;
    if (this.#parts.growPrompt === undefined || filler === undefined || filler.isInstant || this.#isDisposed) return;
    const controller = new AbortController();
    const { signal } = controller;
    this.#growth?.abort();
    this.#growth = controller;
    try {
      do await raceAbort(this.#pending.settled(), signal);
      while (await this.#parts.growPrompt(request, filler.model, { signal }));
    } catch {
      // A key has stopped it, or the model has failed: the next request fails with the same error.
    }
  }

  #stopAhead(): void {
    this.#ahead?.abort();
    this.#ahead = undefined;
    this.#pending.stopAhead();
  }
}

/** The most alternatives, however many are wanted: each is a request. */
const maxAlternatives = 5;

/** How much text on either side is searched for its line ending, in UTF-16 units. */
const maxNear = 2000;

/**
 * How long the answer of a model that was asked because an earlier one had failed is kept, in
 * milliseconds: then the earlier one is asked again, which may have recovered.
 */
const fallbackMs = 5_000;

/** How many kept answers are looked at for one place. */
const maxHits = 3;

/** Where suggestions come from, as a part of a sentence. */
const originNames: Readonly<Record<Suggestion["origin"], string>> = {
  "typed-as-suggested": "an earlier suggestion",
  cache: "an earlier answer",
  joined: "a request under way",
  ahead: "a request in advance",
  model: "the model",
};

const cure = "name one that fills in code, or use the built-in one.";

/** Which request it was, and when its answer began. */
function requestOf({ request, number }: InFlightRequest): {
  readonly request: number;
  readonly firstTextAtMs: number | undefined;
} {
  return { request: number, firstTextAtMs: request.firstTextAtMs };
}

/** Notes that a text is not offered, unless there is none. */
function refuse(
  walk: RequestTrace,
  model: string,
  text: string,
  why:
    | { readonly kind: "thrown-away"; readonly reason: NoSuggestionReason }
    | { readonly kind: "cut"; readonly change: SuggestionChange },
): void {
  const line = tryFirstLine(text);
  if (line !== undefined) walk.refuse(model, { line, ...why });
}

type FindAnswer = { readonly kind: "found"; readonly all: readonly Found[] } | NoSuggestion;

/** What of an answer is kept for those who ask later. */
function keptOf({ text, changes, reason }: Extract<ModelRequestResult, { kind: "answered" }>) {
  return { text, changes, isWhole: reason === "finished" };
}

function signalsOf(
  { language, lineBefore, rest }: Place,
  text?: string,
  probability?: number,
): Omit<TriggerFeatures, "recent"> {
  return {
    ...{ language, lineBefore, rest },
    ...(text !== undefined && { length: text.length }),
    ...(probability !== undefined && { probability }),
  };
}

/** How lines end around a place. */
function lineEndingAt({ prefix, suffix }: Place, { document }: GhostTextRequest): string {
  const near = prefix.slice(-maxNear) + suffix.slice(0, maxNear);
  return detectLineEnding(near) ?? detectLineEnding(document.text) ?? "\n";
}

/** The document that accepting an offer makes. */
function madeBy({ before, text, after }: ActiveSuggestion): string {
  return before + text + after;
}

function printNoGuide(none: NoGuide): string {
  if (none.kind === "too-slow") return "no grammar: reading the text with it takes too long";
  return `no grammar: the text has ${none.characters} characters, and at most ${none.limit} are read with it`;
}
