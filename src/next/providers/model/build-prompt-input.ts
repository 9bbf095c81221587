import { trySecretPath } from "../../../codebase/index.ts";
import {
  estimatingCounter,
  hideSecrets,
  hideSecretsInLines,
  messageLanguage,
  type PastEdit,
  type Snippet,
} from "../../../context/index.ts";
import type { TokenCounter } from "../../../model/index.ts";
import { languageOf } from "../../../syntax/index.ts";
import { Lines } from "../../../text/index.ts";
import { defaultWindowSettings, tryEditWindow, type WindowSettings } from "./editable-region.ts";
import type { NextEditPromptInput, PromptDiagnostic, RedactedEdit } from "./next-edit-prompt-input.ts";

/** How much of the recent work a prompt input contains. */
export interface PromptInputSettings extends WindowSettings {
  /** The most edits of the history, and the most tokens of their lines together. */
  readonly historyEdits: number;
  readonly historyTokens: number;
  /** The most snippets of recently viewed files, and the most tokens of them together. */
  readonly viewedSnippets: number;
  readonly viewedTokens: number;
  /** The most diagnostics. */
  readonly diagnostics: number;
}

/**
 * Editable regions as in {@link defaultWindowSettings}; the rest are the values of VS Code's
 * Copilot extension 0.42.
 */
export const defaultPromptInputSettings: PromptInputSettings = {
  ...defaultWindowSettings,
  historyEdits: 25,
  historyTokens: 1_000,
  viewedSnippets: 5,
  viewedTokens: 2_000,
  diagnostics: 5,
};

/** A place in a file, and what is known of the person's recent work. */
export interface PromptInputRequest extends Pick<NextEditPromptInput, "path" | "language" | "text" | "cursor"> {
  /** The recent edits, the oldest first. */
  readonly history: readonly PastEdit[];
  /** Snippets of recently viewed files, the oldest first. */
  readonly viewed: readonly Omit<Snippet, "score">[];
  readonly diagnostics: readonly PromptDiagnostic[];
  /** Counts tokens as the model does. Absent: they are estimated by the language. */
  readonly counter?: TokenCounter;
  /**
   * Whether the model proposed nothing for the same place, so that the editable region is larger.
   */
  readonly isRetry?: boolean;
}

/**
 * Builds the input of a prompt that predicts the next edit at a place; `undefined` where there is
 * no editable region, see {@link tryEditWindow}.
 *
 * Of the history, as `EditHistory.entries` returns it, and of the snippets the newest that fit are
 * kept. Their secrets are redacted; secret files are left out, and so are snippets that overlap the
 * excerpt. Of the diagnostics around the editable region those nearest to the cursor are kept.
 *
 * Throws `EmendError` `out-of-bounds` when the cursor is not in the text.
 */
export function tryBuildPromptInput(
  request: PromptInputRequest,
  settings: PromptInputSettings = defaultPromptInputSettings,
): NextEditPromptInput | undefined {
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
    ).map((one) => ({ ...one, message: hideSecrets(one.message, messageLanguage).text })),
  };
}

/** Returns the last items that fit, in their order. An item that does not fit is passed over. */
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

/** Returns the `max` diagnostics nearest to a line, in the order of their lines. */
function nearest(diagnostics: readonly PromptDiagnostic[], line: number, max: number): readonly PromptDiagnostic[] {
  return diagnostics
    .toSorted((one, other) => Math.abs(one.line - line) - Math.abs(other.line - line))
    .slice(0, max)
    .sort((one, other) => one.line - other.line);
}

/** Returns the edit with its secrets redacted; an empty list if nothing but secrets changed. */
function withoutSecrets(edit: PastEdit): readonly RedactedEdit[] {
  const language = languageOf(edit.path).id;
  const [before, after] = [hideSecretsInLines(edit.before, language), hideSecretsInLines(edit.after, language)];
  return before.join("\n") === after.join("\n") ? [] : [{ ...edit, before, after }];
}
