import type { Range } from "vscode-languageserver";
import { LinkedController, pause, resultWithin } from "../../async/index.ts";
import type { GhostTextOutcome, GhostTextRequest, Suggestion } from "../../complete/index.ts";
import type { NextEditSuggestion } from "../../next/index.ts";
import { Edit, invariant, movedBy, printRange } from "../../text/index.ts";
import type { OpenDocument } from "../open-documents.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { GhostNextEdit, ServerNextEdits } from "./server-next-edits.ts";
import type { ServerNoSuggestionReason } from "./server-no-suggestion.ts";
import type { ClientRequest, PlacedRequest, ProviderParts } from "./suggestion-request.ts";

/** A request for ghost text at a cursor, in the client's terms. */
export interface GhostTextClientRequest extends ClientRequest {
  /** The item selected in the editor's completion list. */
  readonly picked?: { readonly range: Range; readonly text: string } | undefined;
  /** The most alternatives to return. */
  readonly limit?: number | undefined;
}

/** A suggestion, or a next edit as one, and the document that its edit applies to. */
export interface IdentifiedSuggestion extends Pick<Suggestion, "id" | "edit" | "ghost"> {
  readonly open: OpenDocument;
  /** The cursor's offset in it. */
  readonly offset: number;
}

/** The answer to a request for ghost text. */
export type GhostTextAnswer = {
  /** Absent where no engine was called. */
  readonly outcome?: GhostTextOutcome;
  /** The next edit that is suggested, where there is no other ghost text. */
  readonly nextEdit?: NextEditSuggestion;
} & (
  | { readonly kind: "offered"; readonly suggestions: readonly IdentifiedSuggestion[] }
  | { readonly kind: "no-suggestion"; readonly reason: ServerNoSuggestionReason }
);

/** While a model is loading: the wait before a request is repeated, and for how long it is. */
const repeatMs = 1_000;
const loadingMs = 120_000;

/** How long a next edit is searched for, in milliseconds. */
const findMs = { automatic: 150, invoked: 1_000 } as const;

/**
 * The reasons without ghost text for which no next edit takes its place: the request is over, or
 * the selected item of the completion list is in the way.
 */
const finalReasons: ReadonlySet<string> = new Set(["cancelled", "superseded", "disagrees-with-picked"]);

/**
 * The provider of ghost text, and of next edits that only insert behind the cursor on its line.
 * These are used where there is no ghost text, or none within its head start; ghost text in time
 * never waits for them.
 */
export class ServerGhostText {
  readonly #parts: ProviderParts;
  readonly #nextEdits: Pick<ServerNextEdits, "asGhostText">;

  constructor(parts: ProviderParts, nextEdits: Pick<ServerNextEdits, "asGhostText">) {
    this.#parts = parts;
    this.#nextEdits = nextEdits;
  }

  /** Requests ghost text. Rejects as `WorkspaceSession.complete` does. */
  async answer(
    request: PlacedRequest,
    { picked, limit }: Pick<GhostTextClientRequest, "picked" | "limit">,
    signal: AbortSignal,
  ): Promise<GhostTextAnswer> {
    const { open, session, path, uri, cursor, trigger } = request;
    const { document, lines, autoClosed } = open;
    if (document.text.includes("\0")) return { kind: "no-suggestion", reason: { kind: "not-text", path } };
    const isByItself = trigger === "automatic" && picked === undefined;
    const visible = isByItself ? await this.#tryVisible(request, signal) : undefined;
    if (visible !== undefined) return this.#giveNextEdit(request, visible);
    const { text, start } = this.#parts.notebooks.textAround(uri) ?? { text: document.text, start: 0 };
    const closers = autoClosed.rangeAt(cursor);
    const pickedRange = picked && this.#parts.positions.toTextRange(lines, picked.range);
    const engineRequest: GhostTextRequest = {
      ...{ document: { ...document, text }, path, offset: start + cursor, trigger },
      ...(pickedRange && { picked: movedBy({ ...pickedRange, text: picked.text }, start) }),
      ...(closers && { autoClosed: movedBy(closers, start) }),
      ...(limit !== undefined && { limit }),
    };
    const complete = async (stopped: AbortSignal) =>
      withinCell(await this.#completeOnceLoaded(request, engineRequest, stopped), start);
    const found =
      picked === undefined
        ? await this.#ghostTextOrNextEdit(request, complete, signal)
        : { outcome: await complete(signal) };
    if ("nextEdit" in found) return this.#giveNextEdit(request, found.nextEdit, found.outcome);
    const { outcome } = found;
    const isSeen = this.#mayShow(request, outcome);
    if (outcome.kind === "no-suggestion") return { kind: "no-suggestion", reason: outcome.reason, outcome };
    if (!isSeen) return { kind: "no-suggestion", reason: { kind: "next-edit-shown" }, outcome };
    for (const { edit } of outcome.suggestions) {
      invariant(
        edit.start <= cursor && cursor <= edit.end && edit.end <= document.text.length,
        () => `A suggestion for offset ${cursor} replaces ${printRange(edit)} of ${document.text.length} characters`,
      );
    }
    for (const { id, edit, ghost } of outcome.suggestions) {
      const known = { provider: "ghost-text", session, uri, typedCharacters: cursor - edit.start } as const;
      this.#parts.feedback.keep(id, { ...known, ghostCharacters: ghost.length });
    }
    const suggestions = outcome.suggestions.map((suggestion) => ({ ...suggestion, open, offset: cursor }));
    return { kind: "offered", suggestions, outcome };
  }

  /** Requests ghost text again and again while a model without an answer is being loaded. */
  async #completeOnceLoaded(
    { session, judgedAs }: PlacedRequest,
    request: GhostTextRequest,
    signal: AbortSignal,
  ): Promise<GhostTextOutcome> {
    const { clock } = this.#parts;
    const deadline = clock.now() + loadingMs;
    for (;;) {
      const outcome = await session.complete(request, { signal, judgedAs });
      if (outcome.kind === "offered" || signal.aborted || !isLoading(session)) return outcome;
      if (clock.now() >= deadline) return outcome;
      // The engine answers an aborted request, with the reason.
      await pause(repeatMs, { clock, signal }).catch(() => undefined);
    }
  }

