import { type AbortOptions, sleep } from "../../async/index.ts";
import { RequestLife, suggestionIds } from "../../complete/index.ts";
import { EditHistory, type PastEdit } from "../../context/index.ts";
import { SyntaxErrorCache } from "../../syntax/index.ts";
import { type Edit, minimalEdit, once, oneLine, type TextEdit } from "../../text/index.ts";
import { checkProposal, type ProposalChecks, typeCheckedShare } from "../edit-checks/check-proposal.ts";
import { typeCheckWithin } from "../edit-checks/edit-type-check.ts";
import { UndeclaredNamesCheck } from "../edit-checks/undeclared-names-check.ts";
import { ProviderCalibration } from "../feedback/provider-calibration.ts";
import { Rejections } from "../feedback/rejections.ts";
import { ReturnedSuggestions } from "../feedback/returned-suggestions.ts";
import { UndoGuard } from "../feedback/undo-guard.ts";
import { VisitedLocations } from "../feedback/visited-locations.ts";
import { LineLayout } from "../layout/line-layout.ts";
import {
  type InFlightModelRequest,
  type ModelAnswer,
  ModelRequestQueue,
  modelSource,
} from "../providers/model/model-request-queue.ts";
import type {
  FileMove,
  NextEditContext,
  NextEditProvider,
  Proposal,
  ProvidedProposal,
} from "../providers/next-edit-provider.ts";
import { maxTypedCharacters } from "../providers/types/past-change.ts";
import { tryBehindCursor } from "./arbitration.ts";
import { describeNoNextEdit } from "./explain-next-outcome.ts";
import { type NextEditRequest, refuseRequest } from "./gate.ts";
import type { NextEditParts } from "./next-edit-parts.ts";
import { NextEditTrace, originNames, printProposals } from "./next-edit-trace.ts";
import {
  type FilterReason,
  type LeftOut,
  maxOthers,
  type NextEditOutcome,
  type NextEditSuggestion,
  type NoNextEditReason,
} from "./outcome.ts";
import { brokenPlaces, rankProposals, withoutRivals } from "./rank-proposals.ts";
import { editOfChain, inRenameChains, textsOfChain } from "./rename-chains.ts";
import { type CacheAnswer, nextEditOf, type PassOver, SuggestionCache } from "./suggestion-cache.ts";

/** The edits of one chain by file, each with the present text of its file. */
export interface WholeChain {
  readonly files: ReadonlyMap<string, { readonly text: string; readonly edit: Edit }>;
  /** The places that are left, which are too many for one edit; they follow when it is applied. */
  readonly left: number;
  /** Whether a type checker took too long to name all places. */
  readonly isLate: boolean;
}

/**
 * Suggests next edits: gate, cache, providers, model, edit checks, suggestion.
 *
 * The host reports each change of a document and what became of each suggestion. The engine holds
 * the edit history, the cached suggestions and the rejections. The texts of `parts.files` belong to
 * the host, which updates them before it calls {@link changed}. Law: while the user types exactly
 * what is suggested, the suggestion stays, under the same id, and no provider or model is called.
 */
export class NextEditEngine implements Disposable {
  readonly #parts: NextEditParts;
  readonly #history = new EditHistory({ maxEntries: 50 });
  readonly #undoGuard = new UndoGuard();
  readonly #rejections = new Rejections();
  readonly #visited = new VisitedLocations();
  readonly #calibration = new ProviderCalibration();
  readonly #cache = new SuggestionCache<CachedData>();
  readonly #checks: ProposalChecks;
  readonly #newId: () => string;
  readonly #returned = new ReturnedSuggestions();
  /** Files that were moved recently, the oldest first. */
  #moves: readonly FileMove[] = [];
  /** The number of edits of each file. */
  readonly #edits = new Map<string, number>();
  /** The request of each shape that is still in flight. */
  readonly #lives = new Map<NextEditRequest["shape"], RequestLife>();
  readonly #modelRequests: ModelRequestQueue | undefined;
  /**
   * Whether a suggestion was accepted since the last request: then the next request does not wait.
   */
  #followsAccepted = false;
  #rejectedAtMs = Number.NEGATIVE_INFINITY;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #isDisposed = false;

  constructor(parts: NextEditParts) {
    const { syntax, settings, types, clock, formatter, configuredStyle, names } = parts;
    this.#parts = parts;
    const { syntaxErrors = new SyntaxErrorCache(syntax) } = parts;
    this.#checks = {
      access: (path) => parts.access(path),
      ...{ rejections: this.#rejections, undoGuard: this.#undoGuard, syntax, settings },
      syntaxErrors,
      layout: formatter && new LineLayout({ syntax, formatter, configuredStyle, files: parts.files }),
      undeclaredNames: names && new UndeclaredNamesCheck(names),
      files: parts.files,
      types: types && typeCheckWithin(types, clock, settings.typesMs),
    };
    this.#newId = parts.newId ?? suggestionIds("next");
    const { model } = parts;
    if (model === undefined || !settings.origins.includes(modelSource.origin)) return;
    this.#modelRequests = new ModelRequestQueue({ model, clock, settings, syntaxErrors, newId: this.#newId });
  }

