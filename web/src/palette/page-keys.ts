/**
 * Whether a key event is a chord, such as `Ctrl+Shift+P`. On a Mac, the command key is `Ctrl`, too.
 */
export function isChord(event: KeyboardEvent, chord: string): boolean {
  const parts = chord.split("+");
  const key = parts.pop()!;
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    (event.ctrlKey || event.metaKey) === parts.includes("Ctrl") &&
    event.altKey === parts.includes("Alt") &&
    event.shiftKey === parts.includes("Shift")
  );
}
