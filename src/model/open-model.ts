import { hasVersion } from "./base-url.ts";
import { CompletionsClient } from "./clients/completions-client.ts";
import { fillByChat } from "./clients/fill-by-chat.ts";
import { LlamacppClient } from "./clients/llamacpp-client.ts";
import { ModelServer } from "./clients/model-server.ts";
import { OllamaClient, ollamaContextTokens } from "./clients/ollama-client.ts";
import type { ServerClient } from "./clients/server-client.ts";
import { streamFill } from "./clients/stream-fill.ts";
import { streamRaw } from "./clients/stream-raw.ts";
import { surveyServer } from "./clients/survey-server.ts";
import type { Model, ModelDescription } from "./model.ts";
import { ModelError } from "./model-error.ts";
import type { ModelHost } from "./model-host.ts";
import { parseModelName, printModelName, type ServerModelName } from "./model-name.ts";
import { printFillWay } from "./model-report.ts";
import { fillTemplateByName, fillTemplates } from "./templates/families.ts";
import type { FillTemplate } from "./templates/template.ts";

/**
 * The model behind a server that `name` names, see `parseModelName`. Nothing is asked of the server yet.
 *
 * It has `fill` unless it can only chat and the host has no chat, and `completeRaw` unless the models are a company's own; what a server turns out not to be able to do is a
 * {@link ModelError} when it is asked. Throws {@link ModelError} `unsupported` for a name that cannot be read, for a
 * template that nobody knows, and for `builtin` and `gguf:`, which no server has.
 */
export function openModel(name: string | ServerModelName, host: ModelHost): Model {
  return modelOf(new ModelServer(typeof name === "string" ? readServerName(name) : name, host), host);
}

/** {@link openModel} for a server that is at hand. */
export function modelOf(server: ModelServer, host: ModelHost): Model {
  const client = clientOf(server);
  const chat = openChat(server, host);
  const contextTokens = contextTokensOf(server);
  const common = {
    name: printModelName(server.name),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    fillWay: printFillWay(fillWayOf(server), templateOf(server)?.name),
    describe: describer(server),
  };
  const raw = rawFaceOf(server, client);
  if (fillWayOf(server) === "chat") return { ...(chat === undefined ? {} : fillByChat(chat)), ...common, ...raw };
  return { ...common, ...facesOf(server, client), ...raw, ...(chat?.chat === undefined ? {} : { chat: chat.chat }) };
}

/** Who marks the hole: the server by means of its own, a template of ours, or an instruction in a chat. */
export function fillWayOf({ settings, facts }: ModelServer): "server" | "template" | "chat" {
  const { template, fillBy = template === undefined ? facts.fillBy : "completion" } = settings;
  if (fillBy === "chat") return "chat";
  return template === undefined ? "server" : "template";
}

/** The template that the settings name. Throws {@link ModelError} `unsupported` for one that nobody knows. */
export function templateOf({ settings, name }: ModelServer): FillTemplate | undefined {
  const { template } = settings;
  if (typeof template !== "string") return template;
  const known = fillTemplateByName(template);
  if (known !== undefined) return known;
  const names = fillTemplates.map(({ name }) => name).join(", ");
  throw new ModelError(
    "unsupported",
    `There is no template \`${template}\` for \`${printModelName(name)}\`; there are ${names}.`,
  );
}

/** How the server is asked. Throws as {@link templateOf} does. */
export function clientOf(server: ModelServer): ServerClient {
  const template = templateOf(server);
  switch (server.name.provider) {
    case "llamacpp":
      return new LlamacppClient(server, template);
    case "ollama":
      return new OllamaClient(server, template);
    default:
      return new CompletionsClient(server, template);
  }
}

function facesOf(server: ModelServer, client: ServerClient): Pick<Model, "fill" | "next" | "warm"> {
  return {
    async *fill(request, options = {}) {
      options.signal?.throwIfAborted();
      const call = await client.fill(request, options);
      return yield* streamFill(server, call, { maxLines: request.maxLines ?? 1 }, options);
    },
    ...(client.warm === undefined ? {} : { warm: (request, options = {}) => client.warm!(request, options) }),
    ...(client.next === undefined ? {} : { next: (request, options = {}) => client.next!(request, options) }),
  };
}

function rawFaceOf(server: ModelServer, client: ServerClient): Pick<Model, "completeRaw"> {
  if (client.completeRaw === undefined) return {};
  return {
    async *completeRaw(request, options = {}) {
      options.signal?.throwIfAborted();
      return yield* streamRaw(server, await client.completeRaw!(request, options), options);
    },
  };
}

/** Asks the server once; whoever is refused asks again. */
function describer(server: ModelServer): NonNullable<Model["describe"]> {
  let told: ModelDescription | undefined;
  return async (options = {}) => {
    options.signal?.throwIfAborted();
    if (told !== undefined) return told;
    const { family, file, training } = await surveyServer(server, options);
    told = {
      ...(family === undefined ? {} : { family }),
      ...(file === undefined ? {} : { file }),
      ...(training === undefined ? {} : { training }),
    };
    return told;
  };
}

function readServerName(text: string): ServerModelName {
  const { name, issues } = parseModelName(text);
  if (name === undefined) throw new ModelError("unsupported", issues[0]!.message);
  if (name.provider !== "builtin" && name.provider !== "gguf") return name;
  throw new ModelError("unsupported", `No server has \`${text}\`: it is opened by a maker of its own.`);
}

function openChat(server: ModelServer, { openChat }: ModelHost): Model | undefined {
  const { name, facts, settings } = server;
  const { value: key, names, name: keyName = names[0]! } = server.key;
  return openChat?.({
    provider: name.provider,
    name: printModelName(name),
    // A server with a single model takes any name for it.
    model: name.model ?? "default",
    baseUrl: hasVersion(name.baseUrl) ? name.baseUrl : name.baseUrl + facts.version,
    ...(key === undefined ? {} : { key }),
    keyVariable: keyName,
    headers: server.headers,
    timeouts: { firstPartMs: settings.firstByteMs ?? 60_000, idleMs: settings.idleMs ?? 20_000 },
    ...(settings.contextTokens === undefined ? {} : { contextTokens: settings.contextTokens }),
  });
}

function contextTokensOf({ name, settings }: ModelServer): number | undefined {
  return settings.contextTokens ?? (name.provider === "ollama" ? ollamaContextTokens : undefined);
}