  #giveNextEdit(
    { open, session, uri, text, cursor }: PlacedRequest,
    { suggestion, edit }: GhostNextEdit,
    outcome?: GhostTextOutcome,
  ): GhostTextAnswer {
    const { id } = suggestion;
    const whole = edit.inOne(text, cursor);
    const ghostText = { edit, cursor };
    this.#parts.feedback.keep(id, { provider: "next-edit", session, uri, suggestion, ghostText });
    const suggestions = [{ id, edit: whole, ghost: whole.text, open, offset: cursor }];
    return { kind: "offered", suggestions, nextEdit: suggestion, ...(outcome && { outcome }) };
  }

  /**
   * The rest of the visible next edit, where the text typed since agrees with it; otherwise
   * `undefined`.
   */
  async #tryVisible(request: PlacedRequest, signal: AbortSignal): Promise<GhostNextEdit | undefined> {
    const { arbiter } = this.#parts;
    const id = arbiter.nextEditSeen(request);
    if (id === undefined) return undefined;
    const found = await this.#findNextEdit(request, signal);
    if (found?.suggestion.id === id && this.#isPresent(request)) return found;
    arbiter.gone(request.uri, id);
    return undefined;
  }

  /**
   * Requests ghost text with `complete`, and returns its outcome, or a next edit instead with the
   * outcome if there was one by then; in that case the request is aborted. Rejects where `complete`
   * does.
   */
  async #ghostTextOrNextEdit(
    request: PlacedRequest,
    complete: (signal: AbortSignal) => Promise<GhostTextOutcome>,
    signal: AbortSignal,
  ): Promise<
    | { readonly outcome: GhostTextOutcome }
    | { readonly nextEdit: GhostNextEdit; readonly outcome: GhostTextOutcome | undefined }
  > {
    const { arbiter, clock } = this.#parts;
    const stop = new LinkedController(signal);
    let outcome: GhostTextOutcome | undefined;
    const pending = complete(stop.signal).finally(() => stop[Symbol.dispose]());
    const answered = pending.then(
      (came) => {
        outcome = came;
      },
      () => undefined,
    );
    // A request by key waits for ghost text without a limit.
    if (request.trigger === "invoked") await answered;
    else await resultWithin(answered, { clock, limitMs: arbiter.headStartMs(request) });
    const hasRoom = () =>
      outcome === undefined || (outcome.kind === "no-suggestion" && !finalReasons.has(outcome.reason.kind));
    const nextEdit = hasRoom() ? await this.#findNextEdit(request, signal) : undefined;
    // Ghost text that arrived meanwhile has precedence.
    if (nextEdit === undefined || signal.aborted || !hasRoom() || !this.#isPresent(request))
      return { outcome: await pending };
    const { edit, suggestion } = nextEdit;
    const isShown = arbiter.nextEditAsGhostText(request, { id: suggestion.id, edit }).kind === "shown";
    if (!isShown && request.trigger === "automatic") return { outcome: await pending };
    stop.abort();
    return { nextEdit, outcome };
  }

  async #findNextEdit(request: PlacedRequest, signal: AbortSignal): Promise<GhostNextEdit | undefined> {
    const stop = new LinkedController(signal);
    const found = this.#nextEdits.asGhostText(request, stop.signal);
    // Ignore the rejection after an abort.
    found.catch(() => undefined);
    try {
      return await resultWithin(found, { clock: this.#parts.clock, limitMs: findMs[request.trigger] });
    } finally {
      stop.abort();
    }
  }

  #isPresent({ uri, text }: PlacedRequest): boolean {
    return this.#parts.documents.get(uri)?.document.text === text;
  }

  /** Whether the outcome may be shown, by the arbiter. A request by key is always shown. */
  #mayShow(request: PlacedRequest, outcome: GhostTextOutcome): boolean {
    // An outcome for a cancelled request or an older text does not change the arbiter's state.
    const isObsolete =
      outcome.kind === "no-suggestion" && (outcome.reason.kind === "cancelled" || outcome.reason.kind === "superseded");
    if (isObsolete || !this.#isPresent(request)) return true;
    const [first] = outcome.kind === "offered" ? outcome.suggestions : [];
    // The replaced characters behind the cursor are left out here: the editor inserted them by
    // itself.
    const shown = first && { id: first.id, edit: Edit.insert(request.cursor, first.ghost) };
    return this.#parts.arbiter.ghostText(request, shown).kind === "shown" || request.trigger === "invoked";
  }
}

/** Whether a model of ghost text cannot answer yet because its server is still loading it. */
function isLoading({ models }: Pick<WorkspaceSession, "models">): boolean {
  return models.some(({ uses, isLoading }) => isLoading === true && uses.includes("ghost-text"));
}

/** An outcome for a text in which the document begins at `start`, as one for the document. */
function withinCell(outcome: GhostTextOutcome, start: number): GhostTextOutcome {
  if (outcome.kind !== "offered" || start === 0) return outcome;
  const moved = (one: Suggestion): Suggestion => ({ ...one, edit: movedBy(one.edit, -start) });
  const [first, ...others] = outcome.suggestions;
  return { ...outcome, suggestions: [moved(first), ...others.map(moved)] };
}
