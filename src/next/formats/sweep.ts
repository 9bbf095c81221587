import { fillTemplateByName } from "../../model/index.ts";
import type { TextRange } from "../../text/index.ts";
import type { NextEditFormat } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import { readWindow } from "./read-window.ts";
import { type FormatMarks, tryRefuse } from "./said-mark.ts";
import { SceneLines } from "./scene-lines.ts";

const file = "<|file_sep|>";
const cursor = "<|cursor|>";
const stops = [file, "</s>", "<|endoftext|>"];

/** What scenes for {@link sweep} may not say: its marks, and the special tokens of Qwen2.5-Coder, which it was made from. */
export const sweepMarks: FormatMarks = {
  anywhere: [...new Set([file, cursor, ...stops, ...(fillTemplateByName("qwen")?.specialTokens ?? [])])],
};

/**
 * Sweep's next-edit models (0.5B to 7B), Qwen2.5-Coder: the window before the last edit, the window now, and the answer
 * goes on with the window as it will be, from the line of the cursor or the last edit in front of it.
 *
 * Its marks are special tokens, which servers do not print, so they are stops, and an answer that ended is a whole one.
 * Sources: `sweep_prompt.rs` of zed-industries/zed; `sweep.go` of cursortab/cursortab.nvim, which has the prefill.
 */
export const sweep: NextEditFormat = {
  name: "sweep",
  ask: (scene) => tryRefuse(scene, sweepMarks) ?? { kind: "raw", prompt: prompt(scene), stop: stops },
  read: (answer, scene) =>
    readWindow(
      answer,
      scene,
      {
        ...{ opens: [], closes: stops, cursor, none: [], foreign: sweepMarks.anywhere },
        ...{ fence: "never", unmarkedEnd: "whole" },
      },
      linesOfPrefill(scene),
    ),
};

function prompt(scene: NextEditScene): string {
  const { path, page, window, viewed, history, diagnostics } = scene;
  const shown = new SceneLines(scene);
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
    block(`original/${place}`, windowBefore(scene, shown)),
    block(`current/${place}`, shown.show(window, cursor)),
    block(`updated/${place}`, shown.show(sweepPrefill(scene))),
  ].join("");
}

function linesOfPrefill(scene: NextEditScene): readonly string[] {
  const { start, end } = sweepPrefill(scene);
  return new SceneLines(scene).texts.slice(start, end);
}

/** The lines of the window with which the prompt ends: those in front of the cursor's, and of the last edit. */
export function sweepPrefill(scene: NextEditScene): TextRange {
  const { start, end } = scene.window;
  const edited = scene.history.findLast(({ path }) => path === scene.path)?.lines.start ?? end;
  const first = Math.min(new SceneLines(scene).cursor.line, edited >= start ? edited : end);
  return { start, end: Math.max(start, Math.min(first, end)) };
}

/** The window before the last edit, if that is in it. */
function windowBefore({ path, window, history }: NextEditScene, shown: SceneLines): string {
  const last = history.findLast((edit) => edit.path === path);
  if (last === undefined || last.lines.start < window.start || last.lines.end > window.end) return shown.show(window);
  const before = last.before.map((line) => `${line}\n`).join("");
  const { start, end } = last.lines;
  return shown.show({ start: window.start, end: start }) + before + shown.show({ start: end, end: window.end });
}

function block(path: string, text: string): string {
  return `${file}${path}\n${text}`;
}

/** Lines of an edit; of many the first and the last. */
function limited(lines: readonly string[]): string {
  const kept =
    lines.length <= maxLines ? lines : [...lines.slice(0, maxLines / 2), "...", ...lines.slice(1 - maxLines / 2)];
  return kept.map((line) => `${line}\n`).join("");
}

const maxEdits = 3;
const maxLines = 40;
