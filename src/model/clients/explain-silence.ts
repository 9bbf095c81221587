import { type Clock, runWithTimeout } from "../../async/index.ts";
import type { Model } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ModelServer } from "./model-server.ts";

/** The most milliseconds that a server has to answer a request about itself. */
const maxWaitMs = 3_000;

/**
 * The `chat` of a model whose error for a silent server says what is known of the server: whether
 * it is still loading, answers other requests, or answers nothing at all. It is sent a request
 * about itself then, unless it is a company's.
 */
export function withSilenceExplained(
  chat: NonNullable<Model["chat"]>,
  server: ModelServer,
  clock: Clock,
): NonNullable<Model["chat"]> {
  return async function* (request, options = {}) {
    try {
      return yield* chat(request, options);
    } catch (error) {
      if (!(error instanceof ModelError) || error.silence === undefined || server.facts.needsKey) throw error;
      const { what, setting } = error.silence;
      const message = `${what}. ${adviceFor(await stateOf(server, { clock, signal: options.signal }), { server, setting })}`;
      throw new ModelError("timed-out", message, { url: error.url, cause: error });
    }
  };
}

type ServerState = "silent" | "loading" | "answers";

function adviceFor(
  state: ServerState,
  { server, setting }: { readonly server: ModelServer; readonly setting: string },
) {
  const higher = `set \`${setting}\` higher`;
  if (state === "loading") return `It is still loading the model: ask again, or ${higher}.`;
  if (state === "answers") {
    return `It answers other requests, so it is busy with a long prompt or another answer: ask again, or ${higher}.`;
  }
  const { baseUrl } = server.name;
  return `${baseUrl} accepts connections, but answers nothing, not even ${aboutRoute(server)}: its process is paused or hangs. Look at its log; continue it (\`kill -CONT\`), or start it again.`;
}

async function stateOf(
  server: ModelServer,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<ServerState> {
  const ask = (limited: AbortSignal) => server.askAbout({ routes: [aboutRoute(server)], framing: "json" }, limited);
  try {
    await runWithTimeout(ask, { clock, limitMs: maxWaitMs, signal, late: () => new NoAnswer() });
    return "answers";
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NoAnswer || (error instanceof ModelError && error.code === "timed-out")) return "silent";
    // It refused the request, and so it answers.
    return error instanceof ModelError && error.isLoading ? "loading" : "answers";
  }
}

/** What a server answers without its model. */
function aboutRoute({ name }: ModelServer): string {
  if (name.provider === "llamacpp") return "/health";
  return name.provider === "ollama" ? "/api/version" : "/v1/models";
}

class NoAnswer extends Error {}
