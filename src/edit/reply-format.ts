import {
  chooseFormat,
  detectFormat,
  type FormatName,
  fencedCodeOf,
  fileLines,
  formatNamed,
  pathsInRow,
  readAnswer,
  type ShownFile,
  tryReadPlainFile,
} from "../formats/index.ts";
import type { EditRequest } from "./edit-request.ts";

/**
 * The format of a reply; `detect` where it plainly is the text of the only file; or the candidates
 * where it is unclear.
 */
export type ReplyFormat<Name = FormatName> =
  | { readonly kind: "format"; readonly name: Name }
  | { readonly kind: "unclear"; readonly candidates: readonly FormatName[] };

/**
 * Detects the format of an answer by its marks; where these allow several formats or none, returns
 * `requested`, the format of the prompt, if it is possible, and otherwise `unclear` with the
 * candidates.
 */
export function formatOfAnswer(answer: string, requested?: FormatName): ReplyFormat {
  const found = detectFormat(answer);
  if (found.kind === "format") return { kind: "format", name: found.name };
  const { candidates } = found;
  // An answer without any marks is read, and refused, in the requested format.
  if (requested !== undefined && (candidates.length === 0 || candidates.includes(requested)))
    return { kind: "format", name: requested };
  return { kind: "unclear", candidates };
}

/** The request to a chat, for reading its reply. */
export interface ReplyContext {
  /** The format that the person names; `auto` for none. */
  readonly named: FormatName | "auto";
  /** The format that the prompt requested. */
  readonly requested: FormatName;
  readonly files: readonly ShownFile[];
}

/**
 * Detects the format of a reply to a question, as {@link formatOfAnswer} does; a format that the
 * person names wins. A reply that plainly is the new text of the only file is `detect`, unless
 * another format than `whole` is named.
 */
export function formatOfReply(
  reply: string,
  { named, requested, files }: ReplyContext,
): ReplyFormat<FormatName | "detect"> {
  if (named !== "auto" && named !== "whole") return { kind: "format", name: named };
  if (tryReadPlainFile(reply, files) !== undefined) return { kind: "format", name: "detect" };
  return named === "auto" ? formatOfAnswer(reply, requested) : { kind: "format", name: named };
}

/** Explains to a person, in two sentences, why the format of an answer is unclear. */
export function printUnclearFormat({ candidates }: { readonly candidates: readonly FormatName[] }): string {
  const which = candidates.length === 0 ? "It shows the marks of no format." : `It may be ${candidates.join(" or ")}.`;
  return `The answer's format is not clear. ${which}`;
}

/**
 * Whether a reply without marks of any format may be the text of the only file: the code in one of
 * its fences, or the reply without a fence, has at least half as many lines.
 */
export function mayBeWholeFile(reply: string, files: readonly ShownFile[]): boolean {
  const [file, ...others] = files;
  const found = detectFormat(reply);
  if (file === undefined || others.length > 0 || found.kind === "format" || found.candidates.length > 0) return false;
  const blocks = fencedCodeOf(reply).map(({ lines }) => lines.length);
  const most = blocks.length === 0 ? reply.trim().split("\n").length : Math.max(...blocks);
  return 2 * most >= fileLines(file.text).length;
}

/**
 * The format that a prompt for an unknown chat requests: the one that is named, or for `auto` the
 * one that suits the files.
 */
export function promptFormat({ format, files }: Pick<EditRequest, "format" | "files">): FormatName {
  return format === "auto" ? chooseFormat({ files }).format : format;
}

/**
 * The paths of files that an answer in a format may name, each once, in order of appearance: those
 * of its operations, then those of its refusals. A row with blanks that may contain a path, such as
 * `in my folder/a.ts`, yields each of its endings as well, and a path with backslashes or composed
 * letters its other spellings.
 */
export function pathsOfAnswer(answer: string, format: FormatName): readonly string[] {
  const { operations, refusals } = readAnswer(formatNamed(format).read({ paths: [] }), answer);
  const sure = operations.flatMap((operation) => [
    operation.path,
    operation.kind === "move" ? operation.to : undefined,
  ]);
  const unsure = refusals.flatMap(({ kind, path }) => {
    if (path === undefined || kind === "unsafe-path") return [];
    return kind === "unknown-file" ? pathsInRow(path) : [path];
  });
  const named = [...sure, ...unsure].filter((path) => path !== undefined);
  return [...new Set(named.flatMap(spellingsOf))];
}

/** A path as written, with `/`, and in both Unicode normal forms, as the disk may have it. */
function spellingsOf(path: string): readonly string[] {
  const spelled = path.replaceAll("\\", "/");
  return [path, spelled, spelled.normalize("NFC"), spelled.normalize("NFD")];
}

/**
 * Whether an answer in a format contains edits of which none can be read; `false` where it contains
 * no edit at all.
 */
export function isRefusedWhole(answer: string, format: FormatName): boolean {
  const { operations, refusals } = readAnswer(formatNamed(format).read({ paths: [] }), answer);
  return operations.length === 0 && refusals.some(({ kind }) => kind !== "no-edits");
}
