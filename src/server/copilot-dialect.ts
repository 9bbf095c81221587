import type { InlineCompletionItem } from "vscode-languageserver";
import { checkParams } from "./check-params.ts";
import { fenceNotification, serveRequest } from "./fence.ts";
import type { FeatureParts } from "./inline-completion.ts";

/** What the dialect is served with. */
export interface CopilotDialectParts extends FeatureParts {
  /** The version of this package. */
  readonly version: string;
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

  // Edits elsewhere than at the cursor are not offered.
  serveRequest(connection, "textDocument/copilotInlineEdit", log, () => ({ edits: [] }));

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

/** The name of the suggestion that an item was made from. */
function idOf(item: ItemParams["item"]): string | undefined {
  const values: unknown = item?.command?.arguments;
  const id: unknown = Array.isArray(values) ? values[0] : undefined;
  return typeof id === "string" ? id : undefined;
}
