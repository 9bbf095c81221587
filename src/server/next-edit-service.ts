import type { Position } from "vscode-languageserver";
import { joinPath } from "../codebase/index.ts";
import {
  type NextEditOutcome,
  type NextEditRequest,
  type NextEditSuggestion,
  type NextSilence,
  type SceneDiagnostic,
  tryBehindCursor,
  type WholeChain,
} from "../next/index.ts";
import { type Edit, isInsideCharacter, Lines, type TextEdit } from "../text/index.ts";
import { toFileUri } from "./file-uri.ts";
import type { OfferStages, StagePlace } from "./offer-stages.ts";
import type { OpenDocument, OpenDocuments } from "./open-documents.ts";
import type { Positions } from "./positions.ts";
import type { SuggestionFates, WorkspaceSession } from "./session/index.ts";
import type { SessionSet } from "./session-set.ts";
import type { EditedDocument } from "./to-protocol-edit.ts";

/** A cursor that wants to know what is edited next, as a client says it. */
export interface NextEditQuestion {
  readonly uri: string;
  readonly position: Position;
  readonly trigger: NextEditRequest["trigger"];
  /** The version of the text that the position speaks of, where the client tells. */
  readonly version?: number | undefined;
  readonly diagnostics?: readonly SceneDiagnostic[] | undefined;
}

/** Why a server has no next edit to offer: what an engine says, and what comes before and behind any engine. */
export type NextServerSilence =
  | NextSilence
  /** The client has never opened it. */
  | { readonly kind: "unknown-document"; readonly uri: string }
  /** It is another state of a file, or a part of one. */
  | { readonly kind: "no-file"; readonly uri: string }
  /** The client asks about another state of the text than the one it has sent, or has sent another meanwhile. */
  | { readonly kind: "stale-version"; readonly asked: number; readonly known: number }
  /** The person sees ghost text, which stays while what is typed agrees with it. */
  | { readonly kind: "ghost-text-shown" };

/** A next edit with the name by which clients speak of it, and the document that it is in. */
export interface OfferedNextEdit {
  readonly id: string;
  readonly suggestion: NextEditSuggestion;
  /** Where {@link suggestion} is. */
  readonly document: EditedDocument;
  readonly lines: Lines;
  /** Whether it is in another document than the one that was asked about. */
  readonly isElsewhere: boolean;
  /** The same where it only adds behind the cursor on its line, so that it can be shown as ghost text. */
  readonly ghostText?: Edit | undefined;
  /** Other files that the suggestion speaks of. */
  documentOf(path: string): EditedDocument;
  /** The text of one of them; `undefined` when it is no more. */
  linesOf(path: string): Lines | undefined;
}

/** What a client is told. */
export type NextEditAnswer =
  | { readonly kind: "offered"; readonly offer: OfferedNextEdit }
  | { readonly kind: "silent"; readonly reason: NextServerSilence };

/** A cursor at which ghost text is wanted. */
export interface GhostTextPlace extends StagePlace {
  readonly open: OpenDocument;
  readonly trigger: NextEditRequest["trigger"];
}

/** A next edit that can be given as ghost text. */
export interface GhostNextEdit {
  readonly id: string;
  readonly suggestion: NextEditSuggestion;
  /** It, as what it adds behind the cursor on its line. */
  readonly edit: Edit;
}

/** What became of the last request, for whoever asks why. */
export interface ExplainedNextEdit {
  readonly uri: string;
  readonly position: Position;
  readonly path?: string;
  /** Absent for a request that no engine was asked about. */
  readonly outcome?: NextEditOutcome;
  /** Absent when something was offered. */
  readonly reason?: NextServerSilence;
}

/** All that is one thing with a suggestion, as edits of files. */
export interface OfferedChain extends WholeChain {
  documentOf(path: string): EditedDocument;
}

/** What the service needs. */
export interface NextEditServiceParts {
  readonly documents: OpenDocuments;
  readonly sessions: Pick<SessionSet, "place">;
  readonly positions: Positions;
  readonly stages: OfferStages;
  /** Is told of every answer. */
  onAnswer?(explained: ExplainedNextEdit): void;
}

/** How many suggestions are remembered for what a client may still say about them. */
const maxRemembered = 200;

/** Answers requests for next edits, whatever dialect they came in. */
export class NextEditService {
  readonly #parts: NextEditServiceParts;
  readonly #remembered = new Map<string, Remembered>();
  #last: ExplainedNextEdit | undefined;
  #count = 0;

