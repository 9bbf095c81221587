import { useEffect } from "preact/hooks";

/** What Escape closes, the most recently opened last. */
const open: (() => void)[] = [];

addEventListener("keydown", (event) => {
  const close = open.at(-1);
  // Handlers of the editor, a field or a list have prevented the default of the key.
  if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || close === undefined) return;
  event.preventDefault();
  close();
});

/**
 * Calls `close` for the Escape key, where the key has no other meaning and nothing was opened
 * since. Without `close` the key is left alone.
 */
export function useEscape(close: (() => void) | undefined): void {
  useEffect(() => {
    if (close === undefined) return;
    open.push(close);
    return () => void open.splice(open.lastIndexOf(close), 1);
  }, [close]);
}
