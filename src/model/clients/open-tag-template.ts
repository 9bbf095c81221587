import { reasoningTagNames } from "../../text/index.ts";
import { ModelError } from "../model-error.ts";
import type { ModelClock } from "../model-host.ts";
import { RouteMissing } from "./explain-failure.ts";
import { textIn } from "./message-fields.ts";
import type { ModelServer } from "./model-server.ts";
import { OllamaClient } from "./ollama-client.ts";
import type { ReportsOpenTag } from "./restore-opening-tag.ts";
import type { ServerClient } from "./server-client.ts";
import { waitFor } from "./wait-for.ts";

/**
 * Returns a function that requests a server's chat template and resolves with whether it ends with
 * an opening tag of reasoning; `undefined` for servers that report no template.
 *
 * A failure, an abort, or no answer within a second resolves with `false`. Only a template, or the
 * absence of the route, is cached.
 */
export function openTagReporter(
  server: ModelServer,
  { client, clock }: { readonly client: ServerClient; readonly clock: ModelClock },
): ReportsOpenTag | undefined {
  const ask = asking(server, client);
  if (ask === undefined) return undefined;
  let known: boolean | undefined;
  return async ({ signal }) => {
    if (known !== undefined) return known;
    // A server that never answers must not hold up the process once the answer is there.
    const connection = new AbortController();
    const stop = () => connection.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const late = () => new ModelError("timed-out", "The template did not come in time.");
      known = await waitFor(ask(connection.signal), { clock, limitMs: maxWaitMs, signal, late });
      return known;
    } catch (error) {
      if (error instanceof RouteMissing) known = false;
      return false;
    } finally {
      signal?.removeEventListener("abort", stop);
      connection.abort();
    }
  };
}

function asking(
  server: ModelServer,
  client: ServerClient,
): ((signal: AbortSignal | undefined) => Promise<boolean>) | undefined {
  if (client instanceof OllamaClient) return async (signal) => endsWithOpeningTag((await client.show(signal)).template);
  if (server.name.provider !== "llamacpp") return undefined;
  const request = { routes: ["/props"], framing: "json" } as const;
  return async (signal) => endsWithOpeningTag(textIn(await server.ask(request, signal), "chat_template") ?? "");
}

/** The most milliseconds that an answer waits for the template. */
const maxWaitMs = 1000;

/**
 * Whether a prompt made by a template, in Jinja or Go's notation, ends with an opening tag of
 * reasoning: only the ends of conditions, quotes and blanks follow it, or in Go the model's own
 * answer.
 */
export function endsWithOpeningTag(template: string): boolean {
  const answer = template.search(/\{\{-?\s*\.Response\b/);
  const texts = answer < 0 ? [template] : [template, template.slice(0, answer)];
  return texts.some((text) => openTag.test(withoutActions(text)));
}

const openTag = new RegExp(`<(?:${reasoningTagNames.join("|")})>$`);

/** A text without the blanks, quotes and ends of conditions behind its last words. */
function withoutActions(text: string): string {
  for (let rest = text; ; ) {
    const shorter = rest.trimEnd().replace(/(?:\\n|\\r|["'`)])$/, "");
    const ending = endings.find(([, close]) => shorter.endsWith(close));
    const next = ending === undefined ? shorter : withoutLast(shorter, ending[0], ending[1]);
    if (next === rest) return rest;
    rest = next;
  }
}

/** What actions begin and end with. */
const endings = [
  ["{%", "%}"],
  ["{#", "#}"],
  ["{{", "}}"],
] as const;

/**
 * A text without the action at its end, or only without that action's end where it writes a text in
 * quotes.
 */
function withoutLast(text: string, open: string, close: string): string {
  const start = text.lastIndexOf(open);
  if (start < 0) return text;
  const action = text.slice(start + open.length, -close.length);
  return open === "{{" && /["'`]/.test(action) ? text.slice(0, -close.length).replace(/-$/, "") : text.slice(0, start);
}
