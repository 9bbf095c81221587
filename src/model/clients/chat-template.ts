import { type Clock, runWithTimeout } from "../../async/index.ts";
import type { Model, ModelCallOptions } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { shownModelName } from "../model-name.ts";
import { RouteMissing } from "./explain-failure.ts";
import type { ModelServer } from "./model-server.ts";
import { OllamaClient } from "./ollama-client.ts";
import { countTokens } from "./prompt-limits.ts";
import { textIn } from "./server-answer.ts";
import type { ServerClient } from "./server-client.ts";

/** What a server reports of the template that it puts around a conversation. */
export interface ChatTemplate {
  readonly text: string;
  /**
   * Set where the template is a default of the server that the model's vocabulary does not have.
   */
  readonly isForeign?: true;
}

/**
 * Requests the chat template of a model; `undefined` where the server does not report it. Never
 * rejects.
 */
export type ReportsChatTemplate = (options: ModelCallOptions) => Promise<ChatTemplate | undefined>;

/**
 * Returns a function that requests a server's chat template; `undefined` for servers that report
 * none.
 *
 * A failure, an abort, or no answer within two seconds resolves with `undefined`. Only a template,
 * or the absence of the route, is cached.
 */
export function chatTemplateReporter(
  server: ModelServer,
  { client, clock }: { readonly client: ServerClient; readonly clock: Clock },
): ReportsChatTemplate | undefined {
  const ask = asking(server, client);
  if (ask === undefined) return undefined;
  let known: { readonly template: ChatTemplate | undefined } | undefined;
  return async ({ signal }) => {
    if (known !== undefined) return known.template;
    try {
      const late = () => new ModelError("timed-out", "The template did not come in time.");
      // A server that never answers must not hold up the process once the answer is there.
      known = { template: await runWithTimeout(ask, { clock, limitMs: maxWaitMs, signal, late }) };
    } catch (error) {
      if (error instanceof RouteMissing) known = { template: undefined };
    }
    return known?.template;
  };
}

/**
 * The `chat` of a model that is refused, before a conversation is sent, where the server reports
 * that the model has no chat template: it was trained to complete alone. `canChat` reports the same
 * without a conversation; it is absent where the kind of server never shows it.
 */
export function refusedWithoutTemplate(
  chat: NonNullable<Model["chat"]>,
  { name }: Pick<ModelServer, "name">,
  reports: ReportsChatTemplate | undefined,
): Required<Pick<Model, "chat">> & Pick<Model, "canChat"> {
  // Only llama.cpp's answer shows that a model has none; Ollama's chat requests the same by itself.
  if (reports === undefined || name.provider !== "llamacpp") return { chat };
  const canChat: Model["canChat"] = async (options = {}) => (await reports(options))?.isForeign !== true;
  return {
    canChat,
    async *chat(request, options = {}) {
      options.signal?.throwIfAborted();
      const isPossible = await canChat(options);
      options.signal?.throwIfAborted();
      if (!isPossible) {
        const shown = shownModelName(name);
        const message = `\`${shown}\` has no chat template, so it completes code and takes no instructions. \`emend setup\` finds a model that chats and sets \`edit.model\`; where this one was trained to chat, start its server with the template of its training: \`--chat-template llama3\` or another name but \`chatml\`, which llama.cpp reports where a model has none, too, or \`--chat-template-file\`.`;
        throw new ModelError("unsupported", message);
      }
      return yield* chat(request, options);
    },
  };
}

function asking(
  server: ModelServer,
  client: ServerClient,
): ((signal: AbortSignal | undefined) => Promise<ChatTemplate>) | undefined {
  if (client instanceof OllamaClient) return async (signal) => ({ text: (await client.show(signal)).template });
  if (server.name.provider !== "llamacpp") return undefined;
  return async (signal) => {
    const text = textIn(await server.ask({ routes: ["/props"], framing: "json" }, signal), "chat_template") ?? "";
    const isForeign = withoutBlanks(text) === withoutBlanks(defaultTemplate) && !(await knowsDefault(server, signal));
    return { text, ...(isForeign && { isForeign }) };
  };
}

/** The most milliseconds that an answer waits for the template. */
const maxWaitMs = 2_000;

/**
 * What llama.cpp reports for a model whose file has no template, and with `--chat-template chatml`:
 * the whole answer is the same.
 *
 * Source: `CHATML_TEMPLATE_SRC` in llama.cpp's `common/chat.cpp`.
 */
const defaultTemplate = `
{%- for message in messages -%}
  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
  {{- '<|im_start|>assistant\n' -}}
{%- endif -%}
`;

function withoutBlanks(text: string): string {
  return text.replace(/\\n|\s/g, "");
}

/** Whether the marks of the default are tokens of the model; true where the server does not say. */
async function knowsDefault(server: ModelServer, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    return (await countTokens(server, "<|im_start|>", signal)) <= 1;
  } catch (error) {
    if (error instanceof ModelError) return true;
    throw error;
  }
}
