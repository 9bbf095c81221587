import { fillTemplateByName } from "../../model/index.ts";
import type { TextRange } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditFormat } from "./next-edit-format.ts";
import { type FormatMarks, PromptLines, tryRefuse } from "./prompt-lines.ts";
import { readWindow } from "./read-window.ts";

const file = "<|file_sep|>";
const cursor = "<|cursor|>";
const stops = [file, "</s>", "<|endoftext|>"];

/**
 * Markers that no prompt input for {@link sweep} may contain: its own, and the special tokens of
 * Qwen2.5-Coder, its base model.
 */
export const sweepMarks: FormatMarks = {
  anywhere: [...new Set([file, cursor, ...stops, ...(fillTemplateByName("qwen")?.specialTokens ?? [])])],
};

/**
 * The format of Sweep's next-edit models (0.5B to 7B), based on Qwen2.5-Coder: the window before
 * the last edit, the window now, and the start of the window as it will be, up to the line of the
 * cursor or the last edit before it. The answer continues there.
 *
 * Its markers are special tokens, which servers do not print, so they are stop sequences, and an
 * answer that finished is complete. Sources: `sweep_prompt.rs` of zed-industries/zed; `sweep.go` of
 * cursortab/cursortab.nvim, which has the prefill.
 */
export const sweep: NextEditFormat = {
  name: "sweep",
  ask: (input) => tryRefuse(input, sweepMarks) ?? { kind: "raw", prompt: prompt(input), stop: stops },
  read: (answer, input) =>
    readWindow(
      answer,
      input,
      {
        ...{ opens: [], closes: stops, cursor, none: [], foreign: sweepMarks.anywhere },
        ...{ fence: "never", unmarkedEnd: "whole" },
      },
      linesOfPrefill(input),
    ),
};

function prompt(input: NextEditPromptInput): string {
  const { path, page, window, viewed, history, diagnostics } = input;
  const shown = new PromptLines(input);
  const place = `${path}:${window.start + 1}:${window.end}`;
  const edits = history.slice(-maxEdits).map(({ path, before, after }) => {
    const [original, updated] = [limited(before), limited(after)];
    return block(`${path}.diff`, `original:\n${original}updated:\n${updated}`);
  });
  const problems = diagnostics.map(({ line, message }) => `Line ${line + 1}: ${message}\n`).join("");
  return [
    block(path, shown.show(page)),
    ...viewed.map(({ path, text }) => block(path, `${text.replace(/\r?\n$/, "")}\n`)),
    problems === "" ? "" : block("context/diagnostics", problems),
    ...edits,
    block(`original/${place}`, windowBefore(input, shown)),
    block(`current/${place}`, shown.show(window, cursor)),
    block(`updated/${place}`, shown.show(sweepPrefill(input))),
  ].join("");
}

function linesOfPrefill(input: NextEditPromptInput): readonly string[] {
  return new PromptLines(input).texts(sweepPrefill(input));
}

/**
 * Returns the lines of the window with which the prompt ends, `[start, end)`, counted from 0 in the
 * file: those before the cursor's line and before the last edit. Empty where there are none.
 */
export function sweepPrefill(input: NextEditPromptInput): TextRange {
  const { start, end } = input.window;
  const edited = input.history.findLast(({ path }) => path === input.path)?.lines.start ?? end;
  const first = Math.min(new PromptLines(input).cursor.line, edited >= start ? edited : end);
  return { start, end: Math.max(start, Math.min(first, end)) };
}

/** The window before the last edit, if that is within it. */
function windowBefore({ path, window, history }: NextEditPromptInput, shown: PromptLines): string {
  const last = history.findLast((edit) => edit.path === path);
  if (last === undefined || last.lines.start < window.start || last.lines.end > window.end) return shown.show(window);
  const before = last.before.map((line) => `${line}\n`).join("");
  const { start, end } = last.lines;
  return shown.show({ start: window.start, end: start }) + before + shown.show({ start: end, end: window.end });
}

function block(path: string, text: string): string {
  return `${file}${path}\n${text}`;
}

/** The lines of an edit; of many only the first and the last. */
function limited(lines: readonly string[]): string {
  const kept =
    lines.length <= maxLines ? lines : [...lines.slice(0, maxLines / 2), "...", ...lines.slice(1 - maxLines / 2)];
  return kept.map((line) => `${line}\n`).join("");
}

const maxEdits = 3;
const maxLines = 40;