  /**
   * Returns the next edit, or why there is none. A new request supersedes the one of the same shape
   * in flight, for any document. A cancelled or superseded request returns that reason, and so does
   * a model that fails. Rejects only where another part of the engine throws.
   */
  async suggest(request: NextEditRequest, { signal }: AbortOptions = {}): Promise<NextEditOutcome> {
    const life = new RequestLife(signal);
    if (this.#isDisposed) life.end("cancelled");
    this.#lives.get(request.shape)?.end("superseded");
    this.#lives.set(request.shape, life);
    const trace = new NextEditTrace(this.#parts.clock);
    try {
      const outcome = await this.#answer(trace, request, life);
      if (life.over === undefined) this.#followsAccepted = false;
      return outcome;
    } catch (error) {
      if (life.over === undefined) throw error;
      return trace.noSuggestion("offer", { kind: life.over });
    } finally {
      life.close();
      if (this.#lives.get(request.shape) === life) this.#lives.delete(request.shape);
    }
  }

  /** Reports a change of the file at `path`, whose text was `before`, by the user or a tool. */
  changed(path: string, before: string, edit: Edit): void {
    this.#changedAtMs = this.#parts.clock.now();
    this.#edits.set(path, (this.#edits.get(path) ?? 0) + 1);
    this.#history.record(path, before, edit, this.#parts.clock.now());
    this.#undoGuard.record(path, before, edit);
    this.#rejections.follow(path, before, edit);
    this.#visited.follow(path, edit);
    this.#returned.follow(path, before, edit);
    this.#cache.follow(path, before, edit);
    this.#modelRequests?.follow(path, before, edit);
  }

  /**
   * Reports that the file at `path` was moved to `newPath`. Its history and rejections move along;
   * its cached suggestions, and the steps that a suggestion may not undo, are dropped.
   */
  renamed(path: string, newPath: string): void {
    this.#history.rename(path, newPath);
    this.#moves = [...this.#moves, { from: path, to: newPath }].slice(-maxMoves);
    this.#rejections.rename(path, newPath);
    this.#visited.rename(path, newPath);
    this.#undoGuard.forget(path);
    this.#cache.forget(path);
    this.#modelRequests?.stop(path);
  }

  /**
   * Reports that a file's text was replaced other than by editing: all its history, rejections and
   * cached suggestions are dropped. Without a path those of all files are, as after a checkout.
   */
  replaced(path?: string): void {
    for (const memory of [this.#history, this.#undoGuard, this.#rejections, this.#visited, this.#cache])
      if (path === undefined) memory.forgetAll();
      else memory.forget(path);
    this.#moves = path === undefined ? [] : this.#moves.filter(({ from, to }) => from !== path && to !== path);
    this.#modelRequests?.stop(path);
  }

  /** The recent edits, the oldest first. */
  get history(): readonly PastEdit[] {
    return this.#history.entries(this.#parts.clock.now());
  }

  /**
   * Reports that a suggestion is on the screen. Only a suggestion that was shown and then rejected
   * delays the next automatic one. An unknown id is ignored.
   */
  shown(id: string): void {
    this.#returned.shown(id);
  }

  /**
   * Reports that a suggestion was accepted: all of it, or the given part of its edit. The change of
   * the text is reported by {@link changed} too, before or after. The next request is then answered
   * without a delay. An unknown id is ignored.
   */
  accepted(id: string, part?: readonly TextEdit[]): void {
    const offer = this.#returned.end(id, part === undefined ? "accepted" : "partly-accepted");
    if (offer === undefined) return;
    this.#rejectedAtMs = Number.NEGATIVE_INFINITY;
    this.#followsAccepted = true;
    this.#calibration.learn(offer.proposal, offer.suggestion.text, true);
    if (offer.suggestion.edit === undefined) this.#markVisited(offer.suggestion);
  }

  /**
   * Reports that a suggestion was rejected. It is not suggested again while the text around its
   * location is unchanged. An unknown id is ignored.
   */
  rejected(id: string): void {
    const offer = this.#returned.end(id, "dismissed");
    if (offer === undefined) return;
    const { path, text, edit } = offer.suggestion;
    this.#calibration.learn(offer.proposal, text, false);
    if (offer.wasSeen) this.#rejectedAtMs = this.#parts.clock.now();
    if (edit === undefined) {
      this.#markVisited(offer.suggestion);
      return;
    }
    const present = this.#parts.files.textOf(path);
    if (present === undefined) return;
    const now = present === text ? edit : edit.tryRebase(minimalEdit(text, present));
    if (now !== undefined) this.#rejections.reject(path, present, now);
  }

  /**
   * Returns a suggestion with the whole chain it belongs to, such as all of a rename, after the
   * edit checks. `undefined` where a check fails, the suggestion has no edit, the id is unknown, or
   * the document has changed. Rejects with the signal's reason on abort.
   */
  async whole(id: string, { signal }: AbortOptions = {}): Promise<WholeChain | undefined> {
    const offer = this.#returned.get(id);
    const { files } = this.#parts;
    if (offer?.suggestion.edit === undefined || files.textOf(offer.suggestion.path) !== offer.suggestion.text)
      return undefined;
    const { proposal } = offer;
    const context = this.#contextOf(offer.request);
    const stop = signal ?? new AbortController().signal;
    const { proposals: all, left, isLate } = await this.#chainOf(context, proposal, stop);
    const paths = new Set([proposal.path, ...all.map(({ path }) => path)]);
    const chainEdits = new Map<string, { readonly text: string; readonly edit: Edit }>();
    // The user requested the whole chain, so its length is not limited.
    const checks = { ...this.#checks, settings: { ...this.#parts.settings, maxLines: Number.POSITIVE_INFINITY } };
    for (const path of paths) {
      const first = path === proposal.path ? proposal : all.find((other) => other.path === path)!;
      const text = context.files.textOf(path);
      const edit = editOfChain(first, all);
      if (text === undefined || edit === undefined) continue;
      const others = textsOfChain(path, all, context.files.textOf);
      const order = {
        ...{ text, language: files.languageOf(path), threshold: 0, signal: stop, history: context.history },
        mayRedo: mayRedo(offer.request),
        together: async () => ({ edit, others }),
      };
      const checked = await checkProposal({ ...first, edit }, order, checks);
      if (checked.kind === "held") return undefined;
      chainEdits.set(path, { text, edit });
    }
    return { files: chainEdits, left, isLate };
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const life of [...this.#lives.values()]) life.end("cancelled");
    this.replaced();
    this.#returned.forgetAll();
  }

  async #answer(trace: NextEditTrace, request: NextEditRequest, life: RequestLife): Promise<NextEditOutcome> {
    const { settings, clock } = this.#parts;
    if (life.over !== undefined) return trace.noSuggestion("gate", { kind: life.over });
    const refused = refuseRequest(request, (path) => this.#parts.access(path), settings);
    if (refused !== undefined) return trace.noSuggestion("gate", refused);
    const leftMs = this.#rejectedAtMs + settings.afterRejectionMs - clock.now();
    if (request.trigger === "automatic" && leftMs > 0)
      return trace.noSuggestion("gate", { kind: "rejected-lately", leftMs });
    trace.note("gate", "Next edits are on at this place.");

    const context = this.#contextOf(request);
    const lookUp: LookUp = (isPassedOver) => this.#cache.find(request.path, context.text, context.cursor, isPassedOver);
    const cached = lookUp();
    const state: RequestState = {
      trace,
      request,
      context,
      life,
      signal: life.signal,
      unlikely: [],
      passedOver: new Map(),
      leftOut: [],
    };
    const reused = request.isExhaustive ? undefined : await this.#suggestNextOf(state, lookUp);
    if (reused !== undefined) return reused;
    // A model's answer for this text that is filtered out completely would be the same again.
    const withheld =
      lookUp(isPassedOverIn(state)).kind === "nothing" ? [...state.passedOver.values()].at(-1) : undefined;
    const isEdited = context.history.length + this.#moves.length > 0;
    if (isEdited && !(await this.#hasPaused(request, life))) {
      return trace.noSuggestion("sources", { kind: life.over ?? "superseded" });
    }
    const found = isEdited ? await this.#askProviders(state) : undefined;
    const isDone = found?.proposal.edit !== undefined && found.proposal.isStub !== true;
    const isOpen = !isDone && cached.kind !== "nothing" && !withheld && request.shape === undefined;
    const modelOutcome =
      isOpen && this.#modelRequests ? await this.#askModel(state, this.#modelRequests, found?.proposal) : undefined;
    if (modelOutcome?.kind === "offered") return modelOutcome;
    const best = found ?? (await this.#likeliestOf(state));
    if (best !== undefined) return this.#offer(state, best);
    if (life.over !== undefined) return trace.noSuggestion("offer", { kind: life.over });
    if (cached.kind === "hidden") return trace.noSuggestion("reuse", { kind: "hidden" });
    if (cached.kind === "nothing") return trace.noSuggestion("reuse", { kind: "model-silent" });
    if (modelOutcome !== undefined) return trace.noSuggestion("model", modelOutcome);
    if (withheld !== undefined) return trace.noSuggestion("reuse", { kind: "model-withheld", reason: withheld.reason });
    if (!isEdited) return trace.noSuggestion("sources", { kind: "nothing-edited" });
    const { leftOut } = state;
    return trace.noSuggestion("sources", { kind: "nothing-follows", ...(leftOut.length > 0 && { leftOut }) });
  }

  /**
   * Waits in a long document until the user pauses, unless the request is invoked or follows an
   * accepted suggestion. Returns `false` where the text changed or the request ended meanwhile.
   */
  async #hasPaused({ path, document: { text }, trigger }: NextEditRequest, life: RequestLife): Promise<boolean> {
    const { settings, clock, files } = this.#parts;
    const waitMs = this.#changedAtMs + settings.debounceMs - clock.now();
    const isLong = text.length >= settings.longDocumentCharacters;
    if (!isLong || !(waitMs > 0) || trigger === "invoked" || this.#followsAccepted) return true;
    await life.pause(waitMs, clock);
    return life.over === undefined && files.textOf(path) === text;
  }

  /**
   * Suggests the edit that `lookUp` finds in the cache or in a model's answer, if it still applies
   * and passes the edit checks. Edits of a model's answer that do not pass are passed over, and the
   * next one is tried. `isFresh`: the answer has just come.
   */
  async #suggestNextOf(
    state: RequestState,
    lookUp: LookUp,
    { isFresh = false } = {},
  ): Promise<OfferedEdit | undefined> {
    const { path, text, language } = state.context;
    for (;;) {
      const next = lookUp(isPassedOverIn(state));
      if (next.kind !== "edit" || !isOfShape(state, state.context, next.edit)) return undefined;
      const { edit, data, index, isRebased } = next;
      const isOfModel = "turn" in data;
      const suggested = isOfModel
        ? { id: `${data.turn}.${index}`, proposal: modelProposal(path, edit, data.reason), others: [] }
        : this.#tryAgain(data, edit, state);
      if (suggested === undefined) return undefined;
      // The likelihood has been checked before, and so have the types of a provider's proposal. A
      // part of a model's answer may add type errors without the rest of it.
      const order = { text, language, threshold: 0, mayRedo: mayRedo(state.request), signal: state.signal };
      const checks = { ...this.#checks, types: undefined, layout: undefined };
      const checked = await checkProposal(suggested.proposal, order, checks);
      state.signal.throwIfAborted();
      if (checked.kind === "passes") {
        state.trace.note(
          "reuse",
          isFresh
            ? "The last answer is for this text."
            : isRebased
              ? "The text was typed as suggested."
              : "An earlier suggestion still fits.",
        );
        if (isOfModel) state.trace.shown ??= this.#modelRequests?.shown(data.turn);
        return this.#offer(state, { ...suggested, text, isReused: !isFresh, isByModel: isOfModel });
      }
      if (!isOfModel) return undefined;
      state.trace.filterOut({ proposal: suggested.proposal, reason: checked.reason });
      const indexes = new Set([...(state.passedOver.get(data.turn)?.indexes ?? []), index]);
      state.passedOver.set(data.turn, { indexes, reason: checked.reason });
    }
  }

  /**
   * A cached proposal of a provider for the present text, in which `edit` does the same;
   * `undefined` where the user did something else meanwhile, in this file or in the file it
   * followed from: then it is computed again.
   */
  #tryAgain(cached: CachedProposal, edit: Edit, { request, context }: RequestState) {
    const { id, proposal, others, goal, text, editsElsewhere } = cached;
    if (edit.apply(context.text) !== goal || editsElsewhere !== this.#editsBeside(request.path)) return undefined;
    if (text === context.text) return { id, proposal, others };
    return { id, proposal: { ...proposal, edit, place: edit.span }, others: [] };
  }

  /**
   * Runs all synchronous providers together, then the asynchronous ones one by one until a proposal
   * passes. Returns `undefined` where none does.
   */
  async #askProviders(state: RequestState): Promise<SuggestionOrder | undefined> {
    const { trace, request, context, signal } = state;
    const { sources, settings, files } = this.#parts;
    await files.settled?.();
    signal.throwIfAborted();
    if (request.isExhaustive) return this.#askAllProviders(state);
    const most = request.trigger === "invoked" ? maxOthers + 1 : takenWhenAutomatic;
    const least = this.#threshold(request) * typeCheckedShare;
    const onLate = () => {
      if (state.leftOut.every(({ kind }) => kind !== "types-late"))
        state.leftOut.push({ kind: "types-late", limitMs: settings.typesMs });
    };
    const instant: ProvidedProposal[] = [];
    const synchronous: { readonly provider: NextEditProvider; readonly proposals: Iterable<Proposal> }[] = [];
    const others: { readonly provider: NextEditProvider; readonly takeOnce: () => Promise<ProvidedProposal[]> }[] = [];
    for (const provider of sources) {
      if (!settings.origins.includes(provider.origin)) continue;
      const proposals = provider.propose(context, { signal });
      if (Symbol.iterator in proposals) synchronous.push({ provider, proposals });
      else if (request.shape === undefined || request.trigger === "invoked")
        others.push({
          provider,
          takeOnce: once(() => this.#takeInTime(provider, proposals, { most, least, signal, onLate })),
        });
    }
    // While a process reads the names of long texts, the other providers work.
    const onWait = once(() => takeUntilFound(others.map(({ takeOnce }) => takeOnce)));
    for (const { provider, proposals } of synchronous)
      instant.push(...(await this.#takeAll(provider, proposals, state, { most, least, onWait })));
    trace.note(
      "sources",
      `Found ${printProposals(instant.length)} without a type checker or a model, before the checks.`,
    );
    const first = await this.#firstThatPasses(state, this.#ranked(context, instant, instant));
    if (first !== undefined) return first;
    const { length: characters } = context.text;
    if (others.length > 0 && characters > maxTypedCharacters) {
      state.leftOut.push({ kind: "types", characters, limit: maxTypedCharacters });
      trace.note("sources", `The text is too long for a type checker: ${characters} characters.`);
    } else if (others.length > 0 && this.#parts.isOpeningTypes?.() === true) {
      state.leftOut.push({ kind: "types-opening" });
      trace.note("sources", "The type checker is being opened.");
    }
    for (const { provider, takeOnce } of others) {
      const more = await takeOnce();
      trace.note(
        "sources",
        `Found ${printProposals(more.length)} from ${originNames[provider.origin]}, before the checks.`,
      );
      const found = await this.#firstThatPasses(state, this.#ranked(context, more, instant), { renames: instant });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All proposals of all providers, those at new type errors first. */
  async #askAllProviders(state: RequestState): Promise<SuggestionOrder | undefined> {
    const { trace, request, context, signal } = state;
    const { sources, settings } = this.#parts;
    const limits = { most: Number.POSITIVE_INFINITY, least: 0, signal };
    const all: ProvidedProposal[] = [];
    const instant: ProvidedProposal[] = [];
    for (const provider of sources) {
      if (!settings.origins.includes(provider.origin)) continue;
      const proposals = provider.propose(context, { signal });
      const isInstant = Symbol.iterator in proposals;
      const taken = isInstant
        ? await this.#takeAll(provider, proposals, state, limits)
        : await take(provider, proposals, limits);
      trace.note(
        "sources",
        `Found ${printProposals(taken.length)} from ${originNames[provider.origin]}, before the checks.`,
      );
      all.push(...taken);
      if (isInstant) instant.push(...taken);
    }
    const paths = all.flatMap(({ error, path }) => (error === undefined ? [] : [path]));
    const { broken, others } = brokenPlaces(this.#ranked(context, all, instant), [...new Set(paths)]);
    const checked: ProvidedProposal[] = [];
    for (const one of broken) {
      const place = await this.#checkedAtError(state, one);
      if (place !== undefined) checked.push(place);
    }
    const [proposal, ...further] = checked;
    if (proposal === undefined) return this.#firstThatPasses(state, others);
    const least = this.#threshold(request);
    const likely = others.filter(({ likelihood }) => likelihood >= least);
    const guesses = await this.#allWithoutOtherMembers(context, likely, signal);
    const text = context.files.textOf(proposal.path)!;
    return { proposal, text, others: [...further, ...guesses], isReused: false };
  }

  /**
   * A proposal at a type error after the edit checks; the place alone where its edit does not pass
   * them, and `undefined` where its file may not be read.
   */
  async #checkedAtError(state: RequestState, proposal: ProvidedProposal): Promise<ProvidedProposal | undefined> {
    const { request, context, signal, trace } = state;
    const { path, error } = proposal;
    const text = context.files.textOf(path);
    if (text === undefined || error === undefined) return undefined;
    const order = {
      ...{ text, language: context.files.languageOf(path), threshold: 0, signal, history: context.history },
      mayRedo: mayRedo(request),
    };
    const together = () => this.#togetherWith(context, proposal, signal);
    const checks = { ...this.#checks, types: this.#parts.types };
    const checked = await checkProposal(proposal, { ...order, together }, checks);
    signal.throwIfAborted();
    if (checked.kind === "passes") return checked.proposal;
    trace.filterOut({ proposal, reason: checked.reason });
    const { edit, chain, isStub, ...rest } = proposal;
    if (edit === undefined) return undefined;
    const place = { ...rest, place: { start: error.start, end: error.end }, reason: oneLine(error.message) };
    const alone = await checkProposal(place, order, checks);
    return alone.kind === "passes" ? alone.proposal : undefined;
  }

  async #togetherWith(context: NextEditContext, proposal: ProvidedProposal, signal: AbortSignal) {
    const { proposals: chain } = await this.#chainOf(context, proposal, signal);
    const edit = editOfChain(proposal, chain);
    return edit && { edit, others: textsOfChain(proposal.path, chain, context.files.textOf) };
  }

  /** Takes proposals; those of an asynchronous provider only for `typesMs` milliseconds. */
  async #takeInTime(
    provider: NextEditProvider,
    proposals: AsyncIterable<Proposal> | Iterable<Proposal>,
    limits: { readonly most: number; readonly least: number; readonly signal: AbortSignal; onLate?(): void },
  ): Promise<ProvidedProposal[]> {
    const { clock, settings } = this.#parts;
    if (Symbol.iterator in proposals) return take(provider, proposals, limits);
    const late = sleep(clock, settings.typesMs);
    try {
      const taken = await take(provider, until(proposals, late), limits);
      if (late.isOver) limits.onLate?.();
      return taken;
    } finally {
      late.stop();
    }
  }

  /**
   * Takes the proposals of a provider. Where it left out long texts, calls `onWait`, lets the
   * provider read them (`readOn`) and takes its proposals again.
   */
  async #takeAll(
    provider: NextEditProvider,
    proposals: Iterable<Proposal>,
    { trace, request, context, life, signal, leftOut }: RequestState,
    limits: { readonly most: number; readonly least: number; onWait?(): void },
  ): Promise<ProvidedProposal[]> {
    let taken = await take(provider, proposals, limits);
    if (provider.readOn === undefined || request.shape !== undefined) return taken;
    const limit = sleep(this.#parts.clock, maxReadOnMs);
    const until = life.wait(limit);
    for (let round = 0; round < maxReadRounds && life.over === undefined; round += 1) {
      if (provider.isBehind === true) limits.onWait?.();
      const read = await provider.readOn(until);
      if (read === "late") leftOut.push({ kind: "names", limitMs: maxReadOnMs });
      if (read !== "done") break;
      trace.note("sources", `Read long files for proposals from ${originNames[provider.origin]}, before the checks.`);
      taken = await take(provider, provider.propose(context, { signal }), limits);
    }
    limit.stop();
    return taken;
  }

  /** Whether the user rejected the edit of a proposal. */
  #isRejected({ files }: NextEditContext, { path, edit }: Proposal): boolean {
    const text = files.textOf(path);
    return edit !== undefined && text !== undefined && this.#rejections.isRejected(path, text, edit);
  }

  /** All proposals of a proposal's chain that were not rejected, itself first. */
  async #chainOf(
    context: NextEditContext,
    proposal: ProvidedProposal,
    signal: AbortSignal,
  ): Promise<{ readonly proposals: readonly ProvidedProposal[] } & Pick<WholeChain, "left" | "isLate">> {
    const { chainProvider: provider } = proposal;
    if (proposal.chain === undefined || provider === undefined)
      return { proposals: [proposal], left: 0, isLate: false };
    // Accepting all similar edits accepts none that is less likely than an automatic suggestion, or
    // than this one.
    const { normal } = this.#parts.settings.leastLikelihoodByEagerness;
    const least = provider.policy.chain === "similar-edits" ? Math.min(normal, proposal.likelihood) : 0;
    const isOne = (one: Proposal) =>
      one.chain === proposal.chain && one.likelihood >= least && !this.#isRejected(context, one);
    let isLate = false;
    const onLate = () => {
      isLate = true;
    };
    const limits = { most: Number.POSITIVE_INFINITY, least: 0, signal, onLate };
    const proposed = await this.#takeInTime(provider, provider.propose(context, { signal }), limits);
    const all = proposed.filter(isOne);
    const most = endOfFile(all, maxInChain);
    const taken = await this.#allWithoutOtherMembers(context, all.slice(0, most), signal);
    return { proposals: [proposal, ...taken], left: all.length - most, isLate };
  }

  /**
   * A proposal without the parts that rename members other than the renamed one; `undefined` where
   * nothing is left.
   */
  async #withoutOtherMembers(
    context: NextEditContext,
    proposal: ProvidedProposal,
    signal: AbortSignal,
  ): Promise<ProvidedProposal | undefined> {
    const { members } = this.#parts;
    return members === undefined ? proposal : await members.without(context, proposal, { signal });
  }

  async #allWithoutOtherMembers(
    context: NextEditContext,
    proposals: readonly ProvidedProposal[],
    signal: AbortSignal,
  ): Promise<readonly ProvidedProposal[]> {
    const kept: ProvidedProposal[] = [];
    for (const one of proposals) {
      const proposal = await this.#withoutOtherMembers(context, one, signal);
      if (proposal !== undefined) kept.push(proposal);
    }
    return kept;
  }

  /**
   * Ranks proposals by calibrated likelihood and distance. `renames` are the proposals whose chain
   * a proposal of another provider may join.
   */
  #ranked(
    context: NextEditContext,
    proposals: readonly ProvidedProposal[],
    renames: readonly ProvidedProposal[],
  ): readonly ProvidedProposal[] {
    const weighed = proposals.map((one) => this.#calibration.weigh(one, context.files.textOf(one.path) ?? ""));
    const ranked = rankProposals(context, weighed, this.#parts.settings.leastLikelihoodByEagerness.normal);
    return inRenameChains(ranked, renames, context.files.textOf);
  }

  /**
   * For an invoked request, tries the proposals that were too unlikely to come before a model's
   * answer, the likeliest first.
   */
  async #likeliestOf(state: RequestState): Promise<SuggestionOrder | undefined> {
    const unlikely = state.unlikely.splice(0);
    const threshold = this.#parts.settings.leastLikelihood;
    return this.#firstThatPasses(state, rankProposals(state.context, unlikely), { threshold });
  }

  /**
   * The first proposal that passes the checks, with the proposals after it. `renames` are further
   * proposals, of which those of its chain follow too.
   */
  async #firstThatPasses(
    state: RequestState,
    proposals: readonly ProvidedProposal[],
    {
      threshold = this.#threshold(state.request),
      renames = [],
    }: { readonly threshold?: number; readonly renames?: readonly ProvidedProposal[] } = {},
  ): Promise<SuggestionOrder | undefined> {
    const { trace, request, context, signal } = state;
    const { settings } = this.#parts;
    const isLast = threshold <= settings.leastLikelihood || !acceptsUnlikely(request);
    // Ghost text is inserted behind existing text, which is not reformatted for it.
    const checks = request.shape === undefined ? this.#checks : { ...this.#checks, layout: undefined };
    const wanted = proposals.filter(({ path, edit }) => isOfShape(state, { ...context, path }, edit));
    const unlikely: ProvidedProposal[] = [];
    for (const [index, candidate] of wanted.slice(0, settings.maxChecked).entries()) {
      const text = context.files.textOf(candidate.path);
      if (text === undefined) continue;
      const proposal = await this.#withoutOtherMembers(context, candidate, signal);
      if (proposal === undefined) {
        trace.filterOut({ proposal: candidate, reason: { kind: "other-member" } });
        continue;
      }
      const refusal = this.#visited.refusalOf(proposal, context);
      const order = {
        ...{ text, language: context.files.languageOf(proposal.path), threshold, signal, history: context.history },
        mayRedo: mayRedo(request),
        together: () => this.#togetherWith(context, proposal, signal),
      };
      const checked =
        refusal === undefined
          ? await checkProposal(proposal, order, checks)
          : ({ kind: "held", reason: refusal } as const);
      signal.throwIfAborted();
      if (checked.kind === "held") {
        if (checked.reason.kind === "unlikely") unlikely.push(proposal);
        if (checked.reason.kind === "unlikely" && !isLast) state.unlikely.push(proposal);
        else trace.filterOut({ proposal, reason: withSetting(checked.reason, request) });
        continue;
      }
      const held = trace.filteredCount === 0 ? "" : ` Filtered out: ${printProposals(trace.filteredCount)}.`;
      trace.note("check", `The proposal passed the checks.${held}`);
      const most = request.isExhaustive ? Number.POSITIVE_INFINITY : maxOthers;
      // Places of the same change that are too unlikely to come first are accepted with its chain.
      const ofChain = [...unlikely, ...renames].filter(
        ({ policy, chain }) => policy.chain === "one-change" && chain === proposal.chain,
      );
      const further = [...wanted.slice(index + 1), ...ofChain].filter((one) => !this.#isRejected(context, one));
      const rest = withoutRivals(checked.proposal, further).slice(0, most);
      const others = await this.#allWithoutOtherMembers(context, rest, signal);
      return { proposal: checked.proposal, text, others, isReused: false };
    }
    return undefined;
  }

  #threshold({ trigger }: NextEditRequest): number {
    const {
      leastLikelihoodByEagerness: leastLikelihood,
      leastLikelihood: leastWhenInvoked,
      eagerness,
    } = this.#parts.settings;
    return trigger === "invoked" ? Math.max(leastLikelihood.eager, leastWhenInvoked) : leastLikelihood[eagerness];
  }

  /**
   * Requests an edit of the model at the cursor, or at the location of `look`. Returns the
   * suggestion or why there is none.
   */
  async #askModel(
    state: RequestState,
    modelRequests: ModelRequestQueue,
    target?: Proposal,
  ): Promise<OfferedEdit | NoNextEditReason> {
    const { trace, request, life } = state;
    const context = target === undefined ? state.context : contextAt(target, state.context);
    const { path } = context;
    const isHere = path === request.path;
    const waitMs = request.trigger === "invoked" || this.#followsAccepted ? 0 : this.#parts.settings.debounceMs;
    this.#followsAccepted = false;
    const reason = target?.reason ?? "by the model";
    const modelInput = { viewed: request.viewed ?? [], diagnostics: (isHere && request.diagnostics) || [] };
    const turn = { request: { ...context, ...modelInput }, reason };
    const open = async (ms: number) => {
      const opened = await modelRequests.open({ ...turn, waitMs: ms }, life);
      if (opened?.isNew) void this.#cacheAnswer(opened.inFlight);
      return opened?.inFlight;
    };
    let inFlight = await open(waitMs);
    let [isRetried, tried] = [false, 0];
    let withheld: FilterReason | undefined;
    for (;;) {
      if (inFlight === undefined) return { kind: life.over! };
      const end = await modelRequests.beyond(tried, inFlight, life);
      if (withheld !== undefined && end.kind === "no-suggestion" && end.reason.kind === "model-silent")
        return { kind: "model-withheld", reason: withheld };
      trace.shown = end.shown;
      trace.note(
        "model",
        end.kind === "no-suggestion" ? describeNoNextEdit(end.reason) : "The model proposed an edit.",
      );
      for (const { edit, issue } of end.dropped)
        trace.filterOut({ proposal: modelProposal(path, edit, reason), reason: { kind: "breaks-syntax", issue } });
      if (end.kind === "answered") {
        const { answer } = end;
        const lookUp: LookUp = (isPassedOver) => nextEditOf(answer, context, { isPassedOver });
        const offered = await this.#suggestNextOf({ ...state, context }, lookUp, { isFresh: true });
        if (offered !== undefined) return offered;
        const passed = state.passedOver.get(answer.data.turn);
        const count = passed === undefined ? 0 : Math.max(...passed.indexes) + 1;
        // A later edit of the same answer may pass the edit checks.
        if (count > tried) {
          tried = count;
          withheld = passed?.reason;
          continue;
        }
      }
      // The answer of a request in flight that was reused may not fit the text typed since. Then
      // one new request is made.
      const isOfOthers = end.kind === "answered" || (end.reason.kind === "model-silent" && !end.isAbout);
      if (isRetried || !isOfOthers) return end.kind === "no-suggestion" ? end.reason : { kind: "model-silent" };
      isRetried = true;
      tried = 0;
      withheld = undefined;
      modelRequests.stop();
      inFlight = await open(0);
    }
  }

  /**
   * Caches what comes of a model's answer, to its end, also where no caller waits for it any more.
   */
  async #cacheAnswer(inFlight: InFlightModelRequest): Promise<void> {
    for (let [count, isOver] = [0, false]; !isOver; ) {
      // The caller gets the failure.
      isOver = await inFlight.beyond(count).then(
        (end) => end !== undefined,
        () => true,
      );
      const { answer } = inFlight;
      if (answer === undefined || inFlight.isStopped) return;
      count = answer.edits.length;
      this.#cache.keep(answer.path, answer.text, answer, answer.typed);
    }
  }

  #markVisited(seen: NextEditSuggestion): void {
    const present = this.#parts.files.textOf(seen.path);
    if (present !== undefined) this.#visited.add(seen, seen.text, present);
  }

  #offer(
    { trace, request, context }: RequestState,
    { proposal, text, others: found, isReused, ...cached }: SuggestionOrder,
  ): OfferedEdit {
    const { files } = this.#parts;
    // A file may have changed since its places were found.
    const others = found.filter((other) => context.files.textOf(other.path) === files.textOf(other.path));
    const { path, place, origin, reason, likelihood, edit, chain, error, isCertain } = proposal;
    const id = cached.id ?? this.#returned.idOf({ ...proposal, text }) ?? this.#newId();
    // Where several models are configured, the one that was sent the prompt.
    const model = cached.isByModel ? (trace.shown?.model ?? this.#parts.model?.model.name) : undefined;
    const suggestion: NextEditSuggestion = {
      ...{ id, path, text, place, origin, reason, isReused, others },
      ...(edit && { edit }),
      ...(chain !== undefined && { chain }),
      ...{ ...(error && { error }), ...(isCertain && { isCertain }) },
      ...(model === undefined ? { likelihood } : { model }),
    };
    this.#returned.keep(suggestion, proposal, request);
    const [first, last] = [edit?.edits[0], edit?.edits.at(-1)];
    const isNear = first !== undefined && last !== undefined && last.end - first.start <= maxStretch;
    // All edits of a model's answer are already cached.
    if (edit !== undefined && isNear && !isReused && !cached.isByModel)
      this.#cache.keep(path, text, {
        edits: [edit.inOne(text)],
        data: { id, proposal, text, others, goal: edit.apply(text), editsElsewhere: this.#editsBeside(path) },
      });
    return trace.suggested(suggestion);
  }

  /** The number of edits of files other than the one at `path`. */
  #editsBeside(path: string): number {
    const all = [...this.#edits.values()].reduce((sum, count) => sum + count, 0);
    return all - (this.#edits.get(path) ?? 0);
  }

  #contextOf({ path, document: { language, text }, offset, isExhaustive }: NextEditRequest): NextEditContext {
    const { files } = this.#parts;
    // Offsets that are found early in a request are used late in it, when a file may have changed:
    // all of the request is about the text that was read first.
    const read = new Map([[path, text]]);
    const textOf = (file: string) => {
      const known = read.get(file) ?? files.textOf(file);
      if (known !== undefined) read.set(file, known);
      return known;
    };
    return {
      ...(isExhaustive && { isExhaustive }),
      ...{ path, language, text, cursor: offset, history: this.history, moved: this.#moves },
      files: {
        open: files.open.filter((open) => open !== path),
        modules: files.modules,
        textOf,
        languageOf: (file) => (file === path ? language : files.languageOf(file)),
        containing: (words) => files.containing(words),
      },
    };
  }
}

/** The most file moves that are remembered. */
const maxMoves = 50;

/**
 * A provider that has returned this many times the wanted number of proposals is not read further.
 */
const maxUnlikely = 2;

/** How many proposals of a provider are taken for an automatic request. */
const takenWhenAutomatic = 12;

/**
 * How often in one request a provider may read the long texts that it left out (first what was
 * changed, then what that leads to), and how long the request waits for all of it, in milliseconds.
 */
const maxReadRounds = 3;
const maxReadOnMs = 1_000;

/** After so many proposals a chain ends with the file of the last one. */
const maxInChain = 1_000;

/**
 * The longest distance between the first and the last part of an edit that is cached, in UTF-16
 * units.
 */
const maxStretch = 4_000;

type OfferedEdit = Extract<NextEditOutcome, { kind: "offered" }>;

/** The state of a request in flight. */
interface RequestState {
  readonly trace: NextEditTrace;
  readonly request: NextEditRequest;
  readonly context: NextEditContext;
  readonly life: RequestLife;
  readonly signal: AbortSignal;
  /** Proposals deferred as too unlikely; an invoked request may use them. */
  readonly unlikely: ProvidedProposal[];
  /** By the id of the model request, the edits of its answer that were filtered out. */
  readonly passedOver: Map<string, PassedOver>;
  /** What the providers left out, and why. */
  readonly leftOut: LeftOut[];
}

/** The indexes of filtered-out edits of one answer, and the reason of the last one. */
interface PassedOver {
  readonly indexes: ReadonlySet<number>;
  readonly reason: FilterReason;
}

/** A cached proposal of a provider, which is rebased while the user types. */
interface CachedProposal {
  readonly id: string;
  readonly proposal: ProvidedProposal;
  readonly text: string;
  readonly others: readonly ProvidedProposal[];
  /** The number of edits of other files at that time. */
  readonly editsElsewhere: number;
  /** The text that it produces. */
  readonly goal: string;
}

/** What is cached with edits: a provider's proposal, or the request of a model's answer. */
type CachedData = CachedProposal | ModelAnswer["data"];

/** Returns the next edit for the request, without those that are passed over. */
type LookUp = (isPassedOver?: PassOver<CachedData>) => CacheAnswer<CachedData>;

/** Whether an edit of a model's answer was filtered out in a request. */
function isPassedOverIn({ passedOver }: RequestState): PassOver<CachedData> {
  return (data, index) => "turn" in data && passedOver.get(data.turn)?.indexes.has(index) === true;
}

interface SuggestionOrder {
  /** Its id, where it has one already. */
  readonly id?: string;
  readonly proposal: ProvidedProposal;
  readonly text: string;
  readonly others: readonly ProvidedProposal[];
  readonly isReused: boolean;
  /** Whether a model proposed it. */
  readonly isByModel?: boolean;
}

/** Whether the user requested any next edit: then an unlikely one is better than none. */
function acceptsUnlikely({ trigger, shape }: NextEditRequest): boolean {
  return trigger === "invoked" && shape === undefined;
}

/** Names the setting whose minimum applies to an invoked request. */
function withSetting(reason: FilterReason, request: NextEditRequest): FilterReason {
  return reason.kind === "unlikely" && acceptsUnlikely(request)
    ? { ...reason, setting: "next.leastLikelihood" }
    : reason;
}

/**
 * Whether a suggestion may do again what the user undid: an undo says that it is not wanted now,
 * and a request that the user invokes that something is.
 */
function mayRedo({ trigger }: NextEditRequest): boolean {
  return trigger === "invoked";
}

/** Whether an edit of the file at `path` has the requested shape. */
function isOfShape(
  { request }: Pick<RequestState, "request">,
  { path, text, cursor }: Pick<NextEditContext, "path" | "text" | "cursor">,
  edit: Edit | undefined,
): boolean {
  if (request.shape === undefined) return true;
  return edit !== undefined && path === request.path && tryBehindCursor(text, cursor, edit) !== undefined;
}

/** A model's edit as a proposal, with the reason of its request. */
function modelProposal(path: string, edit: Edit, reason: string): ProvidedProposal {
  return { ...modelSource, path, edit, place: edit.span, reason, likelihood: 1 };
}

/** The request context at the location of a proposal. */
function contextAt({ path, place }: Proposal, context: NextEditContext): NextEditContext {
  const { files } = context;
  return { ...context, path, text: files.textOf(path) ?? "", cursor: place.start, language: files.languageOf(path) };
}

/** Takes proposals of one provider after the other until one has some, in the background. */
function takeUntilFound(takes: readonly (() => Promise<readonly Proposal[]>)[]): void {
  const [first, ...rest] = takes;
  // A failure is passed on to the caller that takes the same proposals later.
  first?.().then(
    (found) => found.length === 0 && takeUntilFound(rest),
    () => undefined,
  );
}

/** Yields the items that come before `late` settles. */
async function* until<T>(items: AsyncIterable<T>, late: Promise<undefined>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), late]);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    // The iterator may still be working; ignore its failure, which has no caller to report to.
    iterator.return?.().catch(() => undefined);
  }
}

