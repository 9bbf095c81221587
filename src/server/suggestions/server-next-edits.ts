import { DiagnosticSeverity, type Diagnostic as ProtocolDiagnostic } from "vscode-languageserver";
import { type NextEditOutcome, type NextEditSuggestion, tryBehindCursor, type WholeChain } from "../../next/index.ts";
import { type Diagnostic, type Edit, Lines } from "../../text/index.ts";
import { joinPath } from "../../workspace/index.ts";
import { isPosition } from "../check-params.ts";
import type { EditedDocument } from "../edit/to-protocol-edit.ts";
import { toFileUri } from "../file-uri.ts";
import type { Positions } from "../positions.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { ServerNoNextEditReason } from "./server-no-suggestion.ts";
import type { ClientRequest, PlacedRequest, ProviderParts } from "./suggestion-request.ts";

/** A request for a next edit at a cursor, in the client's terms. */
export interface NextEditClientRequest extends ClientRequest {
  readonly diagnostics?: readonly ProtocolDiagnostic[] | undefined;
}

/** A next edit, and the document that it is in. */
export interface IdentifiedNextEdit {
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

/** The answer to a request for a next edit; without an outcome where no engine was called. */
export type NextEditAnswer =
  | { readonly kind: "offered"; readonly offer: IdentifiedNextEdit; readonly outcome: NextEditOutcome }
  | { readonly kind: "no-suggestion"; readonly reason: ServerNoNextEditReason; readonly outcome?: NextEditOutcome };

/** A next edit that can be shown as ghost text. */
export interface GhostNextEdit {
  readonly suggestion: NextEditSuggestion;
  /** The edit as insertions behind the cursor on its line. */
  readonly edit: Edit;
}

/** A whole chain of a suggestion, as edits of files. */
export interface IdentifiedChain extends WholeChain {
  readonly kind: "chain";
  documentOf(path: string): EditedDocument;
}

/** The files of a suggestion whose texts are other ones now. */
export interface ChangedSince {
  readonly kind: "changed";
  /** Their paths, relative to the folder of the workspace. */
  readonly changed: readonly string[];
}

type NextEditParts = Pick<ProviderParts, "documents" | "sessions" | "positions" | "arbiter" | "feedback">;

/** The provider of next edits. */
export class ServerNextEdits {
  readonly #parts: NextEditParts;

  constructor(parts: NextEditParts) {
    this.#parts = parts;
  }

  /** Requests a next edit. Rejects as `WorkspaceSession.nextEdit` does. */
  async answer(
    request: PlacedRequest,
    { diagnostics = [] }: Pick<NextEditClientRequest, "diagnostics">,
    signal: AbortSignal,
  ): Promise<NextEditAnswer> {
    const { open, session, uri, path, cursor: offset, trigger } = request;
    const { document, lines } = open;
    this.#parts.documents.focus(uri);
    const reported = toDiagnostics(diagnostics, lines, this.#parts.positions);
    const engineRequest = { document, path, offset, trigger, diagnostics: reported };
    const outcome = await session.nextEdit(engineRequest, { signal });
    if (outcome.kind === "no-suggestion") return { kind: "no-suggestion", reason: outcome.reason, outcome };
    const { suggestion } = outcome;
    const linesOf = linesByPath(suggestion, (other) => session.nextEdits.textOf(other));
    const reason =
      this.#staleness(request, suggestion) ??
      (await this.#changeOnDisk(session, suggestion)) ??
      (trigger === "automatic" ? await this.#refusalOfArbiter(request, suggestion, signal) : undefined) ??
      this.#staleness(request, suggestion);
    if (reason !== undefined) return { kind: "no-suggestion", reason, outcome };
    this.#parts.feedback.keep(suggestion.id, { provider: "next-edit", session, uri, suggestion });
    const isElsewhere = suggestion.path !== path;
    const documentOf = (other: string) => this.#documentAt(session, other);
    const offer = {
      ...{ suggestion, isElsewhere, documentOf },
      document: documentOf(suggestion.path),
      lines: isElsewhere ? Lines.of(suggestion.text) : lines,
      ghostText: ghostTextOf(suggestion, request),
      linesOf: (other: string) => linesOf.get(other),
    };
    return { kind: "offered", offer, outcome };
  }

  /**
   * Requests a next edit that only inserts behind the cursor in its line, from what is known or
   * found at once; `undefined` where there is none.
   */
  async asGhostText(request: PlacedRequest, signal: AbortSignal): Promise<GhostNextEdit | undefined> {
    const { open, session, uri, path, isFile, cursor: offset, trigger } = request;
    const { document } = open;
    if (!isFile) return undefined;
    this.#parts.documents.focus(uri);
    const outcome = await session.nextEditAsGhostText({ document, path, offset, trigger }, { signal });
    if (outcome?.kind !== "offered") return undefined;
    const { suggestion } = outcome;
    const edit = ghostTextOf(suggestion, request);
    const isPresent = this.#isPresent(session, path, suggestion.text) && suggestion.text === document.text;
    return edit !== undefined && isPresent ? { suggestion, edit } : undefined;
  }

  /**
   * The whole chain of a suggestion, or the paths of the files whose texts have changed since;
   * `undefined` where it would add an error, or the suggestion is not known.
   */
  async wholeChain(id: string, signal: AbortSignal): Promise<IdentifiedChain | ChangedSince | undefined> {
    const known = this.#parts.feedback.nextEdit(id);
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
    const known = this.#parts.feedback.nextEdit(id);
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

  async #refusalOfArbiter(
    request: PlacedRequest,
    suggestion: NextEditSuggestion,
    signal: AbortSignal,
  ): Promise<ServerNoNextEditReason | undefined> {
    const { id, edit } = suggestion;
    const candidate = {
      ...{ id, rules: request.session.nextEdits.arbitration },
      ...(suggestion.path === request.path
        ? { edit: ghostTextOf(suggestion, request) ?? edit }
        : { edit: undefined, elsewhere: edit }),
    };
    const verdict = await this.#parts.arbiter.nextEdit(request, candidate, signal);
    if (verdict.kind === "held-back") return { kind: "ghost-text-shown" };
    return verdict.kind === "over" && signal.aborted ? { kind: "cancelled" } : undefined;
  }

  /**
   * The reason `stale-version` if the texts have changed since the suggestion was made; otherwise
   * `undefined`.
   */
  #staleness(
    { uri, session, open }: PlacedRequest,
    suggestion: NextEditSuggestion,
  ): ServerNoNextEditReason | undefined {
    const known = this.#parts.documents.get(uri)?.document.version;
    if (known === undefined) return { kind: "unknown-document", uri };
    const requested = open.document.version;
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
  request: Pick<PlacedRequest, "path" | "cursor">,
): Edit | undefined {
  return edit === undefined || path !== request.path ? undefined : tryBehindCursor(text, request.cursor, edit);
}

/**
 * Converts diagnostics of the protocol. Only errors and warnings are kept; those that are malformed
 * or behind the text, such as those of a longer one, are left out.
 */
function toDiagnostics(
  diagnostics: readonly ProtocolDiagnostic[],
  lines: Lines,
  positions: Positions,
): readonly Diagnostic[] {
  return diagnostics.flatMap(({ severity = DiagnosticSeverity.Error, code = "", message, range }) => {
    if (severity > DiagnosticSeverity.Warning || typeof message !== "string") return [];
    if (!isPosition(range?.start) || !isPosition(range.end) || range.start.line >= lines.count) return [];
    const word = severity === DiagnosticSeverity.Error ? "error" : "warning";
    return [{ ...positions.toTextRange(lines, range), code: String(code), severity: word, message }];
  });
}
