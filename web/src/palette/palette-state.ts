import { type Signal, signal } from "@preact/signals";

/** The text of the palette: a path, or after `>` a command. `undefined` while it is closed. */
export const paletteText: Signal<string | undefined> = signal(undefined);

/** Opens the palette. */
export function openPalette(text: "" | ">"): void {
  paletteText.value = text;
}
