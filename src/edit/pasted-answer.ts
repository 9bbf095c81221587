import type { AnswerContent } from "../formats/index.ts";
import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { GivenAnswer } from "./edit-engine.ts";
import type { EditRequest } from "./edit-request.ts";
import { tryReadDefinitions } from "./read-definitions.ts";
import { formatOfReply, printUnclearFormat, promptFormat } from "./reply-format.ts";

/** An answer for the engine, or why its format is unclear: sentences for a person. */
export type PastedAnswer =
  | { readonly kind: "answer"; readonly answer: GivenAnswer }
  | { readonly kind: "unclear"; readonly message: string };

/**
 * Reads an answer of a chat to a prompt for `request`: in its format, or, where it has the marks of
 * none, as definitions of the files, see {@link tryReadDefinitions}. Rejects as that does.
 */
export async function readPastedAnswer(
  text: string,
  request: Pick<EditRequest, "format" | "files">,
  syntax: Syntax,
): Promise<PastedAnswer> {
  const { format: named, files } = request;
  const definitions = named === "auto" ? await tryReadDefinitions(text, files, syntax) : undefined;
  if (definitions?.kind === "content") {
    // Like the format `elided`, it has the new text of a part of a file.
    return { kind: "answer", answer: { text, format: "elided", content: definitions.content } };
  }
  const format = formatOfReply(text, { named, requested: promptFormat(request), files });
  if (format.kind === "unclear") {
    const why = definitions === undefined ? "" : ` ${definitions.message}`;
    return { kind: "unclear", message: printUnclearFormat(format) + why };
  }
  const refused = definitions && { content: refusedContent(definitions.message) };
  return { kind: "answer", answer: { text, format: format.name, ...refused } };
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
