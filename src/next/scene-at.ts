import { trySecretPath } from "../codebase/index.ts";
import { estimatingCounter, hideSecrets, type PastEdit } from "../context/index.ts";
import type { TokenCounter } from "../model/index.ts";
import { languageOf } from "../syntax/index.ts";
import { Lines } from "../text/index.ts";
import { defaultWindowSettings, tryEditWindow, type WindowSettings } from "./edit-window.ts";
import type { NextEditScene, SceneDiagnostic } from "./next-edit-scene.ts";

/** How much a scene tells of what was done lately. */
export interface SceneSettings extends WindowSettings {
  /** The most edits of the history, and the most tokens of their lines. */
  readonly historyEdits: number;
  readonly historyTokens: number;
  /** The most snippets of files looked at lately, and the most tokens of them. */
  readonly viewedSnippets: number;
  readonly viewedTokens: number;
  /** The most diagnostics. */
  readonly diagnostics: number;
}

/** Windows as {@link defaultWindowSettings}; the rest is what VS Code's Copilot extension had in version 0.42. */
export const defaultSceneSettings: SceneSettings = {
  ...defaultWindowSettings,
  historyEdits: 25,
  historyTokens: 1_000,
  viewedSnippets: 5,
  viewedTokens: 2_000,
  diagnostics: 5,
};

/** A place in a file, and what is known of what the person did. */
export interface SceneRequest
  extends Pick<NextEditScene, "path" | "language" | "text" | "cursor" | "history" | "viewed" | "diagnostics"> {
  /** Counts tokens as the model does; an estimate by the language unless told. */
  readonly counter?: TokenCounter;
  /** Whether nothing was proposed for the same place, so that the window is to be greater. */
  readonly isRetry?: boolean;
}

/**
 * What a model is shown to predict the next edit at a place; `undefined` where there is no window, see {@link tryEditWindow}.
 *
 * Of the history, such as `EditHistory.entries` gives it, and of the snippets the newest are kept: from the last on each for which
 * there is room. Secrets in them are hidden, and files that keep secrets left out; so are snippets that show lines of the page. Of the
 * diagnostics in the area those nearest to the cursor are kept.
 *
 * Throws `EmendError` `out-of-bounds` where the cursor is not in the text.
 */
export function trySceneAt(
  request: SceneRequest,
  settings: SceneSettings = defaultSceneSettings,
): NextEditScene | undefined {
  const { path, language, text, cursor, counter = estimatingCounter(language), isRetry = false } = request;
  const lines = Lines.of(text);
  const cursorLine = lines.lineAt(cursor);
  const windows = tryEditWindow({ lines, cursorLine, language, counter, isRetry }, settings);
  if (windows === undefined) return undefined;
  const { page, area } = windows;

  const history = request.history.filter((edit) => trySecretPath(edit.path) === undefined);
  const viewed = request.viewed.filter(
    (snippet) =>
      trySecretPath(snippet.path) === undefined &&
      (snippet.path !== path || snippet.lines.end <= page.start || snippet.lines.start >= page.end),
  );
  return {
    ...{ path, language, text, cursor, ...windows },
    history: newest(history, settings.historyEdits, settings.historyTokens, ({ path, before, after }) =>
      counter.count([path, ...before, ...after, ""].join("\n")),
    ).flatMap(withoutSecrets),
    viewed: newest(viewed, settings.viewedSnippets, settings.viewedTokens, ({ path, text }) =>
      counter.count(`${path}\n${text}`),
    ).map(({ path, lines, text }) => ({ path, lines, text: hideSecrets(text, languageOf(path).id).text })),
    diagnostics: nearest(
      request.diagnostics.filter(({ line }) => line >= area.start && line < area.end),
      cursorLine,
      settings.diagnostics,
    ).map((one) => ({ ...one, message: hideSecrets(one.message).text })),
  };
}

/** The last of the items for which there is room, in their order. One that does not fit is passed over. */
function newest<T>(
  items: readonly T[],
  maxItems: number,
  maxTokens: number,
  costOf: (item: T) => number,
): readonly T[] {
  const kept: T[] = [];
  let room = maxTokens;
  for (const item of items.toReversed()) {
    if (kept.length >= maxItems) break;
    const cost = costOf(item);
    if (cost > room) continue;
    room -= cost;
    kept.unshift(item);
  }
  return kept;
}

/** The diagnostics nearest to a line, in the order of their lines. */
function nearest(diagnostics: readonly SceneDiagnostic[], line: number, max: number): readonly SceneDiagnostic[] {
  return diagnostics
    .toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))
    .slice(0, max)
    .sort((one, other) => one.line - other.line);
}

/** The edit with its secrets hidden; none if nothing else was changed. */
function withoutSecrets(edit: PastEdit): readonly PastEdit[] {
  const language = languageOf(edit.path).id;
  // Hiding keeps the number of lines.
  const hide = (lines: readonly string[]) =>
    lines.length === 0 ? lines : hideSecrets(lines.join("\n"), language).text.split("\n");
  const [before, after] = [hide(edit.before), hide(edit.after)];
  return before.join("\n") === after.join("\n") ? [] : [{ ...edit, before, after }];
}
