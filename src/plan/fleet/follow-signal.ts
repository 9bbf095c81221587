/**
 * Aborts `controller` when `signal` is aborted, with its reason. Returns a function that ends this.
 */
export function followSignal(signal: AbortSignal, controller: AbortController): () => void {
  const follow = () => controller.abort(signal.reason);
  if (signal.aborted) follow();
  signal.addEventListener("abort", follow, { once: true });
  return () => signal.removeEventListener("abort", follow);
}

/**
 * A promise that rejects with the signal's reason when the signal is aborted, and never resolves.
 */
export function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
