import type { ModelCallOptions } from "../model.ts";
import type { ServerProvider } from "../providers.ts";
import { RouteMissing } from "./explain-failure.ts";
import { numberIn, objectIn, objectsIn, textIn } from "./message-fields.ts";
import type { ModelServer } from "./model-server.ts";
import type { Message } from "./server-answer.ts";

/** What a server tells about itself and its model. */
export interface ServerSurvey {
  /** Whether it answered; one that was not asked did not. */
  readonly isReachable: boolean;
  readonly version?: string;
  /** The models it has, where it lists them. */
  readonly models?: readonly string[];
  /** The most tokens the server takes of this model. */
  readonly contextTokens?: number;
  readonly training?: "base" | "instruct";
}

/**
 * Asks a server about itself, by whichever routes its kind has; what is not told stays out.
 *
 * Rejects with `ModelError` when it cannot be asked at all, or knows no such model.
 */
export async function surveyServer(server: ModelServer, { signal }: ModelCallOptions): Promise<ServerSurvey> {
  server.needKey();
  const { provider } = server.name;
  if (unasked.has(provider)) return { isReachable: false };
  return { isReachable: true, ...(await (surveys[provider] ?? surveyModels)(server, signal)) };
}

/** They have no list of models of this shape, or none that is worth a request. */
const unasked: ReadonlySet<ServerProvider> = new Set(["anthropic", "google"]);

type Survey = (server: ModelServer, signal: AbortSignal | undefined) => Promise<Omit<ServerSurvey, "isReachable">>;

const surveys: Partial<Readonly<Record<ServerProvider, Survey>>> = {
  async llamacpp(server, signal) {
    const props = await get(server, ["/props"], signal);
    const contextTokens = numberIn(objectIn(props, "default_generation_settings"), "n_ctx");
    const version = textIn(props, "build_info");
    return { ...(version === undefined ? {} : { version }), ...(contextTokens === undefined ? {} : { contextTokens }) };
  },

  async ollama(server, signal) {
    const version = textIn(await get(server, ["/api/version"], signal), "version");
    const body = { model: server.name.model };
    const shown = await server.ask({ routes: ["/api/show"], framing: "json", body }, signal);
    const info = objectIn(shown, "model_info");
    const contextTokens = numberIn(info, `${textIn(info, "general.architecture")}.context_length`);
    const training = trainingOf(textIn(info, "general.finetune"));
    return {
      ...(version === undefined ? {} : { version }),
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(training === undefined ? {} : { training }),
    };
  },

  async lmstudio(server, signal) {
    const listed = objectsIn(await get(server, ["/api/v0/models", "/v1/models"], signal), "data");
    const own = listed.find(({ id }) => id === server.name.model);
    const contextTokens = numberIn(own, "loaded_context_length") ?? numberIn(own, "max_context_length");
    return { models: idsOf(listed), ...(contextTokens === undefined ? {} : { contextTokens }) };
  },
};

const surveyModels: Survey = async (server, signal) => {
  const listed = objectsIn(await get(server, ["/v1/models", "/models"], signal), "data");
  const contextTokens = numberIn(
    listed.find(({ id }) => id === server.name.model),
    "max_model_len",
  );
  return {
    ...(listed.length === 0 ? {} : { models: idsOf(listed) }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
};

/** What a route answers; nothing where there is no such route, for many a server completes and tells nothing else. */
async function get(server: ModelServer, routes: readonly string[], signal: AbortSignal | undefined): Promise<Message> {
  try {
    return await server.ask({ routes, framing: "json" }, signal);
  } catch (error) {
    if (error instanceof RouteMissing) return {};
    throw error;
  }
}

function idsOf(models: readonly Message[]): readonly string[] {
  return models.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}

/** What the model's file says about its training. */
function trainingOf(finetune: string | undefined): ServerSurvey["training"] {
  if (finetune === undefined) return undefined;
  if (/instruct|chat|\bit\b/i.test(finetune)) return "instruct";
  return /^base$/i.test(finetune) ? "base" : undefined;
}
