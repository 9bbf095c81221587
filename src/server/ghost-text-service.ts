import type { Position, Range } from "vscode-languageserver";
import type { Clock } from "../codebase/index.ts";
import type { GhostTextOutcome, GhostTextRequest, SilenceReason, Suggestion } from "../complete/index.ts";
import type { NextEditSuggestion } from "../next/index.ts";
import { Edit, invariant, isInsideCharacter, printRange } from "../text/index.ts";
import { asOneFrom, firstCharacters } from "./ghost-next-edit.ts";
import type { GhostNextEdit, GhostTextPlace, NextEditService } from "./next-edit-service.ts";
import { NextEditsAsGhostText, type NextEditsAsGhostTextParts } from "./next-edits-as-ghost-text.ts";
import type { OfferStages, StagePlace } from "./offer-stages.ts";
import type { OpenDocument, OpenDocuments } from "./open-documents.ts";
import type { Positions } from "./positions.ts";
import type { SessionSet } from "./session-set.ts";

/** A cursor that wants ghost text, as a client says it. */
export interface GhostTextQuestion {
  readonly uri: string;
  readonly position: Position;
  readonly trigger: GhostTextRequest["trigger"];
  /** The version of the text that the position speaks of, where the client tells. */
  readonly version?: number | undefined;
  /** The item picked in the editor's list. */
  readonly picked?: { readonly range: Range; readonly text: string } | undefined;
  /** How many alternatives are wanted. */
  readonly limit?: number | undefined;
}

/** Why a server has nothing to offer: what an engine says, and what comes before any engine. */
export type ServerSilence =
  | SilenceReason
  /** The client has never opened it. */
  | { readonly kind: "unknown-document"; readonly uri: string }
  /** The client asks about another state of the text than the one it has sent. */
  | { readonly kind: "stale-version"; readonly asked: number; readonly known: number }
  /** It holds characters that no text has. */
  | { readonly kind: "not-text"; readonly path: string }
  /** The person sees a next edit, which stays while what is typed agrees with it. */
  | { readonly kind: "next-edit-shown" };

/** A suggestion, or a next edit as one, with the name by which clients speak of it, and the text that its edit applies to. */
export interface OfferedSuggestion extends Pick<Suggestion, "id" | "edit" | "ghost"> {
  readonly open: OpenDocument;
  /** The cursor's offset in it. */
  readonly offset: number;
}

/** What a client is told. */
export type GhostTextAnswer =
  | { readonly kind: "offered"; readonly suggestions: readonly OfferedSuggestion[] }
  | { readonly kind: "silent"; readonly reason: ServerSilence };

/** What became of the last request, for whoever asks why. */
export interface ExplainedOutcome {
  readonly uri: string;
  readonly position: Position;
  readonly path?: string;
  /** Absent for a request that no engine was asked about. */
  readonly outcome?: GhostTextOutcome;
  /** The next edit that was offered, where there was no other ghost text. */
  readonly nextEdit?: NextEditSuggestion;
  /** Absent when something was offered. */
  readonly reason?: ServerSilence;
}

/** What the service needs. */
export interface GhostTextServiceParts {
  readonly documents: OpenDocuments;
  readonly sessions: Pick<SessionSet, "place">;
  readonly positions: Positions;
  /** Who is shown, ghost text or a next edit. */
  readonly stages: Pick<OfferStages, "ghostText"> & NextEditsAsGhostTextParts["stages"];
  /** Next edits that only add behind the cursor are ghost text where there is no other. */
  readonly nextEdits: Pick<NextEditService, "asGhostText" | "shown" | "accepted" | "rejected">;
  readonly clock: Clock;
  /** Is told of every answer. */
  onAnswer(answer: GhostTextAnswer): void;
}

/** What happened to a suggestion in the editor. */
export type SuggestionEvent =
  | { readonly kind: "shown" | "dismissed" }
  /** All of it, or so many UTF-16 units: from the start of what the edit inserts, or from that of the ghost text. */
  | { readonly kind: "accepted" }
  | { readonly kind: "partly-accepted"; readonly characters: number; readonly from: "insertion" | "ghost" };

const nextEditShown = { kind: "next-edit-shown" } as const;

/** How many suggestions are remembered for what a client may still say about them. */
const maxRemembered = 200;

/** Answers requests for ghost text, whatever dialect they came in. */
export class GhostTextService {
  readonly #parts: GhostTextServiceParts;
  readonly #nextEdits: NextEditsAsGhostText;
  readonly #offered = new Map<string, { readonly tell: (event: SuggestionEvent) => void }>();
  #last: ExplainedOutcome | undefined;
  #count = 0;

  constructor(parts: GhostTextServiceParts) {
    this.#parts = parts;
    this.#nextEdits = new NextEditsAsGhostText(parts);
  }

  /** What became of the last request. */
  get last(): ExplainedOutcome | undefined {
    return this.#last;
  }

  /** Never rejects for what a client says, only when something is broken. */
  async ask(question: GhostTextQuestion, signal: AbortSignal): Promise<GhostTextAnswer> {
    const answer = await this.#answer(question, signal);
    this.#parts.onAnswer(answer);
    return answer;
  }

  /** Takes up what a client says of a suggestion; one that is no longer remembered is left alone. */
  tell(id: string, event: SuggestionEvent): void {
    this.#offered.get(id)?.tell(event);
  }

