import { diffSequences } from "../text/index.ts";
import { type AnswerContent, readAnswer } from "./answer-reader.ts";
import type { WholeAsk } from "./ask.ts";
import { detectFormat } from "./detect-format.ts";
import type { ShownFile } from "./edit-format.ts";
import { elidedRow } from "./elided-row.ts";
import { fileLines } from "./file-lines.ts";
import { isProseFile } from "./prose-file.ts";
import { readsAsWords } from "./reads-as-words.ts";
import { tryReadFence } from "./show-file.ts";
import { withoutThoughts } from "./thoughts.ts";
import { whole } from "./whole.ts";

/**
 * Reads an answer without the marks of any format that plainly is the new text of the one file that was shown, in a fence
 * or bare; `undefined` where it may be anything else, or several `files` were shown.
 *
 * Most lines of the file stand in it and are much of it, and it neither begins nor ends short of the file or with words
 * beside it. That it was taken so is told as a lenience.
 */
export function tryReadPlainFile(answer: string, files: readonly ShownFile[]): AnswerContent | undefined {
  const [file, ...others] = files;
  const detected = detectFormat(answer);
  if (file === undefined || others.length > 0 || detected.kind === "format") return undefined;
  if (detected.candidates.length > 0 && !detected.candidates.includes("whole")) return undefined;
  const { path } = file;
  const old = fileLines(file.text);
  const fenced = readAnswer(whole.read({ paths: [path] }), answer);
  const [only] = fenced.refusals.length === 0 && fenced.asks.length === 1 ? fenced.asks : [];
  const bare: WholeAsk = { kind: "whole", row: 0, path, lines: bareLines(answer) };
  for (const ask of [only, bare]) {
    if (ask?.kind !== "whole" || !isTextOf(ask.lines, old, path)) continue;
    const message = `The answer has the marks of no format. It was taken for the whole text of ${path}, which it is most like.`;
    const told = { kind: "fence", message, row: ask.row, path } as const;
    const leniences = [...(ask === bare ? [] : fenced.leniences), told];
    return { asks: [{ ...ask, path }], saysNoChange: false, leniences, refusals: [] };
  }
  return undefined;
}

function bareLines(answer: string): readonly string[] {
  const rows = withoutThoughts(answer).split(/\r?\n/);
  const isFilled = (row: string) => row.trim() !== "";
  return rows.slice(Math.max(0, rows.findIndex(isFilled)), rows.findLastIndex(isFilled) + 1);
}

/** Whether lines are the new text of a file that has these `old` ones. */
function isTextOf(lines: readonly string[], old: readonly string[], path: string): boolean {
  const filled = (all: readonly string[]) => all.map((line) => line.trim()).filter((line) => line !== "");
  const [before, after] = [filled(old), filled(lines)];
  const changes = diffSequences(before, after);
  const common = changes.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeStart - beforeEnd, before.length);
  if (common < leastOfFile * before.length || common < leastOfAnswer * after.length || common === 0) return false;
  // A text that stops short of the file's end, or begins behind its beginning, is a part of it.
  const isShort = changes.some(
    ({ beforeStart, beforeEnd, afterStart, afterEnd }) =>
      (beforeStart === 0 || beforeEnd === before.length) && afterEnd - afterStart < beforeEnd - beforeStart,
  );
  const known = new Set(before);
  const isNew = (line: string) => !known.has(line);
  const isBeside = (line: string) => isNew(line) && (isProseFile(path) || readsAsWords(line));
  const isTalk = isBeside(after[0]!) || isBeside(after.at(-1)!) || after.some((line) => isNew(line) && isFence(line));
  return !isShort && !isTalk && elidedRow(lines, { known: [old], path }) === undefined;
}

function isFence(line: string): boolean {
  return tryReadFence(line) !== undefined;
}

/** How much of the file must be in the answer, and how much of the answer in the file, by lines. */
const leastOfFile = 0.6;
const leastOfAnswer = 0.4;
