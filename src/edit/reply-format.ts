import {
  chooseFormat,
  detectFormat,
  type FormatName,
  formatNamed,
  readAnswer,
  type ShownFile,
  tryReadPlainFile,
} from "../formats/index.ts";
import type { EditRequest } from "./edit-request.ts";

/** The format that a text is in, `detect` where it plainly is the text of the only file, or those that it may be in. */
export type ReplyFormat<Name = FormatName> =
  | { readonly kind: "format"; readonly name: Name }
  | { readonly kind: "unclear"; readonly candidates: readonly FormatName[] };

/** The format that an answer is in, by its marks; `told`, which a chat was asked for, where they leave that open. */
export function formatOfAnswer(answer: string, told?: FormatName): ReplyFormat {
  const found = detectFormat(answer);
  if (found.kind === "format") return { kind: "format", name: found.name };
  const { candidates } = found;
  // An answer in no format at all is for that one to refuse.
  if (told !== undefined && (candidates.length === 0 || candidates.includes(told)))
    return { kind: "format", name: told };
  return { kind: "unclear", candidates };
}

/** What the reply of a chat answers. */
export interface AskedQuestion {
  /** The format that the person names; `auto` for none. */
  readonly named: FormatName | "auto";
  /** The format that the chat was asked for. */
  readonly told: FormatName;
  readonly files: readonly ShownFile[];
}

/** As {@link formatOfAnswer}, for the reply to a question. */
export function formatOfReply(
  reply: string,
  { named, told, files }: AskedQuestion,
): ReplyFormat<FormatName | "detect"> {
  if (named !== "auto" && named !== "whole") return { kind: "format", name: named };
  if (tryReadPlainFile(reply, files) !== undefined) return { kind: "format", name: "detect" };
  return named === "auto" ? formatOfAnswer(reply, told) : { kind: "format", name: named };
}

/** Why the format of an answer cannot be told, in two sentences for a person. */
export function printUnclearFormat({ candidates }: { readonly candidates: readonly FormatName[] }): string {
  const which = candidates.length === 0 ? "It shows the marks of no format." : `It may be ${candidates.join(" or ")}.`;
  return `The answer's format is not clear. ${which}`;
}

/** Whether a reply of which nothing could be read shows the marks of no format, and may be the text of the only file. */
export function mayBeWholeFile(reply: string, files: readonly ShownFile[]): boolean {
  const found = detectFormat(reply);
  return files.length === 1 && found.kind !== "format" && found.candidates.length === 0;
}

/** The format that a chat of any kind is told to answer in. */
export function promptFormat({ format, files }: Pick<EditRequest, "format" | "files">): FormatName {
  return format === "auto" ? chooseFormat({ files }).format : format;
}

/** The files that an answer in a format speaks of, each once, in their order. */
export function pathsOfAnswer(answer: string, format: FormatName): readonly string[] {
  const { asks } = readAnswer(formatNamed(format).read({ paths: [] }), answer);
  const paths = asks.flatMap((ask) => [ask.path, ask.kind === "move" ? ask.to : undefined]);
  return [...new Set(paths.filter((path) => path !== undefined))];
}