  constructor(parts: NextEditServiceParts) {
    this.#parts = parts;
  }

  /** What became of the last request. */
  get last(): ExplainedNextEdit | undefined {
    return this.#last;
  }

  /** Never rejects for what a client says, only when something is broken. */
  async ask(question: NextEditQuestion, signal: AbortSignal): Promise<NextEditAnswer> {
    const answer = await this.#answer(question, signal);
    this.#parts.onAnswer?.(this.#last!);
    return answer;
  }

  async #answer(question: NextEditQuestion, signal: AbortSignal): Promise<NextEditAnswer> {
    const { documents, sessions, positions } = this.#parts;
    const { uri, position, version, trigger, diagnostics } = question;
    const open = documents.get(uri);
    if (open === undefined) return this.#refuse(question, { kind: "unknown-document", uri });
    const { document, lines } = open;
    const known = document.version;
    if (typeof version === "number" && version !== known) {
      return this.#refuse(question, { kind: "stale-version", asked: version, known });
    }
    const { session, path, isFile } = sessions.place(uri);
    if (!isFile) return this.#refuse(question, { kind: "no-file", uri });
    documents.focus(uri);
    const raw = positions.toOffset(lines, position);
    const offset = isInsideCharacter(document.text, raw) ? raw - 1 : raw;
    const request = { document, path, offset, trigger, ...(diagnostics && { diagnostics }) };
    const { outcome, fates } = await session.nextEdit(request, { signal });
    const explain = (reason?: NextServerSilence) => {
      this.#last = { uri, position, path, outcome, ...(reason && { reason }) };
    };
    if (outcome.kind === "silent") {
      explain(outcome.reason);
      return outcome;
    }
    const { suggestion } = outcome;
    const id = this.#nameOf(suggestion, { uri: document.uri, session, fates });
    const reason =
      this.#staleness(suggestion, question, known) ??
      (trigger === "automatic"
        ? await this.#refusalOfStage({ uri: document.uri, path, offset, id }, suggestion, document.text, signal)
        : undefined) ??
      this.#staleness(suggestion, question, known);
    explain(reason);
    if (reason !== undefined) return { kind: "silent", reason };
    const isElsewhere = suggestion.path !== path;
    const documentOf = (other: string) => this.#documentAt(session, other);
    return {
      kind: "offered",
      offer: {
        ...{ id, suggestion, isElsewhere, documentOf },
        document: documentOf(suggestion.path),
        lines: isElsewhere ? Lines.of(suggestion.text) : lines,
        ghostText: ghostTextOf(suggestion, { path, offset }),
        linesOf: (other) => {
          if (other === suggestion.path) return Lines.of(suggestion.text);
          const text = session.textForNextEdit(other);
          return text === undefined ? undefined : Lines.of(text);
        },
      },
    };
  }

  /** What is edited next behind the cursor on its line, of what is known or found at once. Nobody is told of a silence: who asks wants ghost text, whoever it is by. */
  async asGhostText(
    { open, cursor: offset, trigger }: GhostTextPlace,
    signal: AbortSignal,
  ): Promise<GhostNextEdit | undefined> {
    const { document } = open;
    const { session, path, isFile } = this.#parts.sessions.place(document.uri);
    if (!isFile) return undefined;
    this.#parts.documents.focus(document.uri);
    const answer = await session.nextEditAsGhostText({ document, path, offset, trigger }, { signal });
    if (answer?.outcome.kind !== "offered") return undefined;
    const { suggestion } = answer.outcome;
    const edit = ghostTextOf(suggestion, { path, offset });
    const isPresent = this.#isPresent(session, path, suggestion.text) && suggestion.text === document.text;
    if (edit === undefined || !isPresent) return undefined;
    return { id: this.#nameOf(suggestion, { uri: document.uri, session, fates: answer.fates }), suggestion, edit };
  }

  /** The person sees a suggestion. One that is no longer remembered is left alone, here and below. */
  shown(id: string): void {
    const known = this.#remembered.get(id);
    if (known === undefined) return;
    known.fates.shown(known.engineId);
    this.#parts.stages.seen(known.uri, id);
  }

  /** The person took a suggestion, or a part of it: edits of the text that it was offered for. */
  accepted(id: string, part?: readonly TextEdit[]): void {
    const known = this.#remembered.get(id);
    if (known === undefined) return;
    known.fates.accepted(known.engineId, part);
    this.#parts.stages.ended(known.uri, "accepted");
  }

  /** The person does not want a suggestion. */
  rejected(id: string): void {
    const known = this.#remembered.get(id);
    if (known === undefined) return;
    known.fates.rejected(known.engineId);
    this.#parts.stages.ended(known.uri, "rejected");
  }

  /** The text that a suggestion was offered for, as lines; `undefined` when it is no longer remembered. */
  linesFor(id: string): Lines | undefined {
    const text = this.#remembered.get(id)?.text;
    return text === undefined ? undefined : Lines.of(text);
  }

  /** A suggestion and all that is one thing with it; `undefined` where that would break something, or the texts are others by now. */
  async whole(id: string, signal: AbortSignal): Promise<OfferedChain | undefined> {
    const known = this.#remembered.get(id);
    const whole = await known?.fates.whole(known.engineId, { signal });
    if (known === undefined || whole === undefined) return undefined;
    const isPresent = [...whole.files].every(([path, { text }]) => this.#isPresent(known.session, path, text));
    return isPresent ? { ...whole, documentOf: (path) => this.#documentAt(known.session, path) } : undefined;
  }

  #refuse({ uri, position }: NextEditQuestion, reason: NextServerSilence): NextEditAnswer {
    this.#last = { uri, position, reason };
    return { kind: "silent", reason };
  }

  async #refusalOfStage(
    {
      uri,
      path,
      offset,
      id,
    }: { readonly uri: string; readonly path: string; readonly offset: number; readonly id: string },
    suggestion: NextEditSuggestion,
    text: string,
    signal: AbortSignal,
  ): Promise<NextServerSilence | undefined> {
    const { session } = this.#remembered.get(id)!;
    const verdict = await this.#parts.stages.nextEdit(
      { uri, text, cursor: offset },
      {
        ...{ id, eagerness: session.nextEditEagerness },
        ...(suggestion.path === path
          ? { edit: ghostTextOf(suggestion, { path, offset }) ?? suggestion.edit }
          : { edit: undefined, elsewhere: suggestion.edit }),
      },
      signal,
    );
    if (verdict.kind === "held-back") return { kind: "ghost-text-shown" };
    return verdict.kind === "over" && signal.aborted ? { kind: "cancelled" } : undefined;
  }

  /** Whether the texts are others by now than those that the suggestion is for. */
  #staleness(suggestion: NextEditSuggestion, { uri }: NextEditQuestion, asked: number): NextServerSilence | undefined {
    const { documents, sessions } = this.#parts;
    const known = documents.get(uri)?.document.version;
    if (known === undefined) return { kind: "unknown-document", uri };
    const { session } = sessions.place(uri);
    if (known === asked && this.#isPresent(session, suggestion.path, suggestion.text)) return undefined;
    return { kind: "stale-version", asked, known };
  }

  #isPresent(session: WorkspaceSession, path: string, text: string): boolean {
    const open = this.#openAt(session, path);
    return (open === undefined ? session.textForNextEdit(path) : open.document.text) === text;
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

  /** The name that clients know a suggestion by: the same for the same one, which may be answered again while it is typed. */
  #nameOf(
    { id: engineId, text }: NextEditSuggestion,
    { uri, session, fates }: Pick<Remembered, "uri" | "session" | "fates">,
  ): string {
    const known = [...this.#remembered].find(([, one]) => one.fates === fates && one.engineId === engineId)?.[0];
    if (known === undefined) this.#count += 1;
    const id = known ?? `edit-${this.#count}`;
    this.#remembered.delete(id);
    this.#remembered.set(id, { uri, session, fates, engineId, text });
    if (this.#remembered.size > maxRemembered) this.#remembered.delete(this.#remembered.keys().next().value!);
    return id;
  }
}

/** A suggestion as what it adds behind a cursor on its line, where it does nothing else. */
function ghostTextOf(
  { path, text, edit }: NextEditSuggestion,
  cursor: { readonly path: string; readonly offset: number },
): Edit | undefined {
  return edit === undefined || path !== cursor.path ? undefined : tryBehindCursor(text, cursor.offset, edit);
}

/** What is remembered of a suggestion. */
interface Remembered {
  /** The document that was asked about. */
  readonly uri: string;
  readonly session: WorkspaceSession;
  /** They know the suggestion as {@link engineId}, and none of another engine do. */
  readonly fates: SuggestionFates;
  readonly engineId: string;
  readonly text: string;
}
