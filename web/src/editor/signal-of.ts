import type { monaco } from "./monaco.ts";

/** Converts a cancellation token of the editor to an `AbortSignal`. */
export function signalOf(token: monaco.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
