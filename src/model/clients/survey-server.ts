import type { ModelCallOptions, ModelDescription } from "../model.ts";
import type { ServerProvider } from "../providers.ts";
import { RouteMissing } from "./explain-failure.ts";
import { numberIn, objectIn, objectsIn, textIn } from "./message-fields.ts";
import type { ModelServer } from "./model-server.ts";
import type { Message } from "./server-answer.ts";

/** What a server tells about itself and its model. */
export interface ServerSurvey extends ModelDescription {
  /** Whether it answered; one that was not asked did not. */
  readonly isReachable: boolean;
  /** Whether what it told is what a server of this kind tells. */
  readonly isKnown: boolean;
  readonly version?: string;
  /** The models it has, where it lists them. */
  readonly models?: readonly string[];
  /** The most tokens the server takes of this model. */
  readonly contextTokens?: number;
}

/**
 * Asks a server about itself, by whichever routes its kind has; what is not told stays out.
 *
 * Rejects with `ModelError` when it cannot be asked at all, or knows no such model.
 */
export async function surveyServer(server: ModelServer, { signal }: ModelCallOptions): Promise<ServerSurvey> {
  server.needKey();
  const { provider } = server.name;
  if (unasked.has(provider)) return { isReachable: false, isKnown: false };
  return { isReachable: true, ...(await (surveys[provider] ?? surveyModels)(server, signal)) };
}

/** They have no list of models of this shape, or none that is worth a request. */
const unasked: ReadonlySet<ServerProvider> = new Set(["anthropic", "google"]);

type Survey = (server: ModelServer, signal: AbortSignal | undefined) => Promise<Omit<ServerSurvey, "isReachable">>;

const surveys: Partial<Readonly<Record<ServerProvider, Survey>>> = {
  async llamacpp(server, signal) {
    const props = (await tryGet(server, ["/props"], signal)) ?? {};
    const contextTokens = numberIn(objectIn(props, "default_generation_settings"), "n_ctx");
    const version = textIn(props, "build_info");
    const [alias, file] = [textIn(props, "model_alias"), textIn(props, "model_path")];
    const family = alias ?? file;
    return {
      isKnown: version !== undefined || contextTokens !== undefined,
      ...(version === undefined ? {} : { version }),
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(family === undefined ? {} : { family }),
      ...(file === undefined || file === family ? {} : { file }),
    };
  },

  async ollama(server, signal) {
    const route = "/api/version";
    const told = await tryGet(server, [route], signal);
    const version = told === undefined ? undefined : textIn(told, "version");
    if (told !== undefined && version === undefined) throw server.strangeAnswer(told, server.name.baseUrl + route);
    const body = { model: server.name.model };
    const shown = await server.ask({ routes: ["/api/show"], framing: "json", body }, signal);
    const info = objectIn(shown, "model_info");
    const contextTokens = numberIn(info, `${textIn(info, "general.architecture")}.context_length`);
    const training = trainingOf(textIn(info, "general.finetune"));
    const family = textIn(info, "general.name");
    return {
      isKnown: version !== undefined,
      ...(version === undefined ? {} : { version }),
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(training === undefined ? {} : { training }),
      ...(family === undefined ? {} : { family }),
    };
  },

  async lmstudio(server, signal) {
    const told = await tryGet(server, ["/api/v0/models", "/v1/models"], signal);
    const listed = objectsIn(told, "data");
    const own = listed.find(({ id }) => id === server.name.model);
    const contextTokens = numberIn(own, "loaded_context_length") ?? numberIn(own, "max_context_length");
    const isKnown = Array.isArray(told?.["data"]);
    return {
      isKnown,
      ...(isKnown ? { models: idsOf(listed) } : {}),
      ...(contextTokens === undefined ? {} : { contextTokens }),
    };
  },
};

const surveyModels: Survey = async (server, signal) => {
  const told = await tryGet(server, ["/v1/models", "/models"], signal);
  const listed = objectsIn(told, "data");
  const own = listed.find(({ id }) => id === server.name.model);
  const contextTokens = numberIn(own, "max_model_len");
  // vLLM tells by this what stands behind a name that its owner has given.
  const family = textIn(own, "root");
  return {
    isKnown: Array.isArray(told?.["data"]),
    ...(listed.length === 0 ? {} : { models: idsOf(listed) }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(family === undefined ? {} : { family }),
  };
};

/** What a route answers; `undefined` where there is no such route, for many a server completes and tells nothing else. */
async function tryGet(
  server: ModelServer,
  routes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Message | undefined> {
  try {
    return await server.ask({ routes, framing: "json" }, signal);
  } catch (error) {
    if (error instanceof RouteMissing) return undefined;
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
