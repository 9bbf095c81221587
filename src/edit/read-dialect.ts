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

/** The content of an answer, and the format it was read in. */
export interface DialectContent {
  readonly format: FormatName;
  readonly content: AnswerContent;
}

/**
 * Reads an answer whose format is detected by its marks.
 *
 * An answer that is plainly the new text of the only file is read as `whole`. Without marks, or
 * with marks that allow `expected`, it is read in the format `expected`. With marks of several
 * other formats it is refused.
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
  return { format: expected, content: { operations: [], declaresNoChange: false, normalizations: [], refusals } };
}

/**
 * Reads an answer in a format other than the requested one, if its marks identify one; `undefined`
 * where that yields no operation.
 *
 * Used for answers in which `content` found no operation. Formats that refer to lines by numbers
 * only are not tried where the model was shown no line numbers.
 */
export function tryReadDialect(
  answer: WrittenAnswer,
  { format: requested, content }: DialectContent,
): DialectContent | undefined {
  const isNothing = content.operations.length === 0 && !content.declaresNoChange;
  if (!isNothing || !content.refusals.every(({ kind }) => unreadable.has(kind))) return undefined;
  const detected = detectFormat(answer.text);
  if (detected.kind !== "format" || detected.name === requested) return undefined;
  if (bareNumbers.has(detected.name) && requested !== "range" && !bareNumbers.has(requested)) return undefined;
  const read = readAs(detected.name, answer);
  if (read.content.operations.length === 0) return undefined;
  const message = `The answer is in the format ${read.format}, not in ${requested}, as it was asked for.`;
  const normalization = { kind: "marks", message, row: undefined, path: undefined } as const;
  return { ...read, content: { ...read.content, normalizations: [normalization, ...read.content.normalizations] } };
}

/** Kinds of refusals which mean that an answer is not in its format. */
const unreadable: ReadonlySet<RefusalKind> = new Set(["no-edits", "unreadable-row", "cut-off"]);

const bareNumbers: ReadonlySet<FormatName> = new Set(["numbered", "line-commands"]);

/**
 * Reads an answer in the given format. What cannot be read is among the refusals of the content.
 */
export function readAs(format: FormatName, { text, paths, isCut }: WrittenAnswer): DialectContent {
  return { format, content: readAnswer(formatNamed(format).read({ paths }), text, isCut) };
}
