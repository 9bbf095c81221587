import type { Command, InlineCompletionItem, Position, Range } from "vscode-languageserver";
import { checkParams } from "../check-params.ts";
import { guardNotification, serveRequest } from "../guard.ts";
import type { Positions } from "../positions.ts";
import type { FeatureParts } from "../suggestions/inline-completion.ts";
import { acceptNextEditCommand, type NextEditParams, requestNextEdit } from "../suggestions/next-edit-methods.ts";
import type { IdentifiedSuggestion } from "../suggestions/server-ghost-text.ts";
import type { IdentifiedNextEdit } from "../suggestions/server-next-edits.ts";

/** What the dialect is served with. */
export interface CopilotDialectParts extends FeatureParts {
  /** The version of this package. */
  readonly version: string;
  /** Called when the editor shows another document, or none (`undefined`). */
  onFocus(uri: string | undefined): void;
  /** Called when the client sends `setEditorInfo`, so it uses this dialect. */
  onEditorInfo(): void;
}

interface ItemParams {
  readonly item?: Pick<InlineCompletionItem, "command">;
  /** UTF-16 code units from the start of the item's `insertText`. */
  readonly acceptedLength?: number;
}

/**
 * A next edit in this dialect: one replacement, for one version of a document. The version is
 * `null` for a file that is not open.
 */
interface CopilotInlineEdit {
  readonly text: string;
  readonly textDocument: { readonly uri: string; readonly version: number | null };
  readonly range: Range;
  /** The client runs it after the edit is accepted. */
  readonly command: Command;
}

interface FocusParams {
  readonly textDocument?: { readonly uri?: string };
}

/** The name of the signed-in user; no account is needed. */
const user = "no sign-in needed";

/**
 * Serves the methods of GitHub's Copilot language server beside `textDocument/inlineCompletion`, so
 * that its clients work with Emend unchanged: suggestion feedback, document focus, next edits, and
 * account requests, which are answered as if signed in.
 */
export function serveCopilotDialect({
  connection,
  service,
  store,
  positions,
  log,
  version,
  onFocus,
  onEditorInfo,
}: CopilotDialectParts): void {
  const serveNotification = <Params extends object>(what: string, handle: (params: Params) => void) =>
    connection.onNotification(
      what,
      guardNotification<Params | undefined>(what, log, (params) => handle(params ?? ({} as Params))),
    );
  for (const what of ["textDocument/didShowCompletion", "textDocument/didShowInlineEdit"])
    serveNotification<ItemParams>(what, ({ item }) => {
      const id = idOf(item);
      if (id !== undefined) store.notify(id, { kind: "shown" });
    });
  serveNotification<ItemParams>("textDocument/didPartiallyAcceptCompletion", ({ item, acceptedLength }) => {
    const id = idOf(item);
    if (id === undefined || typeof acceptedLength !== "number") return;
    store.notify(id, { kind: "partly-accepted", characters: acceptedLength, from: "insertion" });
  });
  serveNotification<FocusParams>("textDocument/didFocus", (params) => {
    checkParams("textDocument/didFocus", params, { "textDocument?.uri?": "text" });
    onFocus(params.textDocument?.uri ?? undefined);
  });

  const inlineEdit = "textDocument/copilotInlineEdit";
  serveRequest<NextEditParams, { readonly edits: readonly CopilotInlineEdit[] }>(
    connection,
    inlineEdit,
    log,
    async (params, signal) => {
      const answer = await requestNextEdit(inlineEdit, params, { service, signal, byDefault: "automatic" });
      return { edits: answer.kind === "no-suggestion" ? [] : toInlineEdits(answer.offer, positions) };
    },
  );

  serveRequest(connection, "checkStatus", log, () => ({ status: "OK", user }));
  for (const what of ["signIn", "signInInitiate"]) {
    serveRequest(connection, what, log, () => ({ status: "AlreadySignedIn", user }));
  }
  for (const what of ["signInConfirm", "signOut"]) serveRequest(connection, what, log, () => ({ status: "OK", user }));
  serveRequest(connection, "getVersion", log, () => ({ version }));
  serveRequest(connection, "setEditorInfo", log, () => {
    onEditorInfo();
    return "OK";
  });
}

