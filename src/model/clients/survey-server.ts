import type { ModelCallOptions, ModelDescription } from "../model.ts";
import type { ServerProvider } from "../providers.ts";
import { RouteMissing } from "./explain-failure.ts";
import type { ModelServer } from "./model-server.ts";
import { type Message, numberIn, objectIn, objectsIn, textIn } from "./server-answer.ts";

/** What a server reports about itself and its model. */
export interface ServerSurvey extends ModelDescription {
  /** Whether it answered; false without a request. */
  readonly isReachable: boolean;
  /** Whether its answer is that of a server of this kind. */
  readonly isKnown: boolean;
  readonly version?: string;
  /** The models it has, where it lists them. */
  readonly models?: readonly string[];
  /** The most tokens the server takes of this model. */
  readonly contextTokens?: number;
}

/**
 * Requests what a server reports about itself, by the routes of its kind; properties that it does
 * not report are absent.
 *
 * Sends no request to providers without a list of models: then `isReachable` is `false`. Rejects
 * with `ModelError` when the server cannot be reached, has no such model, or a key is missing, and
 * with the signal's reason.
 */
export async function surveyServer(server: ModelServer, { signal }: ModelCallOptions): Promise<ServerSurvey> {
  await server.needKey(signal);
  const { provider } = server.name;
  if (unlisted.has(provider)) return { isReachable: false, isKnown: false };
  return { isReachable: true, ...(await (surveys[provider] ?? surveyModels)(server, signal)) };
}

/** They have no list of models of this shape, or none that is worth a request. */
const unlisted: ReadonlySet<ServerProvider> = new Set(["anthropic", "google"]);

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
    const answer = await tryGet(server, [route], signal);
    const version = answer === undefined ? undefined : textIn(answer, "version");
    if (answer !== undefined && version === undefined) throw server.strangeAnswer(answer, server.name.baseUrl + route);
    const body = { model: server.name.model };
    const shown = await server.askAbout({ routes: ["/api/show"], framing: "json", body }, signal);
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
    const answer = await tryGet(server, ["/api/v0/models", "/v1/models"], signal);
    const listed = objectsIn(answer, "data");
    const own = listed.find(({ id }) => id === server.name.model);
    const contextTokens = numberIn(own, "loaded_context_length") ?? numberIn(own, "max_context_length");
    const isKnown = Array.isArray(answer?.["data"]);
    return {
      isKnown,
      ...(isKnown ? { models: idsOf(listed) } : {}),
      ...(contextTokens === undefined ? {} : { contextTokens }),
    };
  },
};

const surveyModels: Survey = async (server, signal) => {
  const answer = await tryGet(server, ["/v1/models", "/models"], signal);
  const listed = objectsIn(answer, "data");
  const own = listed.find(({ id }) => id === server.name.model);
  const contextTokens = numberIn(own, "max_model_len");
  // In vLLM, `root` is the model behind a name that its owner chose.
  const family = textIn(own, "root");
  return {
    isKnown: Array.isArray(answer?.["data"]),
    ...(listed.length === 0 ? {} : { models: idsOf(listed) }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(family === undefined ? {} : { family }),
  };
};

/**
 * The answer of the first existing route; `undefined` where there is none, as many servers only
 * complete.
 */
async function tryGet(
  server: ModelServer,
  routes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Message | undefined> {
  try {
    return await server.askAbout({ routes, framing: "json" }, signal);
  } catch (error) {
    if (error instanceof RouteMissing) return undefined;
    throw error;
  }
}

function idsOf(models: readonly Message[]): readonly string[] {
  return models.flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}

/** The training data in the file of the model. */
function trainingOf(finetune: string | undefined): ServerSurvey["training"] {
  if (finetune === undefined) return undefined;
  if (/instruct|chat|\bit\b/i.test(finetune)) return "instruct";
  return /^base$/i.test(finetune) ? "base" : undefined;
}
