import type { Snippet } from "../context/index.ts";
import type { TokenCounter } from "../model/index.ts";
import { Lines } from "../text/index.ts";
import { tryEditWindow } from "./edit-window.ts";
import type { SceneSettings } from "./scene-at.ts";

/** A file that was looked at, and where the person was in it last. */
export interface ViewedPlace {
  /** The file's path from the workspace's root. */
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  readonly text: string;
  /** An offset; one behind the end stands for the end, since the text may be another by now. */
  readonly offset: number;
}

/**
 * What a model is shown of files that were looked at lately: of each as many whole lines around the place as there is room for.
 *
 * `places` are told the last one first, and are asked for no longer than they are needed; what is answered has the oldest first, as `NextEditRequest.viewed`
 * wants it. The tokens are shared evenly, so that no file leaves the others without any. A file whose line at the place alone has too many is left out.
 */
export function viewedPages(
  places: Iterable<ViewedPlace>,
  settings: SceneSettings,
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
