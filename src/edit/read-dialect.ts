import {
  type AnswerContent,
  detectFormat,
  type FormatName,
  formatNamed,
  type RefusalKind,
  readAnswer,
  type ShownFile,
  tryReadPlainFile,
} from "../formats/index.ts";

/** An answer, and the paths of the files that it is about. */
export interface WrittenAnswer {
  readonly text: string;
  readonly paths: readonly string[];
  readonly isCut: boolean;
}

/** What an answer says, and in which format. */
export interface DialectContent {
  readonly format: FormatName;
  readonly content: AnswerContent;
}

/**
 * Reads an answer whose format is told by its marks alone.
 *
 * Where they tell nothing, the answer may plainly be the new text of the one file that it is about. Otherwise, or where they
 * leave `expected` possible, it is taken to be in that: what a chat would have been asked for. Where they tell of others,
 * it is refused.
 */
export function readUnknown(
  answer: WrittenAnswer,
  { expected, files }: { readonly expected: FormatName; readonly files: readonly ShownFile[] },
): DialectContent {
  const plain = answer.isCut ? undefined : tryReadPlainFile(answer.text, files);
  if (plain !== undefined) return { format: "whole", content: plain };
  const detected = detectFormat(answer.text);
  if (detected.kind === "format") return readAs(detected.name, answer);
  const { candidates } = detected;
  if (candidates.length === 0 || candidates.includes(expected)) return readAs(expected, answer);
  const message = `The answer could be in one of several formats, ${candidates.join(" or ")}. Say which one it is in.`;
  const refusals = [{ kind: "no-edits", message, row: undefined, path: undefined }] as const;
  return { format: expected, content: { asks: [], saysNoChange: false, leniences: [], refusals } };
}

/**
 * Reads an answer in another format than the one that was asked for, if its marks tell which; `undefined` where that is
 * no help.
 *
 * For answers of which `content` could make nothing. Formats that say nothing of a line but its number are not trusted
 * where the model saw no numbers.
 */
export function tryReadDialect(
  answer: WrittenAnswer,
  { format: asked, content }: DialectContent,
): DialectContent | undefined {
  const isNothing = content.asks.length === 0 && !content.saysNoChange;
  if (!isNothing || !content.refusals.every(({ kind }) => unreadable.has(kind))) return undefined;
  const detected = detectFormat(answer.text);
  if (detected.kind !== "format" || detected.name === asked) return undefined;
  if (bareNumbers.has(detected.name) && asked !== "range" && !bareNumbers.has(asked)) return undefined;
  const read = readAs(detected.name, answer);
  if (read.content.asks.length === 0) return undefined;
  const message = `The answer is in the format ${read.format}, not in ${asked}, as it was asked for.`;
  const told = { kind: "marks", message, row: undefined, path: undefined } as const;
  return { ...read, content: { ...read.content, leniences: [told, ...read.content.leniences] } };
}

/** Refusals which say that an answer is not in its format. */
const unreadable: ReadonlySet<RefusalKind> = new Set(["no-edits", "unreadable-row", "cut-off"]);

const bareNumbers: ReadonlySet<FormatName> = new Set(["numbered", "line-commands"]);

/** Reads an answer in a format. */
export function readAs(format: FormatName, { text, paths, isCut }: WrittenAnswer): DialectContent {
  return { format, content: readAnswer(formatNamed(format).read({ paths }), text, isCut) };
}
