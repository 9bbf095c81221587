import type { monaco } from "./monaco.ts";

/** The editor's way to say that nobody waits any more, as a signal. */
export function signalOf(token: monaco.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
