import type { ModelCallOptions } from "../model.ts";
import { fillTemplates } from "../templates/families.ts";
import type { FillTemplate } from "../templates/template.ts";
import { numberIn } from "./message-fields.ts";
import type { ModelServer } from "./model-server.ts";

/**
 * The first special token of a template that the server does not read as one token, which shows
 * that the template is of another model family. `undefined` when each is read as one token. Rejects
 * with `ModelError` when the server fails.
 */
export async function tryFindStrangeMark(
  server: ModelServer,
  template: FillTemplate,
  { signal }: ModelCallOptions,
): Promise<string | undefined> {
  for (const mark of marksOf(template)) {
    if ((await countTokens(server, mark, signal)) !== 1) return mark;
  }
  return undefined;
}

/**
 * The names of the templates whose special tokens the server's tokeniser reads as one token each;
 * empty when none fits. Rejects with `ModelError` when the server fails.
 */
export async function fittingTemplates(server: ModelServer, { signal }: ModelCallOptions): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const mark of new Set(fillTemplates.flatMap(marksOf))) counts.set(mark, await countTokens(server, mark, signal));
  return fillTemplates
    .filter((template) => marksOf(template).every((mark) => counts.get(mark) === 1))
    .map(({ name }) => name);
}

/** Whether a server of this kind offers its tokeniser. */
export function tellsTokens({ name: { provider } }: ModelServer): boolean {
  return provider === "llamacpp" || provider === "vllm";
}

/** The special tokens that a template's own prompt is made of. */
function marksOf({ fill, specialTokens }: FillTemplate): readonly string[] {
  return specialTokens.filter((token) => fill.includes(token));
}

async function countTokens(server: ModelServer, text: string, signal: AbortSignal | undefined): Promise<number> {
  const { provider, model } = server.name;
  const body =
    provider === "vllm"
      ? { model, prompt: text, add_special_tokens: false }
      : { content: text, add_special: false, parse_special: true };
  const message = await server.ask({ routes: ["/tokenize"], framing: "json", body }, signal);
  const tokens = message["tokens"];
  return numberIn(message, "count") ?? (Array.isArray(tokens) ? tokens.length : 0);
}
