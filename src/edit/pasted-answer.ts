import type { AnswerContent } from "../formats/index.ts";
import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { GivenAnswer } from "./edit-engine.ts";
import type { EditRequest } from "./edit-request.ts";
import { type DefinitionsReading, tryReadDefinitions } from "./read-definitions.ts";
import { formatOfReply, printUnclearFormat, promptFormat } from "./reply-format.ts";

/** An answer for the engine, or why its format is unclear: sentences for a person. */
export type PastedAnswer =
  | { readonly kind: "answer"; readonly answer: GivenAnswer }
  | { readonly kind: "unclear"; readonly message: string };

/**
 * Reads an answer of a chat to a prompt for `request`: in its format, or, where it has the marks of
 * none, as definitions of the files, see {@link tryReadDefinitions}. Rejects as that does.
 */
export async function readPastedAnswer(text: string, request: EditRequest, syntax: Syntax): Promise<PastedAnswer> {
  const { format: named, files } = request;
  const definitions = named === "auto" ? await tryReadDefinitions(text, files, syntax) : undefined;
  if (definitions?.kind === "content") return { kind: "answer", answer: definedAnswer(text, definitions.content) };
  const format = formatOfReply(text, { named, requested: promptFormat(request), files });
  if (format.kind === "unclear") return { kind: "unclear", message: explainUnclearFormat(format, definitions) };
  const refused = definitions && { content: refusedContent(definitions.message) };
  return { kind: "answer", answer: { text, format: format.name, ...refused } };
}

/**
 * An answer whose code was read as definitions: like the format `elided`, it has the new text of a
 * part of a file.
 */
export function definedAnswer(text: string, content: AnswerContent): GivenAnswer {
  return { text, format: "elided", content };
}

/**
 * Explains to a person why an answer cannot be read: its format, and the definitions in its code.
 */
export function explainUnclearFormat(
  format: Parameters<typeof printUnclearFormat>[0],
  definitions: DefinitionsReading | undefined,
): string {
  const why = definitions?.kind === "refused" ? ` ${definitions.message}` : "";
  return printUnclearFormat(format) + why;
}

function refusedContent(message: string): AnswerContent {
  const refusal = { kind: "no-edits", message, row: undefined, path: undefined } as const;
  return { operations: [], declaresNoChange: false, normalizations: [], refusals: [refusal] };
}

/**
 * A model that answers every request with `text`, so that an answer pasted from a chat takes the
 * same path as a model's.
 */
export function cannedChatModel(text: string): Model {
  return {
    name: "a chat",
    async *chat() {
      yield { kind: "text-delta", text };
      return { reason: "finished" };
    },
  };
}