  async #answer(question: GhostTextQuestion, signal: AbortSignal): Promise<GhostTextAnswer> {
    const { documents, sessions, positions } = this.#parts;
    const { uri, position, version, picked } = question;
    const refuse = (reason: ServerSilence, path?: string): GhostTextAnswer => {
      this.#last = { uri, position, ...(path !== undefined && { path }), reason };
      return { kind: "silent", reason };
    };
    const open = documents.get(uri);
    if (open === undefined) return refuse({ kind: "unknown-document", uri });
    const { document, lines, autoClosed } = open;
    if (typeof version === "number" && version !== document.version) {
      return refuse({ kind: "stale-version", asked: version, known: document.version });
    }
    const { session, path, judgedAs } = sessions.place(uri);
    if (document.text.includes("\0")) return refuse({ kind: "not-text", path }, path);
    const raw = positions.toOffset(lines, position);
    const offset = isInsideCharacter(document.text, raw) ? raw - 1 : raw;
    const closers = autoClosed.rangeAt(offset);
    const place = { open, uri: document.uri, text: document.text, cursor: offset, trigger: question.trigger };
    const isByItself = question.trigger === "automatic" && picked === undefined;
    const stays = isByItself ? await this.#nextEdits.tryStanding(place, signal) : undefined;
    if (stays !== undefined) return this.#giveNextEdit(place, stays, { uri, position, path });
    const request: GhostTextRequest = {
      ...{ document, path, offset, trigger: question.trigger },
      ...(picked && { picked: { ...positions.toTextRange(lines, picked.range), text: picked.text } }),
      ...(closers && { autoClosed: closers }),
      ...(question.limit !== undefined && { limit: question.limit }),
    };
    const ask = (stopped: AbortSignal) => session.complete(request, { signal: stopped, judgedAs });
    const outcome = picked === undefined ? await this.#nextEdits.orInstead(place, ask, signal) : await ask(signal);
    if (outcome.kind === "next-edit") {
      const explained = { uri, position, path, ...(outcome.ghost && { outcome: outcome.ghost }) };
      return this.#giveNextEdit(place, outcome.offer, explained);
    }
    const isSeen = this.#takeStage(place, outcome, question.trigger);
    const reason = outcome.kind === "silent" ? outcome.reason : isSeen ? undefined : nextEditShown;
    this.#last = { uri, position, path, outcome, ...(reason && { reason }) };
    if (outcome.kind === "silent" || !isSeen) return { kind: "silent", reason: reason! };
    for (const { edit } of outcome.suggestions) {
      invariant(
        edit.start <= offset && offset <= edit.end && edit.end <= document.text.length,
        () => `A suggestion for offset ${offset} replaces ${printRange(edit)} of ${document.text.length} characters`,
      );
    }
    const suggestions = outcome.suggestions.map((suggestion) => ({
      ...{ ...suggestion, open, offset },
      id: this.#remember((event) => {
        if (event.kind !== "partly-accepted") return session[event.kind](suggestion.id);
        const typed = event.from === "ghost" ? 0 : offset - suggestion.edit.start;
        const characters = Math.max(0, Math.min(suggestion.ghost.length, event.characters - typed));
        return session.accepted(suggestion.id, characters);
      }),
    }));
    return { kind: "offered", suggestions };
  }

  #giveNextEdit(
    { open, cursor: offset, text }: GhostTextPlace,
    offer: GhostNextEdit,
    explained: ExplainedOutcome,
  ): GhostTextAnswer {
    const { nextEdits } = this.#parts;
    this.#last = { ...explained, nextEdit: offer.suggestion };
    const edit = asOneFrom(text, offset, offer.edit);
    const id = this.#remember((event) => {
      if (event.kind === "shown") nextEdits.shown(offer.id);
      else if (event.kind === "dismissed") nextEdits.rejected(offer.id);
      else if (event.kind === "accepted") nextEdits.accepted(offer.id);
      // What is inserted begins at the cursor, as what is seen does.
      else if (event.kind === "partly-accepted")
        nextEdits.accepted(offer.id, firstCharacters(offer.edit, offset, event.characters));
    });
    return { kind: "offered", suggestions: [{ id, edit, ghost: edit.text, open, offset }] };
  }

  #isPresent({ uri, text }: StagePlace): boolean {
    return this.#parts.documents.get(uri)?.document.text === text;
  }

  /** Whether what came is in front of everything else. Whoever asks by key is shown it in any case. */
  #takeStage(place: StagePlace, outcome: GhostTextOutcome, trigger: GhostTextQuestion["trigger"]): boolean {
    const { stages } = this.#parts;
    // What is not asked any more, or of another text, comes to nobody.
    const isOver =
      outcome.kind === "silent" && (outcome.reason.kind === "cancelled" || outcome.reason.kind === "superseded");
    if (isOver || !this.#isPresent(place)) return true;
    const [first] = outcome.kind === "offered" ? outcome.suggestions : [];
    // What is replaced behind the cursor is left out here: the editor put it there by itself.
    const shown = first && { id: first.id, edit: Edit.insert(place.cursor, first.ghost) };
    return stages.ghostText(place, shown).kind === "shown" || trigger === "invoked";
  }

  /** Gives a suggestion the name that clients know it by. */
  #remember(tell: (event: SuggestionEvent) => void): string {
    this.#count += 1;
    const id = `ghost-${this.#count}`;
    this.#offered.set(id, { tell });
    if (this.#offered.size > maxRemembered) this.#offered.delete(this.#offered.keys().next().value!);
    return id;
  }
}
