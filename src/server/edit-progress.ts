import {
  type ClientCapabilities,
  type Connection,
  LSPErrorCodes,
  ResponseError,
  type WorkDoneProgressReporter,
} from "vscode-languageserver";
import type { EditEvent } from "../edit/index.ts";
import type { CommandCall } from "./commands.ts";

/** What a person sees of the work in the editor's own way. */
export interface EditProgress {
  /** Aborted when the client takes its request back, and when the person stops the work where it is shown. */
  readonly signal: AbortSignal;
  /** In a few words, what happens now. */
  tell(message: string): void;
  close(): void;
}

/** Progress where the client wants it, or else where it shows any. */
export async function openEditProgress(
  { connection, capabilities }: { readonly connection: Connection; readonly capabilities: ClientCapabilities },
  { progress: token, signal }: CommandCall,
): Promise<EditProgress> {
  const stopping = new AbortController();
  signal.addEventListener("abort", () => stopping.abort(signal.reason), { once: true });
  let reporter: WorkDoneProgressReporter | undefined;
  if (token !== undefined) reporter = connection.window.attachWorkDoneProgress(token);
  else if (capabilities.window?.workDoneProgress === true) {
    const own = await connection.window.createWorkDoneProgress();
    own.token.onCancellationRequested(() =>
      stopping.abort(new ResponseError(LSPErrorCodes.RequestCancelled, "The edit was cancelled")),
    );
    reporter = own;
  }
  reporter?.begin("Emend: edit", undefined, undefined, true);
  return {
    signal: stopping.signal,
    tell: (message) => reporter?.report(message),
    close: () => reporter?.done(),
  };
}

/** Why a model is asked, as the end of a sentence that begins with its name. */
export function printActivity(why: Extract<EditEvent, { kind: "asking" }>["why"]): string {
  return reasons[why];
}

const reasons: Readonly<Record<Extract<EditEvent, { kind: "asking" }>["why"], string>> = {
  first: "is asked",
  refused: "mends its answer",
  broken: "mends the syntax",
  "failed-check": "mends the change",
  continued: "goes on",
};
