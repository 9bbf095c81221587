import type { Snippet } from "../../../context/index.ts";
import type { TokenCounter } from "../../../model/index.ts";
import { Lines } from "../../../text/index.ts";
import type { PromptInputSettings } from "./build-prompt-input.ts";
import { tryEditWindow } from "./editable-region.ts";

/** A recently viewed file, and the last position in it. */
export interface ViewedLocation {
  /** The path relative to the workspace root. */
  readonly path: string;
  /** The language id. */
  readonly language: string;
  readonly text: string;
  /** An offset. One past the end counts as the end, since the text may have changed. */
  readonly offset: number;
}

/**
 * Returns a snippet of each recently viewed file: as many whole lines around the position as fit.
 *
 * `places` has the last viewed first and is read only as far as needed; the result has the oldest
 * first, as `NextEditRequest.viewed` expects. The tokens are shared evenly, so that no file uses up
 * the others' share. A file whose line at the position alone has too many tokens is left out.
 */
export function recentlyViewedSnippets(
  places: Iterable<ViewedLocation>,
  settings: PromptInputSettings,
  counter?: TokenCounter,
): readonly Omit<Snippet, "score">[] {
  const { viewedSnippets, viewedTokens } = settings;
  const pages: Omit<Snippet, "score">[] = [];
  if (viewedSnippets === 0) return pages;
  const tokens = Math.floor(viewedTokens / viewedSnippets);
  const all = { linesAbove: Number.POSITIVE_INFINITY, linesBelow: Number.POSITIVE_INFINITY };
  const limits = { ...settings, ...all, windowTokens: tokens, areaLines: 0, pageTokens: tokens };
  for (const { path, language, text, offset } of places) {
    const lines = Lines.of(text);
    const cursorLine = lines.lineAt(Math.min(offset, text.length));
    const range = tryEditWindow({ lines, cursorLine, language, ...(counter && { counter }) }, limits)?.window;
    if (range === undefined) continue;
    const page = text.slice(lines.start(range.start), lines.endWithBreak(range.end - 1));
    if (page.trim() === "") continue;
    pages.unshift({ path, lines: range, text: page });
    if (pages.length === viewedSnippets) break;
  }
  return pages;
}
