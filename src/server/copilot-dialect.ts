import {
  type Command,
  type Diagnostic,
  type InlineCompletionItem,
  InlineCompletionTriggerKind,
  type Position,
  type Range,
} from "vscode-languageserver";
import { checkParams } from "./check-params.ts";
import { fenceNotification, serveRequest } from "./fence.ts";
import type { FeatureParts } from "./inline-completion.ts";
import { acceptNextEditCommand, asOneReplacement, toSceneDiagnostics } from "./next-edit-methods.ts";
import type { NextEditService, OfferedNextEdit } from "./next-edit-service.ts";
import type { Positions } from "./positions.ts";

/** What the dialect is served with. */
export interface CopilotDialectParts extends FeatureParts {
  /** The version of this package. */
  readonly version: string;
  readonly nextEdits: NextEditService;
  /** The editor shows another document, or none. */
  onFocus(uri: string | undefined): void;
  /** The client has told what it is, and so speaks this dialect. */
  onEditorInfo(): void;
}

interface ItemParams {
  readonly item?: Pick<InlineCompletionItem, "command">;
  /** UTF-16 units from the start of what the item inserts. */
  readonly acceptedLength?: number;
}

interface InlineEditParams {
  readonly textDocument: { readonly uri: string; readonly version?: number };
  readonly position: Position;
  readonly context?: { readonly triggerKind?: number; readonly diagnostics?: readonly Diagnostic[] };
}

/** A next edit as this dialect has it: one replacement, for one version of a document; `null` for a file that is not open. */
interface CopilotInlineEdit {
  readonly text: string;
  readonly textDocument: { readonly uri: string; readonly version: number | null };
  readonly range: Range;
  /** To be run once the person has taken it. */
  readonly command: Command;
}

interface FocusParams {
  readonly textDocument?: { readonly uri?: string };
}

/** Who is signed in, where nobody has to be. */
const user = "no sign-in needed";

/**
 * What the clients of GitHub's Copilot language server say beside `textDocument/inlineCompletion`, so that they work
 * with this one as they are: what became of a suggestion, which document is looked at, and questions about an account,
 * which nobody needs here.
 */
export function serveCopilotDialect({
  connection,
  service,
  nextEdits,
  positions,
  log,
  version,
  onFocus,
  onEditorInfo,
}: CopilotDialectParts): void {
  const take = <Params extends object>(what: string, handle: (params: Params) => void) =>
    connection.onNotification(
      what,
      fenceNotification<Params | undefined>(what, log, (params) => handle(params ?? ({} as Params))),
    );
  take<ItemParams>("textDocument/didShowCompletion", ({ item }) => {
    const id = idOf(item);
    if (id !== undefined) service.tell(id, { kind: "shown" });
  });
  take<ItemParams>("textDocument/didPartiallyAcceptCompletion", ({ item, acceptedLength }) => {
    const id = idOf(item);
    if (id === undefined || typeof acceptedLength !== "number") return;
    service.tell(id, { kind: "partly-accepted", characters: acceptedLength, from: "insertion" });
  });
  take<FocusParams>("textDocument/didFocus", (params) => {
    checkParams("textDocument/didFocus", params, { "textDocument?.uri?": "text" });
    onFocus(params.textDocument?.uri ?? undefined);
  });

  const inlineEdit = "textDocument/copilotInlineEdit";
  serveRequest<InlineEditParams, { readonly edits: readonly CopilotInlineEdit[] }>(
    connection,
    inlineEdit,
    log,
    async (params, signal) => {
      checkParams(inlineEdit, params, {
        ...{ "textDocument.uri": "text", position: "position" },
        "context?.diagnostics?": "list",
      });
      const { textDocument, position, context } = params as InlineEditParams;
      const isInvoked = context?.triggerKind === InlineCompletionTriggerKind.Invoked;
      const answer = await nextEdits.ask(
        {
          ...{ uri: textDocument.uri, version: textDocument.version, position },
          trigger: isInvoked ? "invoked" : "automatic",
          ...(context?.diagnostics && { diagnostics: toSceneDiagnostics(context.diagnostics) }),
        },
        signal,
      );
      return { edits: answer.kind === "silent" ? [] : toInlineEdits(answer.offer, positions) };
    },
  );
  take<ItemParams>("textDocument/didShowInlineEdit", ({ item }) => {
    const id = idOf(item);
    if (id !== undefined) nextEdits.shown(id);
  });

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

/** A place that is only to be looked at cannot be said in this dialect. */
function toInlineEdits(
  { id, suggestion, document, lines }: OfferedNextEdit,
  positions: Positions,
): readonly CopilotInlineEdit[] {
  if (suggestion.edit === undefined) return [];
  const { text, ...range } = asOneReplacement(lines, suggestion.edit);
  const command = { title: "Next edit accepted", command: acceptNextEditCommand, arguments: [id] };
  return [{ text, textDocument: document, range: positions.toRange(lines, range), command }];
}

/** The name of the suggestion that an item was made from. */
function idOf(item: ItemParams["item"]): string | undefined {
  const values: unknown = item?.command?.arguments;
  const id: unknown = Array.isArray(values) ? values[0] : undefined;
  return typeof id === "string" ? id : undefined;
}
