import type { Position } from "vscode-languageserver";
import type { PlaceDiagnostic } from "../../context/index.ts";
import {
  type NextEditOutcome,
  type NextEditRequest,
  type NextEditSuggestion,
  type NoNextEditReason,
  tryBehindCursor,
  type WholeChain,
} from "../../next/index.ts";
import { type Edit, isInsideCharacter, Lines } from "../../text/index.ts";
import { joinPath } from "../../workspace/index.ts";
import type { EditedDocument } from "../edit/to-protocol-edit.ts";
import { toFileUri } from "../file-uri.ts";
import type { OpenDocument, OpenDocuments } from "../open-documents.ts";
import type { Positions } from "../positions.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { SessionSet } from "../session-set.ts";
import type { Snooze, SnoozedReason } from "./snooze.ts";
import type { ArbiterRequest, SuggestionArbiter } from "./suggestion-arbiter.ts";
import type { SuggestionFeedback } from "./suggestion-feedback.ts";

/** A request for a next edit at a cursor, in the client's terms. */
export interface NextEditClientRequest {
  readonly uri: string;
  readonly position: Position;
  readonly trigger: NextEditRequest["trigger"];
  /** The version of the text that the position refers to, where the client sends it. */
  readonly version?: number | undefined;
  readonly diagnostics?: readonly PlaceDiagnostic[] | undefined;
}

/** Why there is no next edit: a reason of the engine, or one of the server before or after it. */
export type ServerNoNextEditReason =
  | NoNextEditReason
  /** The client has not opened the document. */
  | { readonly kind: "unknown-document"; readonly uri: string }
  /** The document is another revision or a part of a file. */
  | { readonly kind: "no-file"; readonly uri: string }
  /**
   * The request is for another version of the text than the one last sent, or the text has changed
   * meanwhile.
   */
  | { readonly kind: "stale-version"; readonly requested: number; readonly known: number }
  /** The file of the edit, which is not open, has another text on the disk; it is read again. */
  | { readonly kind: "changed-on-disk"; readonly path: string }
  /** Ghost text is shown, which stays while the person types it. */
  | { readonly kind: "ghost-text-shown" }
  | SnoozedReason;

/** A next edit, and the document that it is in. */
export interface IdentifiedNextEdit {
  readonly id: string;
  readonly suggestion: NextEditSuggestion;
  /** The document of {@link suggestion}. */
  readonly document: EditedDocument;
  readonly lines: Lines;
  /** Whether it is in another document than that of the request. */
  readonly isElsewhere: boolean;
  /** The same as ghost text, where it only inserts behind the cursor on its line. */
  readonly ghostText?: Edit | undefined;
  /** The document at a path of the same session, for the suggestion's other files. */
  documentOf(path: string): EditedDocument;
  /** The text of such a file; `undefined` when it does not exist any more. */
  linesOf(path: string): Lines | undefined;
}

/** The answer to a request for a next edit. */
export type NextEditAnswer =
  | { readonly kind: "offered"; readonly offer: IdentifiedNextEdit }
  | { readonly kind: "no-suggestion"; readonly reason: ServerNoNextEditReason };

/** A cursor with a request for ghost text. */
export interface GhostTextPlace extends ArbiterRequest {
  readonly open: OpenDocument;
  readonly trigger: NextEditRequest["trigger"];
}

/** A next edit that can be shown as ghost text. */
export interface GhostNextEdit {
  readonly id: string;
  readonly suggestion: NextEditSuggestion;
  readonly session: WorkspaceSession;
  /** The edit as insertions behind the cursor on its line. */
  readonly edit: Edit;
}

/** The last request with its outcome, for explanations. */
export interface ExplainedNextEdit {
  readonly uri: string;
  readonly position: Position;
  readonly path?: string;
  /** Absent where no engine was called. */
  readonly outcome?: NextEditOutcome;
  /** Absent when there was a suggestion. */
  readonly reason?: ServerNoNextEditReason;
}

/** A whole chain of a suggestion, as edits of files. */
export interface IdentifiedChain extends WholeChain {
  readonly kind: "chain";
  documentOf(path: string): EditedDocument;
}

/** The files of a suggestion whose texts are other ones now; see `NextEditService.wholeChain`. */
export interface ChangedSince {
  readonly kind: "changed";
  /** Their paths, relative to the folder of the workspace. */
  readonly changed: readonly string[];
}

/** What a {@link NextEditService} is made with. */
export interface NextEditServiceParts {
  readonly documents: OpenDocuments;
  readonly sessions: Pick<SessionSet, "place">;
  readonly positions: Positions;
  readonly arbiter: SuggestionArbiter;
  /** Remembers what is returned. */
  readonly store: SuggestionFeedback;
  readonly snooze: Pick<Snooze, "reasonFor">;
  /** Called with every answer. */
  onAnswer?(explained: ExplainedNextEdit): void;
}

