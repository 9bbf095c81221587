import type { Position, Range } from "vscode-languageserver";
import { type Clock, pause } from "../../async/index.ts";
import type { GhostTextOutcome, GhostTextRequest, NoSuggestionReason, Suggestion } from "../../complete/index.ts";
import type { NextEditSuggestion } from "../../next/index.ts";
import { Edit, invariant, isInsideCharacter, movedBy, printRange } from "../../text/index.ts";
import type { Notebooks } from "../notebooks.ts";
import type { OpenDocument } from "../open-documents.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { GhostNextEdit, GhostTextPlace, NextEditService, NextEditServiceParts } from "./next-edit-service.ts";
import { asOneReplacement, NextEditsAsGhostText, type NextEditsAsGhostTextParts } from "./next-edits-as-ghost-text.ts";
import type { SnoozedReason } from "./snooze.ts";
import type { ArbiterRequest, SuggestionArbiter } from "./suggestion-arbiter.ts";

/** A request for ghost text at a cursor, in the client's terms. */
export interface GhostTextClientRequest {
  readonly uri: string;
  readonly position: Position;
  readonly trigger: GhostTextRequest["trigger"];
  /** The version of the text that the position refers to, where the client sends it. */
  readonly version?: number | undefined;
  /** The item selected in the editor's completion list. */
  readonly picked?: { readonly range: Range; readonly text: string } | undefined;
  /** The most alternatives to return. */
  readonly limit?: number | undefined;
}

/** Why there is no ghost text: a reason of the engine, or one of the server. */
export type ServerNoSuggestionReason =
  | NoSuggestionReason
  /** The client has not opened the document. */
  | { readonly kind: "unknown-document"; readonly uri: string }
  /** The request is for another version of the text than the one last sent. */
  | { readonly kind: "stale-version"; readonly requested: number; readonly known: number }
  /** The text contains NUL characters. */
  | { readonly kind: "not-text"; readonly path: string }
  /** A next edit is shown, which stays while the person types what it inserts. */
  | { readonly kind: "next-edit-shown" }
  | SnoozedReason;

/** A suggestion, or a next edit as one, and the document that its edit applies to. */
export interface IdentifiedSuggestion extends Pick<Suggestion, "id" | "edit" | "ghost"> {
  readonly open: OpenDocument;
  /** The cursor's offset in it. */
  readonly offset: number;
}

/** The answer to a request for ghost text. */
export type GhostTextAnswer =
  | { readonly kind: "offered"; readonly suggestions: readonly IdentifiedSuggestion[] }
  | { readonly kind: "no-suggestion"; readonly reason: ServerNoSuggestionReason };

/** The last request with its outcome, for explanations. */
export interface ExplainedOutcome {
  readonly uri: string;
  readonly position: Position;
  readonly path?: string;
  /** Absent where no engine was called. */
  readonly outcome?: GhostTextOutcome;
  /** The next edit that was suggested, where there was no other ghost text. */
  readonly nextEdit?: NextEditSuggestion;
  /** Absent when there was a suggestion. */
  readonly reason?: ServerNoSuggestionReason;
}

/** What a {@link GhostTextService} is made with. */
export interface GhostTextServiceParts
  extends Pick<NextEditServiceParts, "documents" | "sessions" | "positions" | "store" | "snooze"> {
  /** The notebooks, whose cells are completed as one text. */
  readonly notebooks: Pick<Notebooks, "textAround">;
  /** The arbiter between ghost text and next edits. */
  readonly arbiter: Pick<SuggestionArbiter, "ghostText"> & NextEditsAsGhostTextParts["arbiter"];
  /**
   * Next edits that only insert behind the cursor, which are ghost text where there is no other.
   */
  readonly nextEdits: Pick<NextEditService, "asGhostText">;
  readonly clock: Clock;
  /** Called with every answer, and the URI of its request. */
  onAnswer(answer: GhostTextAnswer, uri: string): void;
}

/** While a model is loading: the wait before a request is repeated, and for how long it is. */
const repeatMs = 1_000;
const loadingMs = 120_000;

const nextEditShown = { kind: "next-edit-shown" } as const;

/** Answers requests for ghost text, for all dialects of the protocol. */
export class GhostTextService {
  readonly #parts: GhostTextServiceParts;
  readonly #nextEdits: NextEditsAsGhostText;
  #last: ExplainedOutcome | undefined;

  constructor(parts: GhostTextServiceParts) {
    this.#parts = parts;
    this.#nextEdits = new NextEditsAsGhostText(parts);
  }

  /** The last request with its outcome; `undefined` before the first. */
  get last(): ExplainedOutcome | undefined {
    return this.#last;
  }

  /**
   * Requests ghost text. An invalid request is answered with a reason. Rejects as
   * `WorkspaceSession.complete` does.
   */
  async request(clientRequest: GhostTextClientRequest, signal: AbortSignal): Promise<GhostTextAnswer> {
    const answer = await this.#answer(clientRequest, signal);
    this.#parts.onAnswer(answer, clientRequest.uri);
    return answer;
  }

