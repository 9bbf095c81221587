import { hasVersion } from "./base-url.ts";
import { defaultTotalMs } from "./clients/answer-limits.ts";
import { chatTemplateReporter, refusedWithoutTemplate } from "./clients/chat-template.ts";
import { CompletionsClient } from "./clients/completions-client.ts";
import { withSilenceExplained } from "./clients/explain-silence.ts";
import { fillByChat } from "./clients/fill-by-chat.ts";
import { fillWithinContext, textOf } from "./clients/fill-within-context.ts";
import { LlamacppClient } from "./clients/llamacpp-client.ts";
import { ModelServer } from "./clients/model-server.ts";
import { OllamaClient } from "./clients/ollama-client.ts";
import { hasTokenizer, limitFaces } from "./clients/prompt-limits.ts";
import { type ServerPace, tryPaceOf } from "./clients/prompt-pace.ts";
import { type FillTemplating, openTagReporter, withOpeningTag } from "./clients/restore-opening-tag.ts";
import type { ServerClient, TextCall } from "./clients/server-client.ts";
import { streamFill, streamRaw } from "./clients/stream-text.ts";
import { surveyServer } from "./clients/survey-server.ts";
import type { FillRequest, Model, ModelDescription } from "./model.ts";
import { ModelError } from "./model-error.ts";
import type { ChatOptions, ModelHost } from "./model-host.ts";
import { parseModelName, type ServerModelName, shownModelName } from "./model-name.ts";
import { printFillWay } from "./model-report.ts";
import { type FillTemplate, fillTemplateByName, fillTemplates } from "./templates/families.ts";

/**
 * The model behind a server that `name` names, see `parseModelName`. No request is sent yet.
 *
 * It has `fill` unless it can only chat and the host has no chat, and `completeRaw` unless the
 * provider is a company's hosted service. A capability that the server turns out to lack is a
 * {@link ModelError} at its first request. Throws {@link ModelError} `unsupported` for a name that
 * cannot be read, for an unknown template, and for `builtin` and `gguf:`, which no server has.
 */
export function openModel(name: string | ServerModelName, host: ModelHost): Model {
  return modelOf(new ModelServer(typeof name === "string" ? readServerName(name) : name, host), host);
}

/**
 * The model behind a server, as {@link openModel} returns it for the server's name. Throws {@link
 * ModelError} `unsupported` for an unknown template.
 */
export function modelOf(server: ModelServer, host: ModelHost): Model {
  const client = clientOf(server);
  const template = chatTemplateReporter(server, { client, clock: host.clock });
  const reports = template && openTagReporter(template);
  const chatFaces = (own: NonNullable<Model["chat"]>) => {
    const faces = refusedWithoutTemplate(withOpeningTag(own, reports), server, template);
    return { ...faces, chat: withSilenceExplained(faces.chat, server, host.clock) };
  };
  const opened = client.chat === undefined ? openChat(server, host) : ownChatOf(server, client);
  const chat = opened?.chat && { ...opened, ...chatFaces(opened.chat.bind(opened)) };
  const contextTokens = contextTokensOf(server);
  const limits = limitFaces(server, { client, clock: host.clock });
  const common = {
    name: shownModelName(server.name),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    fillWay: printFillWay(fillWayOf(server), templateOf(server)?.name),
    describe: describer(server),
    ...limits,
  };
  const raw = rawFaceOf(server, client);
  if (fillWayOf(server) === "chat") return { ...(chat === undefined ? {} : fillByChat(chat)), ...common, ...raw };
  // Of these servers only Ollama puts its template around the prompt of a fill, and not around one
  // of ours.
  const isTemplated = server.name.provider === "ollama" && templateOf(server) === undefined;
  const templating = reports && { reports, isTemplated };
  const pace = tryPaceOf(server, { client, clock: host.clock });
  return {
    ...common,
    ...facesOf(server, client, { templating, pace, ...limits }),
    ...raw,
    ...(chat && { chat: chat.chat, ...(chat.canChat && { canChat: chat.canChat }) }),
  };
}

/**
 * Who marks the hole, by the settings or else the kind of server: the server by means of its own, a
 * template of ours, or an instruction in a chat.
 */
export function fillWayOf({ settings, facts }: ModelServer): "server" | "template" | "chat" {
  const { template, fillBy = template === undefined ? facts.fillBy : "completion" } = settings;
  if (fillBy === "chat") return "chat";
  return template === undefined ? "server" : "template";
}

/**
 * The template that the settings give or name; `undefined` where they have none. Throws
 * {@link ModelError} `unsupported` for an unknown name.
 */
export function templateOf({ settings, name }: ModelServer): FillTemplate | undefined {
  const { template } = settings;
  if (typeof template !== "string") return template;
  const known = fillTemplateByName(template);
  if (known !== undefined) return known;
  const names = fillTemplates.map(({ name }) => name).join(", ");
  throw new ModelError(
    "unsupported",
    `There is no template \`${template}\` for \`${shownModelName(name)}\`; there are ${names}.`,
  );
}