/**
 * Converts to the dialect's edits. Empty for a suggestion without an edit: the dialect cannot
 * express a location alone.
 */
function toInlineEdits(
  { suggestion, document, lines }: IdentifiedNextEdit,
  positions: Positions,
): readonly CopilotInlineEdit[] {
  if (suggestion.edit === undefined) return [];
  const { text, ...range } = suggestion.edit.inOne(lines.source);
  const command = { title: "Next edit accepted", command: acceptNextEditCommand, arguments: [suggestion.id] };
  return [{ text, textDocument: document, range: positions.toRange(lines, range), command }];
}

/** The id of the suggestion that an item was made from; `undefined` where there is none. */
function idOf(item: ItemParams["item"]): string | undefined {
  const values: unknown = item?.command?.arguments;
  const id: unknown = Array.isArray(values) ? values[0] : undefined;
  return typeof id === "string" ? id : undefined;
}

interface GetCompletionsParams {
  readonly doc: { readonly uri: string; readonly position: Position; readonly version?: number };
}

interface OlderCompletion {
  readonly uuid: string;
  /** The text that replaces `range`. */
  readonly text: string;
  /** The text that is shown at the cursor. */
  readonly displayText: string;
  /** Starts at the start of the cursor's line. */
  readonly range: Range;
  /** The cursor. */
  readonly position: Position;
  readonly docVersion: number;
}

/** The number of alternatives for `getCompletionsCycling`. */
const cycledAlternatives = 3;

/**
 * Serves the methods of Copilot's clients from before `textDocument/inlineCompletion`:
 * `getCompletions`, `getCompletionsCycling`, `notifyShown`, `notifyAccepted` and `notifyRejected`.
 * Some clients still use them.
 */
export function serveOlderCopilotDialect({ connection, service, store, positions, log }: FeatureParts): void {
  const complete = (what: string, trigger: "automatic" | "invoked", limit: number) =>
    serveRequest<GetCompletionsParams, { readonly completions: readonly OlderCompletion[] }>(
      connection,
      what,
      log,
      async (params, signal) => {
        checkParams(what, params, { "doc?.uri": "text", "doc?.position": "position" });
        if (params.doc == null) return { completions: [] };
        const { uri, position, version } = params.doc;
        const answer = await service.ghostText({ uri, position, version, trigger, limit }, signal);
        if (answer.kind === "no-suggestion") return { completions: [] };
        return { completions: answer.suggestions.map((suggestion) => toCompletion(suggestion, positions)) };
      },
    );
  complete("getCompletions", "automatic", 1);
  complete("getCompletionsCycling", "invoked", cycledAlternatives);

  serveRequest<{ readonly uuid: string }, string>(connection, "notifyShown", log, ({ uuid }) => {
    if (uuid !== undefined) store.notify(uuid, { kind: "shown" });
    return "OK";
  });
  serveRequest<{ readonly uuid: string; readonly acceptedLength: number }, string>(
    connection,
    "notifyAccepted",
    log,
    ({ uuid, acceptedLength }) => {
      if (uuid === undefined) return "OK";
      if (acceptedLength === undefined) store.notify(uuid, { kind: "accepted" });
      else store.notify(uuid, { kind: "partly-accepted", characters: acceptedLength, from: "ghost" });
      return "OK";
    },
  );
  serveRequest<{ readonly uuids: readonly string[] }, string>(connection, "notifyRejected", log, ({ uuids }) => {
    for (const uuid of Array.isArray(uuids) ? uuids : []) store.notify(uuid, { kind: "dismissed" });
    return "OK";
  });
}

function toCompletion({ id, edit, ghost, open, offset }: IdentifiedSuggestion, positions: Positions): OlderCompletion {
  const { lines, document } = open;
  const lineStart = lines.start(lines.lineAt(edit.start));
  return {
    uuid: id,
    text: document.text.slice(lineStart, edit.start) + edit.text,
    displayText: ghost,
    range: positions.toRange(lines, { start: lineStart, end: edit.end }),
    position: positions.toPosition(lines, offset),
    docVersion: document.version,
  };
}
