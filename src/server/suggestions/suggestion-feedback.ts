import { type SuggestionState, SuggestionStore } from "../../complete/index.ts";
import type { NextEditSuggestion } from "../../next/index.ts";
import type { Edit, TextEdit } from "../../text/index.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { SuggestionArbiter } from "./suggestion-arbiter.ts";

/** What happened to a suggestion in the editor. */
export type SuggestionEvent =
  | { readonly kind: "shown" | "dismissed" }
  /**
   * Accepted as a whole, or only so many UTF-16 code units, from the start of the text that the
   * edit inserts, or from the start of the ghost text.
   */
  | { readonly kind: "accepted" }
  | { readonly kind: "partly-accepted"; readonly characters: number; readonly from: "insertion" | "ghost" }
  /** Of a next edit, only these edits of the text at the time of the suggestion. */
  | { readonly kind: "partly-accepted"; readonly part: readonly TextEdit[] };

/** A suggestion of a provider, with what its provider needs to know of later events. */
export type StoredSuggestion =
  | {
      readonly provider: "ghost-text";
      readonly session: Pick<WorkspaceSession, "shown" | "accepted" | "dismissed">;
      /** The document of the request. */
      readonly uri: string;
      /** How many UTF-16 units of the inserted text are in front of the cursor already. */
      readonly typedCharacters: number;
      /** The length of the ghost text in UTF-16 units. */
      readonly ghostCharacters: number;
    }
  | {
      readonly provider: "next-edit";
      readonly session: WorkspaceSession;
      /** The document of the request. */
      readonly uri: string;
      readonly suggestion: NextEditSuggestion;
      /** As it was last returned as ghost text, with the cursor at this offset. */
      readonly ghostText?: { readonly edit: Edit; readonly cursor: number };
    };

/**
 * The suggestions that clients were given, of both providers, by their ids. What happens to one
 * comes here once, and goes to its provider and to the arbiter. Events of a suggestion that has
 * ended, or is no longer remembered, are ignored.
 */
export class SuggestionFeedback {
  readonly #arbiter: Pick<SuggestionArbiter, "seen" | "ended" | "gone">;
  readonly #given = new SuggestionStore<StoredSuggestion>({
    ...{ max: 200, maxCharacters: 4_000_000 },
    charactersOf: (one) => (one.provider === "next-edit" ? one.suggestion.text.length : 0),
  });

  constructor(arbiter: Pick<SuggestionArbiter, "seen" | "ended" | "gone">) {
    this.#arbiter = arbiter;
  }

  /** Remembers a suggestion under the id that its engine gave it; see `SuggestionStore.keep`. */
  keep(id: string, suggestion: StoredSuggestion): void {
    this.#given.keep(id, { ...this.#given.get(id), ...suggestion });
  }

  /** The next edit with this id, while it is remembered. */
  nextEdit(id: string): Extract<StoredSuggestion, { provider: "next-edit" }> | undefined {
    const suggestion = this.#given.get(id);
    return suggestion?.provider === "next-edit" ? suggestion : undefined;
  }

  /** The state of a suggestion; `undefined` where it is not remembered. */
  stateOf(id: string): SuggestionState | undefined {
    return this.#given.stateOf(id);
  }

  /** Takes what happened to a suggestion. */
  notify(id: string, event: SuggestionEvent): void {
    const suggestion = this.#given.get(id);
    if (suggestion === undefined || this.#given.move(id, event.kind) === undefined) return;
    if (suggestion.provider === "next-edit") this.#notifyNextEdit(id, suggestion, event);
    else {
      notifyGhostText(id, suggestion, event);
      // A next edit may take its place.
      if (event.kind === "dismissed") this.#arbiter.gone(suggestion.uri, id);
    }
  }

  #notifyNextEdit(
    id: string,
    { session, uri, suggestion, ghostText }: Extract<StoredSuggestion, { provider: "next-edit" }>,
    event: SuggestionEvent,
  ): void {
    if (event.kind === "shown") {
      session.nextEdits.notify(suggestion, { kind: "shown" });
      this.#arbiter.seen(uri, id);
    } else if (event.kind === "dismissed") {
      session.nextEdits.notify(suggestion, { kind: "rejected" });
      this.#arbiter.ended(uri, "rejected");
    } else {
      const part = event.kind === "partly-accepted" ? partOf(event, ghostText) : undefined;
      session.nextEdits.notify(suggestion, { kind: "accepted", part });
      this.#arbiter.ended(uri, "accepted");
    }
  }
}

function notifyGhostText(
  id: string,
  { session, typedCharacters, ghostCharacters }: Extract<StoredSuggestion, { provider: "ghost-text" }>,
  event: SuggestionEvent,
): void {
  if (event.kind !== "partly-accepted") session[event.kind](id);
  else if ("characters" in event) {
    const typed = event.from === "ghost" ? 0 : typedCharacters;
    session.accepted(id, Math.max(0, Math.min(ghostCharacters, event.characters - typed)));
  }
}

/** The accepted edits of a next edit; `undefined` where that is all of it. */
function partOf(
  event: Extract<SuggestionEvent, { kind: "partly-accepted" }>,
  ghostText: { readonly edit: Edit; readonly cursor: number } | undefined,
): readonly TextEdit[] | undefined {
  if ("part" in event) return event.part;
  // The insertion begins at the cursor, as the ghost text does.
  return ghostText && firstCharacters(ghostText.edit, ghostText.cursor, event.characters);
}

/**
 * The beginning of an edit that only inserts behind the cursor: its insertions within the first
 * `characters` UTF-16 code units of `Edit.inOne`. `undefined` where that is the whole edit.
 */
export function firstCharacters(edit: Edit, cursor: number, characters: number): readonly TextEdit[] | undefined {
  const parts: TextEdit[] = [];
  let left = characters;
  let at = cursor;
  for (const part of edit.edits) {
    left -= part.start - at;
    if (left <= 0) return parts;
    parts.push(left < part.text.length ? { ...part, text: part.text.slice(0, left) } : part);
    if (left < part.text.length) return parts;
    left -= part.text.length;
    at = part.end;
  }
  return undefined;
}
