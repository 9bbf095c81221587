import {
  type ClientCapabilities,
  type Connection,
  LSPErrorCodes,
  ResponseError,
  type WorkDoneProgressReporter,
} from "vscode-languageserver";
import type { EditEvent } from "../../edit/index.ts";
import type { CommandCall } from "../commands.ts";

/** The progress of an edit in the editor's own progress view. */
export interface EditProgress {
  /** Aborted when the client cancels the request, or the person cancels the progress. */
  readonly signal: AbortSignal;
  /** Shows what is being done, in a few words. */
  report(message: string): void;
  close(): void;
}

/**
 * Opens progress with the client's token, or else in a new progress view where the client supports
 * that; otherwise nothing is shown.
 */
export async function openEditProgress(
  { connection, capabilities }: { readonly connection: Connection; readonly capabilities: ClientCapabilities },
  { progress: token, signal }: CommandCall,
): Promise<EditProgress> {
  const stopping = new AbortController();
  signal.addEventListener("abort", () => stopping.abort(signal.reason), { once: true });
  let reporter: WorkDoneProgressReporter | undefined;
  if (token !== undefined) reporter = connection.window.attachWorkDoneProgress(token);
  else if (capabilities.window?.workDoneProgress === true) {
    const created = await connection.window.createWorkDoneProgress();
    created.token.onCancellationRequested(() =>
      stopping.abort(new ResponseError(LSPErrorCodes.RequestCancelled, "The edit was cancelled")),
    );
    reporter = created;
  }
  reporter?.begin("Emend: edit", undefined, undefined, true);
  return {
    signal: stopping.signal,
    report: (message) => reporter?.report(message),
    close: () => reporter?.done(),
  };
}

/** What a model is requested for, as the rest of a sentence that begins with the model's name. */
export function printActivity(why: Extract<EditEvent, { kind: "asking" }>["why"]): string {
  return reasons[why];
}

const reasons: Readonly<Record<Extract<EditEvent, { kind: "asking" }>["why"], string>> = {
  first: "is answering",
  refused: "is repairing its answer",
  broken: "is repairing the syntax",
  "failed-verification": "is repairing the change",
  continued: "is continuing",
};
