import { portOf } from "../base-url.ts";
import { ModelError, type ModelFailure } from "../model-error.ts";
import { printModelName, type ServerModelName } from "../model-name.ts";
import { serverFacts } from "../providers.ts";
import { fillTemplates } from "../templates/families.ts";

/** Who was asked what. */
export interface Asked {
  readonly name: ServerModelName;
  readonly url: string;
  /** Addresses asked before this one, which were not there. */
  readonly tried: readonly string[];
  /** The variables a key would come from, and the one it did come from. */
  readonly keyNames: readonly string[];
  readonly keyName: string | undefined;
  /** The key itself, which no message may hold. */
  readonly key: string | undefined;
}

/** An answer that says no. */
export interface Refusal {
  readonly status: number;
  /** The body, or its beginning. */
  readonly body: string;
}

/** The server does not know the path that was asked; what was asked for on it is something else. */
export class RouteMissing extends ModelError {}

/** The error for an answer that says no: its cause, and the exact command or setting that helps. */
export function explainRefusal(asked: Asked, { status, body }: Refusal): ModelError {
  const { title, start, fetchModel } = serverFacts[asked.name.provider];
  const said = saidBy(asked.key === undefined ? body : body.replaceAll(asked.key, "…"));
  const quoted = said === "" ? "" : ` It said: ${said}`;
  const error = (code: ModelFailure, message: string) =>
    new ModelError(code, message + quoted, { url: asked.url, status });

  if (status === 401 || status === 403) {
    if (asked.keyName === undefined) return explainMissingKey(asked, { status, quoted });
    const cause = status === 401 ? "does not know the key" : "does not allow this with the key";
    return error("key-refused", `${title} ${cause} in ${asked.keyName}. Check it.`);
  }
  if (cannotFill.test(said)) {
    const message = `${theModel(asked.name)} cannot fill in the middle by ${title}'s own means. ${fillCure(asked.name)}`;
    return error("unsupported", message);
  }
  if (/unexpected endpoint/i.test(said)) return routeMissing(asked, status, quoted);
  if (
    /context.{0,12}(size|length|window)|maximum context|input length exceeds|too many tokens|prompt is too long/i.test(
      said,
    )
  ) {
    return error(
      "context-too-long",
      `The prompt does not fit into the context of ${title}. ${contextCure(asked.name)}`,
    );
  }
  if (isModelMissing(said)) {
    const model = asked.name.model ?? "MODEL";
    const command =
      fetchModel?.(model) ?? (asked.name.provider === "vllm" ? start?.(model, portOf(asked.name.baseUrl)) : undefined);
    const cure = command === undefined ? "Check its name; `emend status` lists what there is." : `Run \`${command}\`.`;
    return error("not-found", `${title} has no model ${JSON.stringify(model)}. ${cure}`);
  }
  switch (status) {
    case 404:
    case 405:
    case 501:
      return routeMissing(asked, status, quoted);
    case 429:
      return error("rate-limited", `${title} answers no more requests for now. Wait, or look at the account's limits.`);
    case 502:
    case 503:
    case 504:
      return /loading/i.test(said)
        ? error("busy", `${title} is still loading its model. Ask again in a moment.`)
        : error("busy", `${title} is not ready (${status}). Ask again in a moment.`);
  }
  if (status >= 500) return error("server-failed", `${title} failed with ${status}. Its log says why.`);
  return error("request-refused", `${title} refused the request with ${status}.`);
}

/** The error for a request that never got an answer. */
export function explainNoAnswer(asked: Asked, cause: unknown): ModelError {
  const { title, start } = serverFacts[asked.name.provider];
  const error = (message: string) => new ModelError("unreachable", message, { url: asked.url, cause });
  const { code, port } = systemFailure(cause);
  const where = asked.name.baseUrl;
  if (code === "ECONNREFUSED" && port !== undefined && port !== portOf(where)) {
    return error(
      `The proxy on the way to ${where} does not listen on its port ${port}. Start it, correct HTTP_PROXY and HTTPS_PROXY, or put the host into NO_PROXY.`,
    );
  }
  if (code === "ECONNREFUSED") {
    const cure =
      start === undefined
        ? "Check the address."
        : `Start it with \`${start(asked.name.model ?? "MODEL", portOf(where))}\`.`;
    return error(`Nothing listens at ${where}. ${cure}`);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return error(`No machine is known by the name in ${where}. Check the address, and the network.`);
  }
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "EPROTO") {
    return error(`${where} does not speak https. Write \`http://\` instead.`);
  }
  if (/CERT|SELF_SIGNED|ISSUER|ERR_TLS/.test(code)) {
    return error(
      `The certificate of ${where} is not trusted (${code}). Name its authority's file in NODE_EXTRA_CA_CERTS.`,
    );
  }
  const detail = code === "" ? "" : ` (${code})`;
  return error(
    `The connection to ${title} at ${where} broke before an answer came${detail}. Look at its log, and ask again.`,
  );
}

