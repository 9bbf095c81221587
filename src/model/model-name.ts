import { sameEnds } from "../text/index.ts";
import { tryParseBaseUrl } from "./base-url.ts";
import { maskAddresses } from "./mask-secrets.ts";
import type { ModelSettings } from "./model-host.ts";
import { type ModelProvider, type ServerProvider, serverFacts } from "./providers.ts";

/** The one string by which a person names a model, taken apart. */
export type ModelName =
  | { readonly provider: "builtin" }
  /** A model file on this disk. */
  | { readonly provider: "gguf"; readonly path: string }
  | ServerModelName;

/** A model behind a server. */
export interface ServerModelName {
  readonly provider: ServerProvider;
  /** Where the server is, without a version or a slash at its end. */
  readonly baseUrl: string;
  /**
   * Sent with every request behind its path, such as `?api-version=2`; absent where there is none.
   */
  readonly query?: string;
  /** As the server calls it; absent where the server has only one. */
  readonly model?: string;
}

/** What is wrong with a model's name. The message has the remedy. */
export interface ModelNameIssue {
  readonly code:
    | "empty"
    | "provider-missing"
    | "provider-unknown"
    | "model-missing"
    | "url-missing"
    | "url-broken"
    | "url-credentials"
    | "unexpected-rest";
  readonly message: string;
}

/**
 * Reads a model's name: `builtin`, `ollama:qwen2.5-coder:1.5b`, `llamacpp:http://127.0.0.1:8012`,
 * `openai-compatible:http://host/v1#model`, `gguf:/models/tiny.gguf`.
 *
 * After the provider comes a model, or an address and, after `#`, a model. A number is a port of
 * this machine: `llamacpp:8012`. When there are issues, there is no `name`. Law: what
 * {@link printModelName} writes reads as the same name.
 */
export function parseModelName(text: string): {
  readonly name?: ModelName;
  readonly issues: readonly ModelNameIssue[];
} {
  const trimmed = text.trim();
  if (trimmed === "") return refuse("empty", `Name a model, such as ${examples}.`);
  const colon = trimmed.indexOf(":");
  const front = (colon < 0 ? trimmed : trimmed.slice(0, colon)).toLowerCase();
  const rest = colon < 0 ? "" : trimmed.slice(colon + 1).trim();
  if (!isProvider(front)) return refuseProvider(trimmed, front);
  if (front === "builtin") {
    return rest === ""
      ? { name: { provider: "builtin" }, issues: [] }
      : refuse("unexpected-rest", `\`builtin\` is the whole name; leave \`:${rest}\` out.`);
  }
  if (front === "gguf") {
    return rest === ""
      ? refuse("model-missing", "Write the path of the model's file behind `gguf:`, such as `gguf:/models/tiny.gguf`.")
      : { name: { provider: "gguf", path: rest }, issues: [] };
  }
  return parseServerName(front, rest);
}

/**
 * The name as one string that {@link parseModelName} reads, without the address where it is the
 * provider's default. Keys in an address are not masked.
 */
export function printModelName(name: ModelName): string {
  if (name.provider === "builtin") return "builtin";
  if (name.provider === "gguf") return `gguf:${name.path}`;
  const { provider, baseUrl, query = "", model } = name;
  const isHome = baseUrl === serverFacts[provider].home && query === "";
  if (isHome && model === undefined) return provider;
  if (isHome && provider !== "llamacpp") return `${provider}:${model}`;
  return printModelNameInFull(name);
}

/**
 * The name as one string that {@link parseModelName} reads, with the address also where it is the
 * provider's default. Keys in an address are not masked.
 */
export function printModelNameInFull(name: ModelName): string {
  if (!("baseUrl" in name)) return printModelName(name);
  const { provider, baseUrl, query = "", model } = name;
  return `${provider}:${baseUrl}${query}${model === undefined ? "" : `#${model}`}`;
}

/**
 * A model's name for people and logs: {@link printModelName} without keys in its address. A string
 * is not parsed; keys in its addresses are masked, too.
 */
export function shownModelName(name: ModelName | string): string {
  return maskAddresses(typeof name === "string" ? name : printModelName(name));
}

/** How a person writes a setting of a model: `models["ollama:m"].template`. */
export function printModelSetting(name: ModelName | string, key: keyof ModelSettings): string {
  return `models[${JSON.stringify(shownModelName(name))}].${key}`;
}

const examples = "`builtin`, `ollama:qwen2.5-coder:1.5b` or `llamacpp:http://127.0.0.1:8012`";