/**
 * The client of the server. Throws {@link ModelError} `unsupported` for an unknown template, as
 * {@link templateOf} does.
 */
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

function facesOf(
  server: ModelServer,
  client: ServerClient,
  {
    templating,
    pace,
    countPrompt,
  }: Pick<Model, "countPrompt"> & {
    readonly templating: FillTemplating | undefined;
    readonly pace: ServerPace | undefined;
  },
): Pick<Model, "fill" | "next" | "warm" | "pace"> {
  return {
    ...(pace && { pace }),
    fill: (request, options = {}) =>
      fillWithinContext(
        request,
        async function* (each) {
          options.signal?.throwIfAborted();
          const request = await client.fill(each, options);
          const followed = pace?.follow(each);
          const call = {
            ...request,
            counted: learner(server, client, each),
            ...(followed && { answered: followed.answered }),
          };
          const limits = { maxLines: each.maxLines ?? 1, place: each, templating };
          try {
            return yield* streamFill(server, call, limits, options);
          } finally {
            followed?.stopped();
          }
        },
        { meter: server.meter, ...(countPrompt && { countPrompt }) },
      ),
    ...(client.warm && {
      warm: async (request, options = {}) => {
        options.signal?.throwIfAborted();
        const followed = pace?.follow(request);
        const counted = learner(server, client, request);
        try {
          const part = await client.warm!(request, options);
          followed?.answered(part);
          if (part.promptTokens !== undefined) counted(part.promptTokens);
        } finally {
          followed?.stopped();
        }
      },
    }),
    ...(client.next === undefined ? {} : { next: (request, options = {}) => client.next!(request, options) }),
  };
}

/** Learns from the tokens of an answered prompt how the server takes prompts. */
function learner(server: ModelServer, client: ServerClient, request: FillRequest): NonNullable<TextCall["counted"]> {
  const read = client.promptReader?.(request);
  return (tokens) => {
    read?.(tokens);
    if (!hasTokenizer(server)) server.meter.counted(request.language, textOf(request), tokens);
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

function ownChatOf(server: ModelServer, client: ServerClient): Model {
  return {
    name: shownModelName(server.name),
    async *chat(request, options = {}) {
      options.signal?.throwIfAborted();
      return yield* streamRaw(server, await client.chat!(request, options), options);
    },
  };
}

/** Requests once; a failed request is repeated by the next caller. */
function describer(server: ModelServer): NonNullable<Model["describe"]> {
  let description: ModelDescription | undefined;
  return async (options = {}) => {
    options.signal?.throwIfAborted();
    if (description !== undefined) return description;
    const { family, file, training } = await surveyServer(server, options);
    description = {
      ...(family === undefined ? {} : { family }),
      ...(file === undefined ? {} : { file }),
      ...(training === undefined ? {} : { training }),
    };
    return description;
  };
}

function readServerName(text: string): ServerModelName {
  const { name, issues } = parseModelName(text);
  if (name === undefined) throw new ModelError("unsupported", issues[0]!.message);
  if (name.provider !== "builtin" && name.provider !== "gguf") return name;
  throw new ModelError("unsupported", `No server has \`${text}\`: it is opened by a maker of its own.`);
}

/** The chat of the host, opened with the first question, when the key is known. */
function openChat(server: ModelServer, { openChat }: ModelHost): Model | undefined {
  if (openChat === undefined) return undefined;
  const options = chatOptionsOf(server);
  let opened: Model | undefined;
  return {
    name: options.name,
    async *chat(request, callOptions = {}) {
      callOptions.signal?.throwIfAborted();
      await server.loadKey(callOptions.signal);
      const { value: key, names, name = names[0]! } = server.key;
      opened ??= openChat({ ...options, ...(key === undefined ? {} : { key }), keyVariable: name });
      return yield* opened.chat!(request, callOptions);
    },
  };
}

/** All that a chat is opened with but the key. Throws as {@link ModelServer.headers} does. */
function chatOptionsOf(server: ModelServer): Omit<ChatOptions, "key" | "keyVariable"> {
  const { name, facts, settings } = server;
  return {
    provider: name.provider,
    name: shownModelName(name),
    // A server with a single model takes any name for it.
    model: name.model ?? "default",
    baseUrl: hasVersion(name.baseUrl) ? name.baseUrl : name.baseUrl + facts.version,
    ...(name.query === undefined ? {} : { query: name.query }),
    headers: server.headers,
    ...(settings.request === undefined ? {} : { request: settings.request }),
    timeouts: {
      firstPartMs: settings.firstByteMs ?? 60_000,
      idleMs: settings.idleMs ?? 20_000,
      totalMs: settings.totalMs ?? defaultTotalMs,
    },
    ...(settings.retries === undefined ? {} : { retries: settings.retries }),
    ...(settings.contextTokens === undefined ? {} : { contextTokens: settings.contextTokens }),
  };
}

function contextTokensOf({ facts, settings }: ModelServer): number | undefined {
  return settings.contextTokens ?? facts.contextTokens;
}
