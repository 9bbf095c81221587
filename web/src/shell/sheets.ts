import { effect, type Signal, signal } from "@preact/signals";

/** A part of the page that a narrow window shows on request, below the editor. */
export type Sheet = "files" | "panels";

/** Below this width the files, the editor and the panels do not fit beside each other. */
const narrowWindow = matchMedia("(max-width: 760px)");

/** Whether the files and the panels are sheets. */
export const isNarrow: Signal<boolean> = signal(narrowWindow.matches);
narrowWindow.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});
effect(() => {
  document.documentElement.classList.toggle("narrow", isNarrow.value);
});

/** The open sheet of a narrow window. Wide windows show all parts. */
export const shownSheet: Signal<Sheet | undefined> = signal(undefined);

/** Closes the open sheet. The focus of the sheet goes to the button that opens it. */
export function closeSheet(): void {
  const sheet = shownSheet.value;
  if (sheet === undefined) return;
  if (document.getElementById(sheet)?.contains(document.activeElement)) {
    document.querySelector<HTMLElement>(`[aria-controls="${sheet}"]`)?.focus();
  }
  shownSheet.value = undefined;
}

/** Whether a part is hidden, as a sheet that is not open. */
export function isHiddenSheet(sheet: Sheet): boolean {
  return isNarrow.value && shownSheet.value !== sheet;
}