/** Answers requests for next edits, for all dialects of the protocol. */
export class NextEditService {
  readonly #parts: NextEditServiceParts;
  #last: ExplainedNextEdit | undefined;

  constructor(parts: NextEditServiceParts) {
    this.#parts = parts;
  }

  /** The last request with its outcome; `undefined` before the first. */
  get last(): ExplainedNextEdit | undefined {
    return this.#last;
  }

  /**
   * Requests a next edit. An invalid request is answered with a reason. Rejects as
   * `WorkspaceSession.nextEdit` does.
   */
  async request(clientRequest: NextEditClientRequest, signal: AbortSignal): Promise<NextEditAnswer> {
    const answer = await this.#answer(clientRequest, signal);
    this.#parts.onAnswer?.(this.#last!);
    return answer;
  }

  async #answer(clientRequest: NextEditClientRequest, signal: AbortSignal): Promise<NextEditAnswer> {
    const { documents, sessions, positions } = this.#parts;
    const { uri, position, version, trigger, diagnostics } = clientRequest;
    const open = documents.get(uri);
    if (open === undefined) return this.#refuse(clientRequest, { kind: "unknown-document", uri });
    const { document, lines } = open;
    const known = document.version;
    if (typeof version === "number" && version !== known) {
      return this.#refuse(clientRequest, { kind: "stale-version", requested: version, known });
    }
    const { session, path, isFile } = sessions.place(uri);
    if (!isFile) return this.#refuse(clientRequest, { kind: "no-file", uri });
    const snoozed = this.#parts.snooze.reasonFor(trigger);
    if (snoozed !== undefined) return this.#refuse(clientRequest, snoozed);
    documents.focus(uri);
    const raw = positions.toOffset(lines, position);
    const offset = isInsideCharacter(document.text, raw) ? raw - 1 : raw;
    const request = { document, path, offset, trigger, ...(diagnostics && { diagnostics }) };
    const outcome = await session.nextEdit(request, { signal });
    const explain = (reason?: ServerNoNextEditReason) => {
      this.#last = { uri, position, path, outcome, ...(reason && { reason }) };
    };
    if (outcome.kind === "no-suggestion") {
      explain(outcome.reason);
      return outcome;
    }
    const { suggestion } = outcome;
    const { id } = suggestion;
    const linesOf = linesByPath(suggestion, (other) => session.nextEdits.textOf(other));
    const arbiterRequest = { uri: document.uri, text: document.text, cursor: offset };
    const reason =
      this.#staleness(suggestion, clientRequest, known) ??
      (await this.#changeOnDisk(session, suggestion)) ??
      (trigger === "automatic"
        ? await this.#refusalOfArbiter(arbiterRequest, { session, path, suggestion }, signal)
        : undefined) ??
      this.#staleness(suggestion, clientRequest, known);
    explain(reason);
    if (reason !== undefined) return { kind: "no-suggestion", reason };
    this.#parts.store.keep(id, { provider: "next-edit", session, uri: document.uri, suggestion });
    const isElsewhere = suggestion.path !== path;
    const documentOf = (other: string) => this.#documentAt(session, other);
    return {
      kind: "offered",
      offer: {
        ...{ id, suggestion, isElsewhere, documentOf },
        document: documentOf(suggestion.path),
        lines: isElsewhere ? Lines.of(suggestion.text) : lines,
        ghostText: ghostTextOf(suggestion, { path, offset }),
        linesOf: (other) => linesOf.get(other),
      },
    };
  }

  /**
   * Requests a next edit that only inserts behind the cursor in its line, from what is known or
   * found at once; `undefined` where there is none. `onAnswer` is not called: the request is one
   * for ghost text.
   */
  async asGhostText(
    { open, cursor: offset, trigger }: GhostTextPlace,
    signal: AbortSignal,
  ): Promise<GhostNextEdit | undefined> {
    const { document } = open;
    const { session, path, isFile } = this.#parts.sessions.place(document.uri);
    if (!isFile) return undefined;
    this.#parts.documents.focus(document.uri);
    const outcome = await session.nextEditAsGhostText({ document, path, offset, trigger }, { signal });
    if (outcome?.kind !== "offered") return undefined;
    const { suggestion } = outcome;
    const edit = ghostTextOf(suggestion, { path, offset });
    const isPresent = this.#isPresent(session, path, suggestion.text) && suggestion.text === document.text;
    return edit !== undefined && isPresent ? { id: suggestion.id, suggestion, session, edit } : undefined;
  }