  async #answer(clientRequest: GhostTextClientRequest, signal: AbortSignal): Promise<GhostTextAnswer> {
    const { documents, notebooks, sessions, positions } = this.#parts;
    const { uri, position, version, picked } = clientRequest;
    const refuse = (reason: ServerNoSuggestionReason, path?: string): GhostTextAnswer => {
      this.#last = { uri, position, ...(path !== undefined && { path }), reason };
      return { kind: "no-suggestion", reason };
    };
    const open = documents.get(uri);
    if (open === undefined) return refuse({ kind: "unknown-document", uri });
    const { document, lines, autoClosed } = open;
    if (typeof version === "number" && version !== document.version) {
      return refuse({ kind: "stale-version", requested: version, known: document.version });
    }
    const { session, path, judgedAs } = sessions.place(uri);
    const snoozed = this.#parts.snooze.reasonFor(clientRequest.trigger);
    if (snoozed !== undefined) return refuse(snoozed, path);
    if (document.text.includes("\0")) return refuse({ kind: "not-text", path }, path);
    const raw = positions.toOffset(lines, position);
    const offset = isInsideCharacter(document.text, raw) ? raw - 1 : raw;
    const closers = autoClosed.rangeAt(offset);
    const place = { open, uri: document.uri, text: document.text, cursor: offset, trigger: clientRequest.trigger };
    const isByItself = clientRequest.trigger === "automatic" && picked === undefined;
    const visible = isByItself ? await this.#nextEdits.tryVisible(place, signal) : undefined;
    if (visible !== undefined) return this.#giveNextEdit(place, visible, { uri, position, path });
    const { text, start } = notebooks.textAround(uri) ?? { text: document.text, start: 0 };
    const request: GhostTextRequest = {
      ...{ document: { ...document, text }, path, offset: start + offset, trigger: clientRequest.trigger },
      ...(picked && { picked: movedBy({ ...positions.toTextRange(lines, picked.range), text: picked.text }, start) }),
      ...(closers && { autoClosed: movedBy(closers, start) }),
      ...(clientRequest.limit !== undefined && { limit: clientRequest.limit }),
    };
    const requestGhostText = async (stopped: AbortSignal) => {
      const deadline = this.#parts.clock.now() + loadingMs;
      for (;;) {
        const outcome = withinCell(await session.complete(request, { signal: stopped, judgedAs }), start);
        if (outcome.kind === "offered" || stopped.aborted || !isLoading(session)) return outcome;
        if (this.#parts.clock.now() >= deadline) return outcome;
        // The engine answers an aborted request, with the reason.
        await pause(repeatMs, { clock: this.#parts.clock, signal: stopped }).catch(() => undefined);
      }
    };
    const outcome =
      picked === undefined
        ? await this.#nextEdits.ghostTextOrNextEdit(place, requestGhostText, signal)
        : await requestGhostText(signal);
    if (outcome.kind === "next-edit") {
      const explained = { uri, position, path, ...(outcome.ghost && { outcome: outcome.ghost }) };
      return this.#giveNextEdit(place, outcome.offer, explained);
    }
    const isSeen = this.#mayShow(place, outcome, clientRequest.trigger);
    const reason = outcome.kind === "no-suggestion" ? outcome.reason : isSeen ? undefined : nextEditShown;
    this.#last = { uri, position, path, outcome, ...(reason && { reason }) };
    if (outcome.kind === "no-suggestion" || !isSeen) return { kind: "no-suggestion", reason: reason! };
    for (const { edit } of outcome.suggestions) {
      invariant(
        edit.start <= offset && offset <= edit.end && edit.end <= document.text.length,
        () => `A suggestion for offset ${offset} replaces ${printRange(edit)} of ${document.text.length} characters`,
      );
    }
    for (const { id, edit, ghost } of outcome.suggestions) {
      const typedCharacters = offset - edit.start;
      const known = { provider: "ghost-text", session, uri: document.uri, typedCharacters } as const;
      this.#parts.store.keep(id, { ...known, ghostCharacters: ghost.length });
    }
    return { kind: "offered", suggestions: outcome.suggestions.map((suggestion) => ({ ...suggestion, open, offset })) };
  }

  #giveNextEdit(
    { open, cursor: offset, text }: GhostTextPlace,
    offer: GhostNextEdit,
    explained: ExplainedOutcome,
  ): GhostTextAnswer {
    this.#last = { ...explained, nextEdit: offer.suggestion };
    const edit = asOneReplacement(text, offer.edit, offset);
    const { id, suggestion, session } = offer;
    const ghostText = { edit: offer.edit, cursor: offset };
    this.#parts.store.keep(id, { provider: "next-edit", session, uri: open.document.uri, suggestion, ghostText });
    return { kind: "offered", suggestions: [{ id, edit, ghost: edit.text, open, offset }] };
  }

  #isPresent({ uri, text }: ArbiterRequest): boolean {
    return this.#parts.documents.get(uri)?.document.text === text;
  }

  /** Whether the outcome may be shown, by the arbiter. A request by key is always shown. */
  #mayShow(place: ArbiterRequest, outcome: GhostTextOutcome, trigger: GhostTextClientRequest["trigger"]): boolean {
    const { arbiter } = this.#parts;
    // An outcome for a cancelled request or an older text does not change the arbiter's state.
    const isObsolete =
      outcome.kind === "no-suggestion" && (outcome.reason.kind === "cancelled" || outcome.reason.kind === "superseded");
    if (isObsolete || !this.#isPresent(place)) return true;
    const [first] = outcome.kind === "offered" ? outcome.suggestions : [];
    // The replaced characters behind the cursor are left out here: the editor inserted them by
    // itself.
    const shown = first && { id: first.id, edit: Edit.insert(place.cursor, first.ghost) };
    return arbiter.ghostText(place, shown).kind === "shown" || trigger === "invoked";
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
