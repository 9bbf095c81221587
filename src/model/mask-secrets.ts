import { serverFacts } from "./providers.ts";

/** Replaces secrets in a text that people or logs are shown by `…`. */
export type SecretMask = (text: string) => string;

/** What secrets are read from. */
export interface SecretSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Headers of the settings, with the environment's values put in. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The query of a model's address, such as `?key=…`. */
  readonly query?: string | undefined;
}

/** The variables of the keys of all providers. */
const keyNames = Object.values(serverFacts).flatMap(({ keyNames, keyNamesAt }) => [
  ...keyNames,
  ...Object.values(keyNamesAt ?? {}).flat(),
]);

/** The environment variables that hold keys for models, `EMEND_HEADERS` included. */
export const keyVariables: readonly string[] = [...keyNames, "EMEND_HEADERS"];

/** The environment for a program that Emend starts: without {@link keyVariables}. */
export function withoutKeys(environment: SecretSources["environment"]): SecretSources["environment"] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !keyVariables.includes(name)));
}

/**
 * The configured secrets: keys of all providers, values of headers (also those in `EMEND_HEADERS`),
 * names and passwords of proxies and of `REDIS_URL`, and keys in the addresses of models. The list
 * may contain empty texts and repetitions; {@link maskOf} ignores them.
 */
export function configuredSecrets({ environment, headers = {}, query = "" }: SecretSources): readonly string[] {
  const urls = ["HTTP_PROXY", "HTTPS_PROXY", "REDIS_URL"].flatMap((name) => [name, name.toLowerCase()]);
  const lines = (environment["EMEND_HEADERS"] ?? "").split(/\r?\n/).map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const;
  });
  const sent = [...lines, ...Object.entries(headers)].filter(([name]) => !publicHeaders.test(name));
  return [
    ...keyNames.map((name) => environment[name] ?? ""),
    ...sent.flatMap(([, value]) => secretsOfHeader(value)),
    ...urls.flatMap((name) => userinfoOf(environment[name] ?? "")),
    // A setting such as EMEND_MODEL names models with their addresses.
    ...[
      query,
      ...Object.entries(environment).flatMap(([name, value]) => (/^EMEND_/.test(name) ? [value ?? ""] : [])),
    ].flatMap(keysInAddresses),
  ];
}

/** The values of parameters such as `?key=` in the addresses of a text. */
function keysInAddresses(text: string): readonly string[] {
  return [...text.matchAll(keyParameter)].flatMap(([whole, name]) => {
    // A list of models has commas between them.
    const value = whole.slice(name!.length).split(",", 1)[0]!;
    return [value, tryDecodeUrl(value)];
  });
}

/**
 * Returns a function that masks `secrets` as they are and as JSON, URLs and base64 write them;
 * names and passwords in addresses; and the values of parameters such as `?key=`. Secrets of fewer
 * than four characters are left, since they occur in too many words.
 *
 * With `isCut` the text was cut at its end, where the beginning of a secret is masked too. Law: a
 * masked text contains no secret in any of these forms, and masking it again changes nothing.
 */
export function maskOf(secrets: Iterable<string>): (text: string, isCut?: boolean) => string {
  const forms = sortedForms(secrets);
  return (text, isCut = false) => {
    let masked = maskAddresses(text);
    for (const form of forms) masked = masked.replaceAll(form, "…");
    if (!isCut) return masked;
    for (const form of forms) {
      for (let length = Math.min(form.length - 1, masked.length); length >= minLength; length--) {
        if (masked.endsWith(form.slice(0, length))) return `${masked.slice(0, -length)}…`;
      }
    }
    return masked;
  };
}

/**
 * Masks names, passwords and keys in addresses, as {@link maskOf} does without any configured
 * secret.
 */
export const maskAddresses: SecretMask = (text) => text.replace(userinfo, "$1…@").replace(keyParameter, "$1…");

/**
 * The ranges of a text, in UTF-16 units, that are one of `secrets` in any form of {@link maskOf},
 * in order and disjoint. Secrets of fewer than four characters have none.
 */
export function rangesOfSecrets(
  text: string,
  secrets: Iterable<string>,
): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { readonly start: number; readonly end: number }[] = [];
  for (const form of sortedForms(secrets)) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
      const [start, end] = [at, at + form.length];
      if (ranges.every((other) => end <= other.start || other.end <= start)) ranges.push({ start, end });
    }
  }
  return ranges.sort((one, other) => one.start - other.start);
}

function sortedForms(secrets: Iterable<string>): readonly string[] {
  const forms = [...new Set([...secrets].flatMap(formsOf))].filter(({ length }) => length >= minLength);
  // A longer form may hold a shorter one.
  return forms.sort((one, other) => other.length - one.length);
}

