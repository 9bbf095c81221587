import { beginsWithReasoningTag, tryReadFence, withoutReasoning } from "../../answers/index.ts";
import { diffSequences } from "../../text/index.ts";
import type { ShownFile } from "../edit-format.ts";
import type { WholeFileEdit } from "../edit-operation.ts";
import { fileLines } from "../placing/line-table.ts";
import { whole } from "../whole.ts";
import { type AnswerContent, readAnswer } from "./answer-reader.ts";
import { detectFormat } from "./detect-format.ts";
import { elidedRow } from "./is-elision.ts";
import { isProseFile, readsAsWords } from "./reads-as-words.ts";

/**
 * Reads an answer without marks of any format as the new text of the only shown file, in a fence or
 * bare; `undefined` where it may be anything else, or several `files` were shown.
 *
 * Most lines of the file must be in it and form much of it, and it must neither begin late, end
 * early, nor have prose beside it. A normalization reports this reading.
 */
export function tryReadPlainFile(answer: string, files: readonly ShownFile[]): AnswerContent | undefined {
  const [file, ...others] = files;
  const detected = detectFormat(answer);
  if (file === undefined || others.length > 0 || detected.kind === "format") return undefined;
  if (detected.candidates.length > 0 && !detected.candidates.includes("whole")) return undefined;
  const { path } = file;
  const old = fileLines(file.text);
  const fenced = readAnswer(whole.read({ paths: [path] }), answer);
  const [only] = fenced.refusals.length === 0 && fenced.operations.length === 1 ? fenced.operations : [];
  const bare: WholeFileEdit = { kind: "whole", row: 0, path, lines: bareLines(answer, old) };
  for (const operation of [only, bare]) {
    if (operation?.kind !== "whole" || !isTextOf(operation.lines, old, path)) continue;
    const message = `The answer has the marks of no format. It was taken for the whole text of ${path}, which it is most like.`;
    const normalization = { kind: "fence", message, row: operation.row, path } as const;
    const normalizations = [...(operation === bare ? [] : fenced.normalizations), normalization];
    return { operations: [{ ...operation, path }], declaresNoChange: false, normalizations, refusals: [] };
  }
  return undefined;
}

function bareLines(answer: string, old: readonly string[]): readonly string[] {
  // Where lines of the file begin with reasoning tags, such lines belong to the answer.
  const rows = (old.some(beginsWithReasoningTag) ? answer : withoutReasoning(answer)).split(/\r?\n/);
  const isFilled = (row: string) => row.trim() !== "";
  return rows.slice(Math.max(0, rows.findIndex(isFilled)), rows.findLastIndex(isFilled) + 1);
}

/** Whether lines are a new version of the file with the lines `old`. */
function isTextOf(lines: readonly string[], old: readonly string[], path: string): boolean {
  const filled = (all: readonly string[]) => all.map((line) => line.trim()).filter((line) => line !== "");
  const [before, after] = [filled(old), filled(lines)];
  const changes = diffSequences(before, after);
  const common = changes.reduce((sum, { beforeStart, beforeEnd }) => sum + beforeStart - beforeEnd, before.length);
  if (common < leastOfFile * before.length || common < leastOfAnswer * after.length || common === 0) return false;
  // A text that ends before the file's end, or begins after its beginning, is a part of it.
  const isShort = changes.some(
    ({ beforeStart, beforeEnd, afterStart, afterEnd }) =>
      (beforeStart === 0 || beforeEnd === before.length) && afterEnd - afterStart < beforeEnd - beforeStart,
  );
  const known = new Set(before);
  const isNew = (line: string) => !known.has(line);
  const isProseRow = (line: string) => isNew(line) && (isProseFile(path) || readsAsWords(line));
  const hasProse =
    isProseRow(after[0]!) || isProseRow(after.at(-1)!) || after.some((line) => isNew(line) && isFence(line));
  return !isShort && !hasProse && elidedRow(lines, { known: [old], path }) === undefined;
}

function isFence(line: string): boolean {
  return tryReadFence(line) !== undefined;
}

/**
 * The shares of the file that must be in the answer, and of the answer that must be in the file, by
 * lines.
 */
const leastOfFile = 0.6;
const leastOfAnswer = 0.4;
