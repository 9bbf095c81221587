import { RequestLife, sleep } from "../complete/index.ts";
import { EditHistory, type PastEdit } from "../context/index.ts";
import { Edit, minimalEdit, type TextEdit } from "../text/index.ts";
import { AddedSyntaxErrors } from "./added-syntax-errors.ts";
import { checkProposal, leastToConfirm, type ProposalChecks } from "./check-proposal.ts";
import { EarnedTrust } from "./earned-trust.ts";
import { editOfChain, textsOfChain } from "./edit-of-chain.ts";
import { refuseRequest } from "./gate.ts";
import { judgeWithin } from "./judge-within.ts";
import { LineLayout } from "./layout/line-layout.ts";
import { LookedPlaces } from "./looked-places.ts";
import { asOne } from "./model-asking.ts";
import { ModelTurns } from "./model-turns.ts";
import { LeftBehind } from "./names/left-behind.ts";
import type { NextEditParts } from "./next-edit-parts.ts";
import type { FileMove, Moment, NextEditSource, Proposal } from "./next-edit-source.ts";
import { NextWalk } from "./next-walk.ts";
import { OfferedNow, type StandingOffer } from "./offered-now.ts";
import {
  type HoldReason,
  maxOthers,
  type NextEditOutcome,
  type NextEditSuggestion,
  type NextSilence,
} from "./outcome.ts";
import { rankProposals, withoutRivals } from "./rank-proposals.ts";
import { Rejections } from "./rejections.ts";
import type { NextEditRequest } from "./request.ts";
import { type CacheAnswer, SuggestionCache } from "./suggestion-cache.ts";
import { tryBehindCursor } from "./try-behind-cursor.ts";
import { UndoGuard } from "./undo-guard.ts";

/** Edits of files of a workspace that belong together, each of the present text of its file. */
export interface WholeChain {
  readonly files: ReadonlyMap<string, { readonly text: string; readonly edit: Edit }>;
}

/**
 * Next edits: gate, reuse, sources, model, check, offer.
 *
 * It is told what the person does, and holds the history of edits, what was suggested and what was rejected; all else is functions of the other files. The
 * texts of `parts.files` are the host's, who tells them first and then the engine. Law: while the person types exactly what is
 * offered, it stays, under the same name, and nobody is asked.
 */
export class NextEditEngine implements Disposable {
  readonly #parts: NextEditParts;
  readonly #history = new EditHistory({ maxEntries: 50 });
  readonly #undoGuard = new UndoGuard();
  readonly #rejections = new Rejections();
  readonly #looked = new LookedPlaces();
  readonly #trust = new EarnedTrust();
  readonly #cache = new SuggestionCache<KeptSuggestion>();
  readonly #checks: ProposalChecks;
  /** What was offered lately, by its name. */
  readonly #offers = new Map<string, Offered>();
  readonly #offeredNow = { any: new OfferedNow(), "ghost-text": new OfferedNow() };
  /** Files that were moved lately, the oldest first. */
  #moved: readonly FileMove[] = [];
  /** How often each file was edited. */
  readonly #edits = new Map<string, number>();
  /** The request of each shape that was not answered yet. */
  readonly #lives = new Map<NextEditRequest["shape"], RequestLife>();
  readonly #turns: ModelTurns | undefined;
  /** Whether something was accepted since the last request: the person goes on, and nothing waits. */
  #hasAccepted = false;
  #rejectedAtMs = Number.NEGATIVE_INFINITY;
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #count = 0;
  #isDisposed = false;