function parseServerName(provider: ServerProvider, rest: string): ReturnType<typeof parseModelName> {
  const { home, needsModel } = serverFacts[provider];
  const hash = rest.indexOf("#");
  const badScheme = /^(https?)(?!:\/\/)[:/]+(?=[^:/])/i.exec(rest);
  if (badScheme !== null) {
    const fixed = `${badScheme[1]!.toLowerCase()}://${rest.slice(badScheme[0].length)}`;
    return refuse("url-broken", `\`${rest}\` is no address of a server: write \`${provider}:${fixed}\`.`);
  }
  const hasUrl = rest !== "" && (provider === "llamacpp" || home === undefined || hash >= 0 || rest.includes("://"));
  if (!hasUrl && isAddress(rest)) {
    const url = tryParseBaseUrl(rest, provider)?.url ?? `http://${rest}`;
    const message = `\`${rest}\` is an address, and no model is named: write \`${provider}:${url}#MODEL\`.`;
    return refuse("model-missing", message);
  }
  const address = hasUrl ? (hash < 0 ? rest : rest.slice(0, hash)) : "";
  const model = hasUrl ? (hash < 0 ? "" : rest.slice(hash + 1).trim()) : rest;
  if (address === "" && home === undefined) {
    return refuse(
      "url-missing",
      `Write where the server is, such as \`${provider}:http://127.0.0.1:8080#${model === "" ? "MODEL" : model}\`.`,
    );
  }
  const url = address === "" ? undefined : tryParseBaseUrl(address, provider);
  if (address !== "" && url === undefined) {
    return refuse(
      "url-broken",
      `\`${address}\` is no address of a server; write it like \`${home ?? "http://127.0.0.1:8080"}\`.`,
    );
  }
  if (url?.hasCredentials === true) {
    const key = serverFacts[provider].keyNames[0];
    return refuse(
      "url-credentials",
      `Keep keys out of the address: write \`${url.url}\`, and put the key into ${key}.`,
    );
  }
  const baseUrl = url?.url ?? home!;
  const query = url?.query ?? "";
  if (model === "" && needsModel) {
    const example = hasUrl ? `${provider}:${baseUrl}#MODEL` : `${provider}:MODEL`;
    return refuse("model-missing", `Say which model, as in \`${example}\`.`);
  }
  return {
    name: { provider, baseUrl, ...(query === "" ? {} : { query }), ...(model === "" ? {} : { model }) },
    issues: [],
  };
}

/**
 * Whether a text is the address of a machine and not a model's name: `localhost`, an IP address, or
 * a port of at least four digits, with a name or alone. The number in `phi4:14b` is a model's size.
 */
function isAddress(text: string): boolean {
  return /^(localhost|\d{1,3}(\.\d{1,3}){3}|\[[\da-f:]+\])(:\d+)?(\/|$)|^([\w.-]*:)?\d{4,5}(\/|$)/i.test(text);
}

function refuseProvider(text: string, front: string): ReturnType<typeof parseModelName> {
  if (front === "http" || front === "https") {
    const message = `Say what listens there: \`llamacpp:${text}\`, \`ollama:${text}#MODEL\` or \`openai-compatible:${text}#MODEL\`.`;
    return refuse("provider-missing", message);
  }
  if (/\.gguf$/i.test(text)) return refuse("provider-missing", `Write \`gguf:${text}\` for a model's file.`);
  const near = /^llama\W?(server|cpp.*)?$/.test(front)
    ? "llamacpp"
    : providers.find((provider) => isNear(front, provider));
  if (near !== undefined) {
    return refuse("provider-unknown", `There is no \`${front}\`; write \`${near}${text.slice(front.length)}\`.`);
  }
  return refuse(
    "provider-unknown",
    `\`${text}\` does not say who serves it: write \`ollama:${text}\`, or another of ${providers.join(", ")} in front.`,
  );
}

const providers: readonly ModelProvider[] = ["builtin", "gguf", ...(Object.keys(serverFacts) as ServerProvider[])];

function isProvider(text: string): text is ModelProvider {
  return (providers as readonly string[]).includes(text);
}

/** Whether only case and signs differ, as in `llama.cpp` and `lm-studio`, or one character. */
function isNear(text: string, provider: string): boolean {
  const plain = text.replace(/[^a-z]/g, "");
  const bare = provider.replace(/[^a-z]/g, "");
  if (plain === bare) return true;
  if (plain.length < 4 || Math.abs(plain.length - bare.length) > 1) return false;
  const { front, back } = sameEnds(plain, bare);
  return front + back >= Math.max(plain.length, bare.length) - 1;
}

function refuse(code: ModelNameIssue["code"], message: string): ReturnType<typeof parseModelName> {
  // A name that cannot be read may hold a password in an address.
  return { issues: [{ code, message: maskAddresses(message) }] };
}