/**
 * The number of the first proposals, `most` and those that follow in the file of the last of them.
 */
function endOfFile(proposals: readonly Proposal[], most: number): number {
  let end = Math.min(most, proposals.length);
  // A part of a file's edits could break what the whole of them does not.
  while (end < proposals.length && proposals[end]!.path === proposals[end - 1]!.path) end++;
  return end;
}

/**
 * The first `most` proposals with a likelihood of at least `least`, then at most as many below it,
 * with what their provider declares. Reads no further once it has them.
 */
async function take(
  provider: NextEditProvider,
  proposals: AsyncIterable<Proposal> | Iterable<Proposal>,
  { most, least, signal }: { readonly most: number; readonly least: number; readonly signal?: AbortSignal | undefined },
): Promise<ProvidedProposal[]> {
  const likely: Proposal[] = [];
  const unlikely: Proposal[] = [];
  let pulled = 0;
  for await (const proposal of proposals) {
    signal?.throwIfAborted();
    if (proposal.likelihood >= least) likely.push(proposal);
    else if (unlikely.length < most) unlikely.push(proposal);
    if (likely.length >= most || ++pulled >= most * maxUnlikely) break;
  }
  const { policy } = provider;
  return [...likely, ...unlikely].map((proposal) => ({ ...proposal, policy, chainProvider: provider }));
}