  /**
   * The whole chain of a suggestion, or the paths of the files whose texts have changed since;
   * `undefined` where it would add an error, or the suggestion is not known.
   */
  async wholeChain(id: string, signal: AbortSignal): Promise<IdentifiedChain | ChangedSince | undefined> {
    const known = this.#parts.store.nextEdit(id);
    if (known === undefined) return undefined;
    const { session } = known;
    const wholeChain = await session.nextEdits.wholeChain(id, { signal });
    const changed = await (wholeChain === undefined
      ? this.changedSince(id)
      : this.#changedOf(session, wholeChain.files));
    if (changed.length > 0) return { kind: "changed", changed };
    return wholeChain && { kind: "chain", ...wholeChain, documentOf: (path) => this.#documentAt(session, path) };
  }

  /**
   * The path of the file of a suggestion if its text has changed since: in the editor, or on the
   * disk where it is not open; otherwise nothing, as for a suggestion that is not known.
   */
  async changedSince(id: string): Promise<readonly string[]> {
    const known = this.#parts.store.nextEdit(id);
    if (known === undefined) return [];
    const { path, text } = known.suggestion;
    return this.#changedOf(known.session, new Map([[path, { text }]]));
  }

  async #changedOf(
    session: WorkspaceSession,
    files: ReadonlyMap<string, { readonly text: string }>,
  ): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const [path, { text }] of files) {
      const isChanged =
        !this.#isPresent(session, path, text) || (await this.#changeOnDisk(session, { path, text })) !== undefined;
      if (isChanged) changed.push(path);
    }
    return changed;
  }

  /** The reason `changed-on-disk` for a file that is not open and has another text there. */
  async #changeOnDisk(
    session: WorkspaceSession,
    { path, text }: Pick<NextEditSuggestion, "path" | "text">,
  ): Promise<ServerNoNextEditReason | undefined> {
    if (this.#openAt(session, path) !== undefined) return undefined;
    return (await session.nextEdits.isChangedOnDisk(path, text)) ? { kind: "changed-on-disk", path } : undefined;
  }

  #refuse({ uri, position }: NextEditClientRequest, reason: ServerNoNextEditReason): NextEditAnswer {
    this.#last = { uri, position, reason };
    return { kind: "no-suggestion", reason };
  }

  async #refusalOfArbiter(
    place: ArbiterRequest,
    { session, path, suggestion }: Pick<GhostNextEdit, "session" | "suggestion"> & { readonly path: string },
    signal: AbortSignal,
  ): Promise<ServerNoNextEditReason | undefined> {
    const { id, edit } = suggestion;
    const cursor = { path, offset: place.cursor };
    const verdict = await this.#parts.arbiter.nextEdit(
      place,
      {
        ...{ id, eagerness: session.nextEdits.eagerness },
        ...(suggestion.path === path
          ? { edit: ghostTextOf(suggestion, cursor) ?? edit }
          : { edit: undefined, elsewhere: edit }),
      },
      signal,
    );
    if (verdict.kind === "held-back") return { kind: "ghost-text-shown" };
    return verdict.kind === "over" && signal.aborted ? { kind: "cancelled" } : undefined;
  }

  /**
   * The reason `stale-version` if the texts have changed since the suggestion was made; otherwise
   * `undefined`.
   */
  #staleness(
    suggestion: NextEditSuggestion,
    { uri }: NextEditClientRequest,
    requested: number,
  ): ServerNoNextEditReason | undefined {
    const { documents, sessions } = this.#parts;
    const known = documents.get(uri)?.document.version;
    if (known === undefined) return { kind: "unknown-document", uri };
    const { session } = sessions.place(uri);
    if (known === requested && this.#isPresent(session, suggestion.path, suggestion.text)) return undefined;
    return { kind: "stale-version", requested, known };
  }

  #isPresent(session: WorkspaceSession, path: string, text: string): boolean {
    const open = this.#openAt(session, path);
    return (open === undefined ? session.nextEdits.textOf(path) : open.document.text) === text;
  }

  #documentAt(session: WorkspaceSession, path: string): EditedDocument {
    const open = this.#openAt(session, path)?.document;
    if (open !== undefined) return { uri: open.uri, version: open.version };
    return { uri: toFileUri(joinPath(session.root ?? "", path)), version: null };
  }

  #openAt(session: WorkspaceSession, path: string) {
    const { documents, sessions } = this.#parts;
    return documents.all.find(({ document }) => {
      const place = sessions.place(document.uri);
      return place.session === session && place.isFile && place.path === path;
    });
  }
}

/** The texts of the files of a suggestion at its time; they may change before it is returned. */
function linesByPath(
  { path, text, others }: NextEditSuggestion,
  textOf: (path: string) => string | undefined,
): ReadonlyMap<string, Lines> {
  const texts = new Map(others.map((other) => [other.path, textOf(other.path)])).set(path, text);
  return new Map([...texts].flatMap(([one, known]) => (known === undefined ? [] : [[one, Lines.of(known)]])));
}

/**
 * A suggestion as insertions behind the cursor on its line; `undefined` where it does anything
 * else.
 */
function ghostTextOf(
  { path, text, edit }: NextEditSuggestion,
  cursor: { readonly path: string; readonly offset: number },
): Edit | undefined {
  return edit === undefined || path !== cursor.path ? undefined : tryBehindCursor(text, cursor.offset, edit);
}
