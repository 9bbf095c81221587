import {
  estimatingCounter,
  hideSecrets,
  hideSecretsInLines,
  messageLanguage,
  nearestDiagnostics,
  type PastEdit,
  printPastEdit,
  type Snippet,
} from "../../../context/index.ts";
import type { TokenCounter } from "../../../model/index.ts";
import { languageOf } from "../../../syntax/index.ts";
import { type Diagnostic, Lines, type TextRange } from "../../../text/index.ts";
import { trySecretPath } from "../../../workspace/index.ts";
import type { NextEditFormatName } from "../../formats/next-edit-format.ts";
import { tryEditWindow } from "./editable-region.ts";
import type { NextEditPromptInput, RedactedEdit } from "./next-edit-prompt-input.ts";
import { defaultPromptInputSettings, type PromptInputSettings } from "./prompt-input-settings.ts";

/** A place in a file, and what is known of the person's recent work. */
export interface PromptInputRequest extends Pick<NextEditPromptInput, "path" | "language" | "text" | "cursor"> {
  /** The recent edits, the oldest first. */
  readonly history: readonly PastEdit[];
  /** Snippets of recently viewed files, the oldest first. */
  readonly viewed: readonly Omit<Snippet, "score">[];
  /** Diagnostics of {@link text}. */
  readonly diagnostics: readonly Diagnostic[];
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
    diagnostics: nearestDiagnostics(request.diagnostics, text, {
      ...{ line: cursorLine, within: area, max: settings.diagnostics },
    }).map((one) => ({ ...one, message: hideSecrets(one.message, messageLanguage).text })),
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

/** Returns the edit with its secrets redacted; an empty list if nothing but secrets changed. */
function withoutSecrets(edit: PastEdit): readonly RedactedEdit[] {
  const language = languageOf(edit.path).id;
  const [before, after] = [hideSecretsInLines(edit.before, language), hideSecretsInLines(edit.after, language)];
  return before.join("\n") === after.join("\n") ? [] : [{ ...edit, before, after }];
}

/**
 * Returns the settings with which a prompt input and its answer fit into a model's context of this
 * many tokens. Where the context is large enough or unknown, they are unchanged; otherwise every
 * limit is reduced by the same factor.
 *
 * Only lines are counted. Instructions, markers, the signs of diffs, lines that are shown twice and
 * the answer take the rest of the context.
 */
export function settingsWithin(settings: PromptInputSettings, contextTokens: number | undefined): PromptInputSettings {
  if (contextTokens === undefined) return settings;
  const { excerptTokens, historyTokens, viewedTokens, regionTokens } = settings;
  const room = contextTokens * shareOfLines;
  const share = Math.min(1, room / (excerptTokens + historyTokens + viewedTokens));
  const within = (tokens: number): number => Math.floor(tokens * share);
  return {
    ...settings,
    excerptTokens: within(excerptTokens),
    historyTokens: within(historyTokens),
    viewedTokens: within(viewedTokens),
    // The editable region is both shown and rewritten.
    regionTokens: Math.min(regionTokens, Math.floor(room / 2)),
  };
}

/** Returns the settings with which a prompt input has half of the lines that it may have now. */
export function halvedSettings(settings: PromptInputSettings): PromptInputSettings {
  const { excerptTokens, historyTokens, viewedTokens } = settings;
  return settingsWithin(settings, (excerptTokens + historyTokens + viewedTokens) / 2 / shareOfLines);
}

/** The share of a context that the lines of a prompt input may take. */
const shareOfLines = 0.6;

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
 * Throws `EmendError` with code "out-of-bounds" for a negative offset.
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
  const limits = { ...settings, ...all, regionTokens: tokens, contextLines: 0, excerptTokens: tokens };
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

/**
 * What a model was shown to predict the next edit, as plain data. Each format writes it in its own
 * way.
 */
export interface ShownPromptInput {
  readonly model: string;
  readonly format: NextEditFormatName;
  readonly parts: readonly ShownPart[];
  /** The number of edits, snippets and diagnostics that did not fit. */
  readonly leftOut: Readonly<Record<"edits" | "viewed" | "diagnostics", number>>;
}

/** A part of what a model was shown. */
export interface ShownPart {
  /**
   * `window` is the editable region; `above` and `below` are the lines of the excerpt around it.
   */
  readonly kind: "above" | "window" | "below" | "edit" | "viewed" | "diagnostic";
  readonly path: string;
  /** The lines of the file, `[start, end)` from 0. */
  readonly lines: TextRange;
  readonly text: string;
  /** Tokens as the model counts them, or estimated. */
  readonly tokens: number;
}

/**
 * Lists the parts of a prompt input with their tokens. The second argument is what the request
 * offered, from which {@link ShownPromptInput.leftOut} is counted.
 */
export function shownPromptInput(
  promptInput: NextEditPromptInput,
  offered: Readonly<Record<"history" | "viewed" | "diagnostics", readonly unknown[]>>,
  { model, format, counter }: Pick<ShownPromptInput, "model" | "format"> & { readonly counter: TokenCounter },
): ShownPromptInput {
  const { path, window, page, history, viewed, diagnostics } = promptInput;
  const lines = Lines.of(promptInput.text);
  const part = (kind: ShownPart["kind"], at: Pick<ShownPart, "path" | "lines" | "text">): ShownPart => ({
    ...{ kind, path: at.path, lines: at.lines, text: at.text },
    tokens: counter.count(at.text),
  });
  const ofFile = (kind: ShownPart["kind"], range: TextRange): readonly ShownPart[] => {
    if (range.end <= range.start) return [];
    const text = promptInput.text.slice(lines.start(range.start), lines.endWithBreak(range.end - 1));
    return [part(kind, { path, lines: range, text })];
  };
  return {
    ...{ model, format },
    parts: [
      ...viewed.map((snippet) => part("viewed", snippet)),
      ...history.map((edit) => part("edit", { ...edit, text: printPastEdit(edit) })),
      ...diagnostics.map(({ line, severity, message }) =>
        part("diagnostic", { path, lines: { start: line, end: line + 1 }, text: `${severity}: ${message}` }),
      ),
      ...ofFile("above", { start: page.start, end: window.start }),
      ...ofFile("window", window),
      ...ofFile("below", { start: window.end, end: page.end }),
    ],
    leftOut: {
      edits: offered.history.length - history.length,
      viewed: offered.viewed.length - viewed.length,
      diagnostics: offered.diagnostics.length - diagnostics.length,
    },
  };
}