  constructor(parts: NextEditParts) {
    const { syntax, settings, types, clock, formatter, names } = parts;
    this.#parts = parts;
    this.#checks = {
      access: (path) => parts.access(path),
      ...{ rejections: this.#rejections, undoGuard: this.#undoGuard, syntax, settings },
      syntaxErrors: new AddedSyntaxErrors(syntax),
      layout: formatter && new LineLayout({ syntax, formatter, files: parts.files }),
      leftBehind: names && new LeftBehind(names),
      files: parts.files,
      types: types && judgeWithin(types, clock, settings.typesMs),
    };
    const { model } = parts;
    if (model === undefined || !settings.origins.includes("model")) return;
    this.#turns = new ModelTurns({ model, clock, settings, syntax }, (path, text, answer, { turn, reason, typed }) => {
      const proposal = modelProposal(path, Edit.empty, reason);
      this.#cache.keep(
        path,
        text,
        { ...answer, data: { id: `model-${turn}`, turn, proposal, text, others: [] } },
        typed,
      );
    });
  }

  /** What may be edited next, or why nothing is. A request supersedes the one before of its shape, for whichever document. It rejects only where a part is broken. */
  async suggest(
    request: NextEditRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<NextEditOutcome> {
    const life = new RequestLife(signal);
    if (this.#isDisposed) life.end("cancelled");
    this.#lives.get(request.shape)?.end("superseded");
    this.#lives.set(request.shape, life);
    const stop = new AbortController();
    life.onEnd(() => stop.abort());
    const walk = new NextWalk(this.#parts.clock);
    try {
      const outcome = await this.#answer(walk, request, life, stop.signal);
      if (life.over === undefined) this.#hasAccepted = false;
      return outcome;
    } catch (error) {
      if (life.over === undefined) throw error;
      return walk.silent("offer", { kind: life.over });
    } finally {
      life.close();
      if (this.#lives.get(request.shape) === life) this.#lives.delete(request.shape);
    }
  }

  /** Tells that a person, or whatever the person runs, changed the file at `path`, whose text was `before`. */
  changed(path: string, before: string, edit: Edit): void {
    this.#changedAtMs = this.#parts.clock.now();
    this.#edits.set(path, (this.#edits.get(path) ?? 0) + 1);
    this.#history.record(path, before, edit, this.#parts.clock.now());
    this.#undoGuard.record(path, before, edit);
    this.#rejections.follow(path, before, edit);
    this.#looked.follow(path, edit);
    for (const offered of Object.values(this.#offeredNow)) offered.follow(path, before, edit);
    this.#cache.follow(path, before, edit);
    this.#turns?.follow(path, before, edit);
  }

  /** Tells that a file has another path now. */
  renamed(path: string, newPath: string): void {
    this.#history.rename(path, newPath);
    this.#moved = [...this.#moved, { from: path, to: newPath }].slice(-maxMoves);
    this.#rejections.rename(path, newPath);
    this.#looked.rename(path, newPath);
    this.#undoGuard.forget(path);
    this.#cache.forget(path);
    this.#turns?.stop(path);
  }

  /** Tells that a file's text changed otherwise than by editing: what is known of it is of no use. All files where no path is told, as after a checkout. */
  replaced(path?: string): void {
    for (const memory of [this.#history, this.#undoGuard, this.#rejections, this.#looked, this.#cache])
      if (path === undefined) memory.forgetAll();
      else memory.forget(path);
    this.#moved = path === undefined ? [] : this.#moved.filter(({ from, to }) => from !== path && to !== path);
    this.#turns?.stop(path);
  }

  /** What was edited lately, the oldest first. */
  get history(): readonly PastEdit[] {
    return this.#history.entries(this.#parts.clock.now());
  }

  /** Tells that a suggestion is seen. Only what was seen and then rejected makes the engine wait before something comes by itself again. */
  shown(id: string): void {
    const offer = this.#offers.get(id);
    if (offer !== undefined) this.#offers.set(id, { ...offer, isShown: true });
  }

  /**
   * Tells that a suggestion was taken: all of it, or the part of its edit that is told. The texts are told by {@link changed} too, before or after. What comes next is
   * then offered without a wait.
   */
  accepted(id: string, part?: readonly TextEdit[]): void {
    const offer = this.#offers.get(id);
    if (offer === undefined) return;
    this.#rejectedAtMs = Number.NEGATIVE_INFINITY;
    this.#hasAccepted = true;
    this.#trust.learn(offer.proposal, offer.suggestion.text, true);
    if (offer.suggestion.edit === undefined) this.#look(offer.suggestion);
    this.#endOffer(id);
    if (part === undefined) this.#offers.delete(id);
  }

  /** Tells that a person did not want a suggestion. It is not offered again while its place stays as it is. */
  rejected(id: string): void {
    const offer = this.#offers.get(id);
    if (offer === undefined) return;
    const { path, text, edit } = offer.suggestion;
    this.#offers.delete(id);
    this.#endOffer(id);
    this.#trust.learn(offer.proposal, text, false);
    if (offer.isShown) this.#rejectedAtMs = this.#parts.clock.now();
    if (edit === undefined) {
      this.#look(offer.suggestion);
      return;
    }
    const present = this.#parts.files.textOf(path);
    if (present === undefined) return;
    const now = present === text ? edit : edit.tryRebase(minimalEdit(text, present));
    if (now !== undefined) this.#rejections.reject(path, present, now);
  }

  /** A suggestion and all that is one thing with it, such as the rest of a rename, checked together; `undefined` where that would be worse, or the suggestion is no more. */
  async whole(id: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<WholeChain | undefined> {
    const offer = this.#offers.get(id);
    const { files } = this.#parts;
    if (offer?.suggestion.edit === undefined || files.textOf(offer.suggestion.path) !== offer.suggestion.text)
      return undefined;
    const { proposal } = offer;
    const moment = this.#momentOf(offer.request);
    const stop = signal ?? new AbortController().signal;
    const all = await this.#chainOf(moment, proposal, stop);
    const paths = new Set([proposal.path, ...all.map(({ path }) => path)]);
    const whole = new Map<string, { readonly text: string; readonly edit: Edit }>();
    // Who asks for all of it wants it however long it is.
    const checks = { ...this.#checks, settings: { ...this.#parts.settings, maxLines: Number.POSITIVE_INFINITY } };
    for (const path of paths) {
      const first = path === proposal.path ? proposal : all.find((other) => other.path === path)!;
      const text = files.textOf(path);
      const edit = editOfChain(first, all);
      if (text === undefined || edit === undefined) continue;
      const others = textsOfChain(path, all, (other) => files.textOf(other));
      const order = {
        ...{ text, language: files.languageOf(path), threshold: 0, signal: stop, history: moment.history },
        together: async () => ({ edit, others }),
      };
      const checked = await checkProposal({ ...first, edit }, order, checks);
      if (checked.kind === "held") return undefined;
      whole.set(path, { text, edit });
    }
    return { files: whole };
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const life of [...this.#lives.values()]) life.end("cancelled");
    this.replaced();
    this.#offers.clear();
  }

  async #answer(
    walk: NextWalk,
    request: NextEditRequest,
    life: RequestLife,
    signal: AbortSignal,
  ): Promise<NextEditOutcome> {
    const { settings, clock } = this.#parts;
    if (life.over !== undefined) return walk.silent("gate", { kind: life.over });
    const refused = refuseRequest(request, (path) => this.#parts.access(path), settings);
    if (refused !== undefined) return walk.silent("gate", refused);
    const leftMs = this.#rejectedAtMs + settings.afterRejectionMs - clock.now();
    if (request.trigger === "automatic" && leftMs > 0) return walk.silent("gate", { kind: "rejected-lately", leftMs });
    walk.note("gate", "open");

    const moment = this.#momentOf(request);
    const known = this.#cache.find(request.path, moment.text, moment.cursor);
    const ask: EngineAsk = { walk, request, moment, life, signal, unlikely: [], passedOver: new Map() };
    const again = await this.#again(ask, known);
    if (again !== undefined) return again;
    // What a model said for this text, and is all withheld, it would say again.
    const withheld = this.#keptAt(ask, moment).kind === "nothing" ? [...ask.passedOver.values()].at(-1) : undefined;
    const isEdited = moment.history.length + this.#moved.length > 0;
    if (isEdited && !(await this.#hasPaused(request, life))) {
      return walk.silent("sources", { kind: life.over ?? "superseded" });
    }
    const found = isEdited ? await this.#askSources(ask) : undefined;
    const isDone = found?.proposal.edit !== undefined && found.proposal.isSkeleton !== true;
    const isOpen = !isDone && known.kind !== "nothing" && !withheld && request.shape === undefined;
    const asked = isOpen && this.#turns ? await this.#askModel(ask, this.#turns, found?.proposal) : undefined;
    if (asked?.kind === "offered") return asked;
    const best = found ?? (await this.#likeliestOf(ask));
    if (best !== undefined) return this.#offer(ask, best);
    if (life.over !== undefined) return walk.silent("offer", { kind: life.over });
    if (known.kind === "hidden") return walk.silent("reuse", { kind: "hidden" });
    if (known.kind === "nothing") return walk.silent("reuse", { kind: "model-silent" });
    if (asked !== undefined) return walk.silent("model", asked);
    if (withheld !== undefined) return walk.silent("reuse", { kind: "model-withheld", reason: withheld.reason });
    return walk.silent("sources", { kind: isEdited ? "nothing-follows" : "nothing-edited" });
  }

  /** Waits in a long document until the person pauses, unless the person asks or has just accepted; `false` where another key or request came first. */
  async #hasPaused({ path, document: { text }, trigger }: NextEditRequest, life: RequestLife): Promise<boolean> {
    const { settings, clock, files } = this.#parts;
    const waitMs = this.#changedAtMs + settings.debounceMs - clock.now();
    const isLong = text.length >= settings.longDocumentCharacters;
    if (!isLong || !(waitMs > 0) || trigger === "invoked" || this.#hasAccepted) return true;
    const pause = sleep(clock, waitMs);
    await life.wait(pause);
    pause.stop();
    return life.over === undefined && files.textOf(path) === text;
  }

  /** What is kept for a moment, without what was passed over. */
  #keptAt({ passedOver }: EngineAsk, { path, text, cursor }: Moment): CacheAnswer<KeptSuggestion> {
    const isPassed = ({ turn }: KeptSuggestion, index: number) =>
      turn !== undefined && passedOver.get(turn)?.indexes.has(index) === true;
    return this.#cache.find(path, text, cursor, isPassed);
  }

  /**
   * What was offered before and is still on its way, or came of a model that was asked before. Of a model's answer what may not be offered is passed over. `isFresh` says that
   * it was just answered.
   */
  async #again(
    ask: EngineAsk,
    known: CacheAnswer<KeptSuggestion>,
    { isFresh = false } = {},
  ): Promise<OfferedEdit | undefined> {
    const { text, language } = ask.moment;
    for (let next = known; next.kind === "edit" && isOfShape(ask, ask.moment, next.edit); ) {
      const { edit, data, index, isRebased } = next;
      const { id, proposal, others, goal, turn, text: textThen, editsElsewhere } = data;
      // What a source proposed is proposed anew where the person does something else meanwhile, here or in the file that it followed from.
      if (goal !== undefined && edit.apply(text) !== goal) return undefined;
      if (goal !== undefined && editsElsewhere !== this.#editsBeside(ask.request.path)) return undefined;
      const isSame = textThen === text && goal !== undefined;
      const place = { start: edit.edits[0]!.start, end: edit.edits.at(-1)!.end };
      const present = isSame ? proposal : { ...proposal, edit, place };
      // What was likely enough is; types have spoken of what a source proposed, and a part of a model's answer may be worse alone.
      const order = { text, language, threshold: 0, signal: ask.signal };
      const checked = await checkProposal(present, order, { ...this.#checks, types: undefined, layout: undefined });
      ask.signal.throwIfAborted();
      if (checked.kind === "passes") {
        ask.walk.note("reuse", isFresh ? "just answered" : isRebased ? "typed as suggested" : "as before");
        if (turn !== undefined) ask.walk.shown ??= this.#turns?.shown(turn);
        const name = goal === undefined ? `${id}.${index}` : id;
        return this.#offer(ask, {
          ...{ id: name, proposal: present, text, others: isSame ? others : [], isReused: !isFresh },
        });
      }
      if (turn === undefined) return undefined;
      ask.walk.hold({ proposal: present, reason: checked.reason });
      const indexes = new Set([...(ask.passedOver.get(turn)?.indexes ?? []), index]);
      ask.passedOver.set(turn, { indexes, reason: checked.reason });
      next = this.#keptAt(ask, ask.moment);
    }
    return undefined;
  }

  /** Asks those that answer at once together, and the others one by one while there is nothing. */
  async #askSources(ask: EngineAsk): Promise<OfferOrder | undefined> {
    const { walk, request, moment, signal } = ask;
    const { sources, settings } = this.#parts;
    const most = request.trigger === "invoked" ? maxOthers + 1 : pulledAtFirst;
    const least = this.#threshold(request) * leastToConfirm;
    const instant: Proposal[] = [];
    const others: { readonly source: NextEditSource; readonly proposals: AsyncIterable<Proposal> }[] = [];
    for (const source of sources) {
      if (!settings.origins.includes(source.origin)) continue;
      const proposals = source.propose(moment, { signal });
      if (Symbol.iterator in proposals) instant.push(...(await take(proposals, { most, least })));
      else if (request.shape === undefined || request.trigger === "invoked") others.push({ source, proposals });
    }
    walk.note("sources", `${instant.length} at once`);
    const first = await this.#firstThatPasses(ask, this.#ranked(moment, instant));
    if (first !== undefined) return first;
    for (const { source, proposals } of others) {
      const more = await take(proposals, { most, least, signal });
      walk.note("sources", `${more.length} of ${source.origin}`);
      const found = await this.#firstThatPasses(ask, this.#ranked(moment, more));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All that is one thing with a proposal, itself included. */
  async #chainOf(moment: Moment, proposal: Proposal, signal: AbortSignal): Promise<readonly Proposal[]> {
    if (proposal.chain === undefined) return [proposal];
    const all: Proposal[] = [proposal];
    // Who takes all places of an example takes none that is less likely than what comes by itself, or than this one; all of a rename is one thing.
    const { normal } = this.#parts.settings.leastLikelihood;
    const least = proposal.origin === "example" ? Math.min(normal, proposal.likelihood) : 0;
    const isOne = ({ chain, likelihood }: Proposal) => chain === proposal.chain && likelihood >= least;
    // Several may propose for the same origin: who goes by types, and who by brackets.
    for (const source of this.#parts.sources.filter(({ origin }) => origin === proposal.origin)) {
      const proposed = await take(source.propose(moment, { signal }), { most: maxInChain, least: 0, signal });
      all.push(...proposed.filter(isOne));
    }
    return all;
  }

  #ranked(moment: Moment, proposals: readonly Proposal[]): readonly Proposal[] {
    const weighed = proposals.map((one) => this.#trust.weigh(one, moment.files.textOf(one.path) ?? ""));
    return rankProposals(moment, weighed, this.#parts.settings.leastLikelihood.normal);
  }

  /** Of what is not likely enough to come before a model is asked, what may be offered to whoever asks: the likeliest first. */
  async #likeliestOf(ask: EngineAsk): Promise<OfferOrder | undefined> {
    const unlikely = ask.unlikely.splice(0);
    const threshold = this.#parts.settings.leastLikelihoodAsked;
    return this.#firstThatPasses(ask, rankProposals(ask.moment, unlikely), threshold);
  }

  async #firstThatPasses(
    ask: EngineAsk,
    proposals: readonly Proposal[],
    threshold = this.#threshold(ask.request),
  ): Promise<OfferOrder | undefined> {
    const { walk, request, moment, signal } = ask;
    const { settings } = this.#parts;
    const isLast = threshold <= settings.leastLikelihoodAsked || !isForWhoeverAsks(request);
    // Ghost text stands behind what is there, which is not laid out anew for it.
    const checks = request.shape === undefined ? this.#checks : { ...this.#checks, layout: undefined };
    const wanted = proposals.filter(({ path, edit }) => isOfShape(ask, { ...moment, path }, edit));
    for (const [index, proposal] of wanted.slice(0, settings.maxChecked).entries()) {
      const text = moment.files.textOf(proposal.path);
      if (text === undefined) continue;
      const held = this.#looked.refusalOf(proposal, moment);
      const order = {
        ...{ text, language: moment.files.languageOf(proposal.path), threshold, signal, history: moment.history },
        together: async () => {
          const chain = await this.#chainOf(moment, proposal, signal);
          const edit = editOfChain(proposal, chain);
          return edit && { edit, others: textsOfChain(proposal.path, chain, moment.files.textOf) };
        },
      };
      const checked =
        held === undefined ? await checkProposal(proposal, order, checks) : ({ kind: "held", reason: held } as const);
      signal.throwIfAborted();
      if (checked.kind === "held") {
        if (checked.reason.kind === "unlikely" && !isLast) ask.unlikely.push(proposal);
        else walk.hold({ proposal, reason: withSetting(checked.reason, request) });
        continue;
      }
      walk.note("check", `${walk.heldCount} withheld`);
      const others = withoutRivals(checked.proposal, wanted.slice(index + 1)).slice(0, maxOthers);
      return { proposal: checked.proposal, text, others, isReused: false };
    }
    return undefined;
  }

  #threshold({ trigger }: NextEditRequest): number {
    const { leastLikelihood, leastLikelihoodAsked, eagerness } = this.#parts.settings;
    return trigger === "invoked" ? Math.max(leastLikelihood.eager, leastLikelihoodAsked) : leastLikelihood[eagerness];
  }

  /** Asks the model at the cursor, or where something is to be looked at. */
  async #askModel(ask: EngineAsk, turns: ModelTurns, look?: Proposal): Promise<OfferedEdit | NextSilence> {
    const { walk, request, life } = ask;
    const moment = look === undefined ? ask.moment : movedTo(look, ask.moment);
    const { path } = moment;
    const isHere = path === request.path;
    const waitMs = request.trigger === "invoked" || this.#hasAccepted ? 0 : this.#parts.settings.debounceMs;
    this.#hasAccepted = false;
    const reason = look?.reason ?? "by the model";
    const told = { viewed: request.viewed ?? [], diagnostics: (isHere && request.diagnostics) || [] };
    const turn = { request: { ...moment, ...told }, reason };
    let end = await turns.take({ ...turn, waitMs }, life);
    for (let [isAnew, looked] = [false, 0]; ; ) {
      walk.shown = end.shown;
      walk.note("model", end.kind === "silent" ? end.reason.kind : "an edit");
      for (const { edit, issue } of end.dropped)
        walk.hold({ proposal: modelProposal(path, edit, reason), reason: { kind: "breaks-syntax", issue } });
      if (end.kind === "answered") {
        const known = this.#keptAt(ask, moment);
        const offered = await this.#again({ ...ask, moment }, known, { isFresh: true });
        if (offered !== undefined) return offered;
        const passed = ask.passedOver.get(end.turn);
        const count = passed === undefined ? 0 : Math.max(...passed.indexes) + 1;
        if (passed !== undefined && count > looked) {
          // Behind what may not be offered there may be what may.
          looked = count;
          end = await end.beyond(count);
          if (end.kind === "silent" && end.reason.kind === "model-silent")
            return { kind: "model-withheld", reason: passed.reason };
          continue;
        }
      }
      // What came of a turn that others took may not go with what was typed since: then the model is asked anew.
      const isOfOthers = end.kind === "answered" || (end.reason.kind === "model-silent" && !end.isAbout);
      if (isAnew || !isOfOthers) return end.kind === "silent" ? end.reason : { kind: "model-silent" };
      isAnew = true;
      turns.stop();
      end = await turns.take({ ...turn, waitMs: 0 }, life);
    }
  }

  #look(seen: NextEditSuggestion): void {
    const present = this.#parts.files.textOf(seen.path);
    if (present !== undefined) this.#looked.add(seen, seen.text, present);
  }

  /** The name of what is offered: the one that it has where it is offered already, in whichever shape. */
  #nameOf(offer: Omit<StandingOffer, "id">): string {
    const { any, "ghost-text": ghostText } = this.#offeredNow;
    return any.nameOf(offer) ?? ghostText.nameOf(offer) ?? `next-${++this.#count}`;
  }

  #endOffer(id: string): void {
    for (const offered of Object.values(this.#offeredNow)) offered.end(id);
  }

  #offer({ walk, request }: EngineAsk, { proposal, text, others, isReused, ...known }: OfferOrder): OfferedEdit {
    const { path, place, origin, reason, likelihood, edit, chain } = proposal;
    const id = known.id ?? this.#nameOf({ ...proposal, text });
    // Of several models it is the one that was shown something.
    const model = origin === "model" ? (walk.shown?.model ?? this.#parts.model?.model.name) : undefined;
    const suggestion: NextEditSuggestion = {
      ...{ id, path, text, place, origin, reason, isReused, others },
      ...(edit && { edit }),
      ...(chain !== undefined && { chain }),
      ...(model === undefined ? { likelihood } : { model }),
    };
    const isShown = this.#offers.get(id)?.isShown ?? false;
    this.#offers.delete(id);
    this.#offers.set(id, { suggestion, proposal, request, isShown });
    this.#offeredNow[request.shape ?? "any"].keep({ id, path, text, edit, place, reason });
    for (const oldest of [...this.#offers.keys()].slice(0, -maxOffers)) this.#offers.delete(oldest);
    const [first, last] = [edit?.edits[0], edit?.edits.at(-1)];
    const isNear = first !== undefined && last !== undefined && last.end - first.start <= maxStretch;
    // What a model said is kept already, all of it.
    if (edit !== undefined && isNear && !isReused && origin !== "model")
      this.#cache.keep(path, text, {
        edits: [asOne(text, edit)],
        data: { id, proposal, text, others, goal: edit.apply(text), editsElsewhere: this.#editsBeside(path) },
      });
    return walk.offered(suggestion);
  }

  /** How often other files than this one were edited. */
  #editsBeside(path: string): number {
    const all = [...this.#edits.values()].reduce((sum, count) => sum + count, 0);
    return all - (this.#edits.get(path) ?? 0);
  }

  #momentOf({ path, document: { language, text }, offset }: NextEditRequest): Moment {
    const { files } = this.#parts;
    return {
      ...{ path, language, text, cursor: offset, history: this.history, moved: this.#moved },
      files: {
        open: files.open.filter((open) => open !== path),
        textOf: (file) => (file === path ? text : files.textOf(file)),
        languageOf: (file) => (file === path ? language : files.languageOf(file)),
        saying: (words) => files.saying(words),
      },
    };
  }
}

/** How many moves of files are remembered. */
const maxMoves = 50;

/** A source of which so many times more were not likely enough is not asked further. */
const maxUnlikely = 2;

/** How many proposals of a source are looked at where the person did not ask for more. */
const pulledAtFirst = 12;

/** The most proposals that are one thing. */
const maxInChain = 1_000;

/** The most offers that are remembered by their names. */
const maxOffers = 100;

/** The longest stretch between the parts of an edit, in UTF-16 units, that may follow typing as one. */
const maxStretch = 4_000;

type OfferedEdit = Extract<NextEditOutcome, { kind: "offered" }>;

/** A request on its way. */
interface EngineAsk {
  readonly walk: NextWalk;
  readonly request: NextEditRequest;
  readonly moment: Moment;
  readonly life: RequestLife;
  readonly signal: AbortSignal;
  /** What was put off because it is not likely, for whoever asks. */
  readonly unlikely: Proposal[];
  /** What a model said in each of its turns and may not be offered. */
  readonly passedOver: Map<number, PassedOver>;
}

/** Edits of one answer that may not be offered, by their places in it, and why the last of them may not. */
interface PassedOver {
  readonly indexes: ReadonlySet<number>;
  readonly reason: HoldReason;
}

/** What is kept of a suggestion while the person types. */
interface KeptSuggestion {
  readonly id: string;
  readonly proposal: Proposal;
  readonly text: string;
  readonly others: readonly Proposal[];
  /** How often other files had been edited, where a source proposed it. */
  readonly editsElsewhere?: number;
  /** The text that it leads to, where a source proposed it; a model's answer has several edits. */
  readonly goal?: string;
  /** The turn of the model that it came of. */
  readonly turn?: number;
}

/** A suggestion that was offered, as it was last. */
interface Offered {
  readonly suggestion: NextEditSuggestion;
  readonly proposal: Proposal;
  readonly request: NextEditRequest;
  readonly isShown: boolean;
}

interface OfferOrder {
  /** Its name, where it has one already. */
  readonly id?: string;
  readonly proposal: Proposal;
  readonly text: string;
  readonly others: readonly Proposal[];
  readonly isReused: boolean;
}

/** Whether somebody asks who wants the best there is, rather than nothing. */
function isForWhoeverAsks({ trigger, shape }: NextEditRequest): boolean {
  return trigger === "invoked" && shape === undefined;
}

/** What is not likely enough is so by the setting for whoever asks. */
function withSetting(reason: HoldReason, request: NextEditRequest): HoldReason {
  return reason.kind === "unlikely" && isForWhoeverAsks(request)
    ? { ...reason, setting: "next.leastLikelihood" }
    : reason;
}

/** Whether an edit of the file at `path` is of the shape that is asked for. */
function isOfShape(
  { request }: Pick<EngineAsk, "request">,
  { path, text, cursor }: Pick<Moment, "path" | "text" | "cursor">,
  edit: Edit | undefined,
): boolean {
  if (request.shape === undefined) return true;
  return edit !== undefined && path === request.path && tryBehindCursor(text, cursor, edit) !== undefined;
}

/** An edit of a model, for the reason that it was asked for. */
function modelProposal(path: string, edit: Edit, reason: string): Proposal {
  const place = { start: edit.edits[0]?.start ?? 0, end: edit.edits.at(-1)?.end ?? 0 };
  return { origin: "model", path, edit, place, reason, likelihood: 1 };
}

/** The moment at a place that is to be looked at. */
function movedTo({ path, place }: Proposal, moment: Moment): Moment {
  const { files } = moment;
  return { ...moment, path, text: files.textOf(path) ?? "", cursor: place.start, language: files.languageOf(path) };
}

/** The first so many that are likely enough, and no more are asked for; of those that are less likely as many. */
async function take(
  proposals: AsyncIterable<Proposal> | Iterable<Proposal>,
  { most, least, signal }: { readonly most: number; readonly least: number; readonly signal?: AbortSignal },
): Promise<Proposal[]> {
  const likely: Proposal[] = [];
  const unlikely: Proposal[] = [];
  let pulled = 0;
  for await (const proposal of proposals) {
    signal?.throwIfAborted();
    if (proposal.likelihood >= least) likely.push(proposal);
    else if (unlikely.length < most) unlikely.push(proposal);
    if (likely.length >= most || ++pulled >= most * maxUnlikely) break;
  }
  return [...likely, ...unlikely];
}