/** Whether a request that failed like this was never begun, so that sending it again does no harm. */
export function isBrokenConnection(cause: unknown): boolean {
  return /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(systemFailure(cause).code);
}

/** How a person makes a model fill that cannot by its server's own means. */
export function fillCure({ provider }: ServerModelName): string {
  const names = fillTemplates.map(({ name }) => name).join(", ");
  const other =
    provider === "ollama" ? "Take a base model, such as `ollama pull qwen2.5-coder:1.5b-base`; or name" : "Name";
  return `${other} the model's template in the setting \`template\` (${names}), or set \`fillBy\` to \`chat\`.`;
}

/** What a server said, in one line of at most 300 characters; empty for nothing and for web pages. */
export function saidBy(body: string): string {
  const text = messageIn(body) ?? (/^\s*</.test(body) ? "" : body);
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

/** The error for a key that is needed and not there. */
export function explainMissingKey(
  { name, url, keyNames }: Asked,
  { status, quoted = "" }: { readonly status?: number; readonly quoted?: string } = {},
): ModelError {
  const { title } = serverFacts[name.provider];
  const message = `${title} wants a key. Set the environment variable ${keyNames.join(" or ")}.${quoted}`;
  return new ModelError("no-key", message, { url, status });
}

function routeMissing({ name, url, tried }: Asked, status: number, quoted: string): RouteMissing {
  const { title } = serverFacts[name.provider];
  const there = title === "The server" ? "that it is a server of this kind" : `that ${title} listens there`;
  const cure = `Check the address in \`${printModelName(name)}\`, and ${there}.`;
  const message = `${title} has no route ${[...tried, url].join(", nor ")}. ${cure}${quoted}`;
  return new RouteMissing("not-found", message, { url, status });
}

/** How llama.cpp, Ollama, vLLM and OpenAI say that they mark no hole with this model. */
const cannotFill =
  /not support (insert|infill|suffix)|infill is not supported|suffix is not (currently )?supported|is a chat model/i;

function isModelMissing(said: string): boolean {
  return /model/i.test(said) && /not.?found|not exist|no such|not loaded|invalid model/i.test(said);
}

function contextCure({ provider }: ServerModelName): string {
  const larger: Partial<Record<ServerModelName["provider"], string>> = {
    llamacpp: ", or start it with a larger one: `llama-server … --ctx-size 16384`",
    vllm: ", or start it with a larger one: `vllm serve … --max-model-len 16384`",
    ollama: ", or make it larger: Emend asks Ollama for as many tokens as that setting says",
  };
  return `Set \`contextTokens\` to its true size${larger[provider] ?? ""}.`;
}

function theModel({ model }: ServerModelName): string {
  return model === undefined ? "This model" : `The model ${JSON.stringify(model)}`;
}

/** The message in an error of any server: `{error}`, `{error: {message}}`, `{message}`, `{detail}`. */
function messageIn(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  for (let depth = 0; depth < 6; depth++) {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) value = value[0];
    else if (typeof value === "object" && value !== null) {
      const fields = value as Record<string, unknown>;
      value = fields["error"] ?? fields["message"] ?? fields["detail"] ?? fields["msg"];
    } else return undefined;
  }
  return undefined;
}

/** What the system says about an error or what caused it: its name for it, empty where none is told, and the port. */
function systemFailure(error: unknown): { readonly code: string; readonly port: number | undefined } {
  let cause = error;
  for (let depth = 0; depth < 5 && typeof cause === "object" && cause !== null; depth++) {
    const { code, port, cause: next, errors } = cause as Readonly<Record<string, unknown>>;
    // Of several addresses that were tried, the first tells enough.
    const first = Array.isArray(errors) ? systemFailure(errors[0]) : undefined;
    if (typeof code === "string") return { code, port: typeof port === "number" ? port : first?.port };
    cause = next;
  }
  return { code: "", port: undefined };
}