const minLength = 4;

/** Headers whose values are no secrets, and are words that messages hold. */
const publicHeaders =
  /^(accept(-.*)?|content-.*|user-agent|referer|http-referer|origin|host|connection|cache-control|x-title|.*-(version|beta))$/i;

/** The name and the password in an address, with the scheme before them. */
const userinfo = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'`<>@…:]*(?::[^\s/?#"'`<>]*)?@/gi;

/** A parameter of an address that holds a key, with its name. */
const keyParameter =
  /([?&](?:[\w-]*(?:key|token|secret|password|passwd|signature|credentials?|authorization)|sig|code|auth|pwd|pass)=)[^\s&#"'`<>…]+/gi;

/**
 * A header's value, and what is in it behind a scheme such as `Bearer` or in base64 behind `Basic`.
 */
function secretsOfHeader(value: string): readonly string[] {
  const [, scheme = "", rest = ""] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (rest === "") return [value];
  const decoded = scheme.toLowerCase() === "basic" ? tryDecode(rest) : undefined;
  return [value, rest, ...(decoded === undefined ? [] : [decoded, decoded.slice(decoded.indexOf(":") + 1)])];
}

function userinfoOf(url: string): readonly string[] {
  const [, text] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#]*)@/i.exec(url.trim()) ?? [];
  if (text === undefined) return [];
  const decoded = tryDecodeUrl(text);
  return [text, decoded].flatMap((both) => {
    const colon = both.indexOf(":");
    // A name alone is a token; a name before a password is a word.
    return colon < 0 ? [both] : [both, both.slice(colon + 1)];
  });
}

/** A secret in all ways in which it may be written. */
function formsOf(secret: string): readonly string[] {
  const trimmed = secret.trim();
  if (trimmed.length < minLength) return [];
  const plain = [trimmed, JSON.stringify(trimmed).slice(1, -1)];
  const urls = [encodeURIComponent(trimmed), encodeURI(trimmed)];
  const lower = urls.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  const form = encodeURIComponent(trimmed).replace(/%20/g, "+");
  const base64 = toBase64(trimmed);
  const bare = base64.replace(/(?<!=)=+$/, "");
  return [
    ...[...plain, JSON.stringify(plain[1]).slice(1, -1), plain[1]!.replaceAll("/", "\\/")],
    ...[...urls, ...lower, form, base64, bare, encodeURIComponent(base64)],
    bare.replaceAll("+", "-").replaceAll("/", "_"),
  ];
}

const { btoa } = globalThis as unknown as { readonly btoa: (bytes: string) => string };

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function tryDecode(base64: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function tryDecodeUrl(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * A copy of `value`, which is plain data, with all its texts masked; of names of fields only
 * addresses are.
 */
export function maskTexts<Value>(value: Value, mask: SecretMask): Value {
  if (typeof value === "string") return mask(value) as Value;
  if (Array.isArray(value)) return value.map((item) => maskTexts<unknown>(item, mask)) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [maskAddresses(name), maskTexts<unknown>(item, mask)]),
  ) as Value;
}

/**
 * `error` itself where neither it nor what caused it holds a secret; else a copy of its message,
 * name, stack and causes, at most five, with secrets masked, that keeps the codes and ports by
 * which failures are distinguished. A value with a secret that is neither an error nor a text
 * becomes `undefined`.
 */
export function maskError(error: unknown, mask: SecretMask): unknown {
  return textsOf(error).every((text) => mask(text) === text) ? error : maskedCopy(error, mask);
}

function maskedCopy(error: unknown, mask: SecretMask, depth = maxDepth): unknown {
  if (typeof error === "string") return mask(error);
  if (!(error instanceof Error) || depth === 0) return undefined;
  const masked = new Error(mask(error.message), { cause: maskedCopy(error.cause, mask, depth - 1) });
  const { code, port } = error as { readonly code?: unknown; readonly port?: unknown };
  return Object.assign(masked, {
    ...{ name: error.name, stack: mask(error.stack ?? error.message) },
    ...(typeof code === "string" && { code }),
    ...(typeof port === "number" && { port }),
  });
}

/** All texts that a log could print of an error, the fields of libraries' own errors included. */
function textsOf(error: unknown, depth = maxDepth): readonly string[] {
  if (!(error instanceof Error)) return [toJson(error)];
  if (depth === 0) return [];
  const { cause, ...fields } = error;
  return [error.message, error.stack ?? "", toJson(fields), ...textsOf(error.cause ?? cause, depth - 1)];
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return String(value);
  }
}

/** How many causes behind an error are looked at. */
const maxDepth = 5;
