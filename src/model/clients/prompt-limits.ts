import { type Clock, resultWithin, runWithTimeout, type TimeLimit } from "../../async/index.ts";
import type { FillRequest, Model, PromptLimits } from "../model.ts";
import { ModelError } from "../model-error.ts";
import type { ServerProvider } from "../providers.ts";
import type { ModelServer } from "./model-server.ts";
import { unitsOf } from "./prompt-meter.ts";
import { numberIn } from "./server-answer.ts";
import type { ServerClient } from "./server-client.ts";
import { surveyServer } from "./survey-server.ts";

/** The servers that are asked how large a context is; Ollama is given the size instead. */
const reporting: ReadonlySet<ServerProvider> = new Set(["llamacpp", "vllm", "lmstudio", "openai-compatible"]);

/** The most milliseconds that a prompt waits for what the server reports. */
const patienceMs = 600;

/** The most milliseconds of the requests for that, and of one for a count. */
const surveyMs = 5_000;
const countMs = 600;

/**
 * After so many milliseconds a server that did not report the size is asked again; sooner where it
 * was still loading its model.
 */
const againMs = { unreported: 60_000, loading: 2_000 } as const;

/** Texts that show how many tokens a character takes: of code, and beyond ASCII. */
const samples = {
  ascii:
    'export function total(items: readonly Item[], rate = 0.2): number {\n  const sum = items.reduce((all, { price, count }) => all + price * count, 0);\n  if (sum === 0) throw new Error("There is nothing to pay for.");\n  return sum * (1 + rate);\n}\n',
  other: "计算所有商品的总价，并在需要时加上税。変更した行だけを読み直す。Прочитать строку и вернуть значение.",
};

/**
 * The faces of a model that tell how its server takes prompts.
 *
 * What the server reports is requested once, and again where it did not report the size. They never
 * fail: the next fill fails with the reason.
 */
export function limitFaces(
  server: ModelServer,
  { client, clock }: { readonly client: ServerClient; readonly clock: Clock },
): Pick<Model, "limits" | "countPrompt"> {
  const { meter, name } = server;
  let asked: { readonly atMs: number; readonly work: Promise<unknown> } | undefined;
  let isLoading = false;
  const survey = async (signal: AbortSignal): Promise<void> => {
    isLoading = false;
    try {
      const learning = hasTokenizer(server) ? learnSamples(server, signal) : undefined;
      learning?.catch(() => undefined);
      meter.contextTokens ??= (await surveyServer(server, { signal })).contextTokens;
      await learning;
    } catch (error) {
      isLoading = error instanceof ModelError && error.isLoading;
      throw error;
    }
  };
  return {
    async limits({ signal, language }): Promise<PromptLimits> {
      signal?.throwIfAborted();
      if (reporting.has(name.provider)) {
        const waitMs = isLoading ? againMs.loading : againMs.unreported;
        const isStale = asked !== undefined && clock.now() - asked.atMs >= waitMs;
        if (asked === undefined || (isStale && meter.contextTokens === undefined)) {
          asked = { atMs: clock.now(), work: tryWithin({ clock, limitMs: surveyMs, signal: undefined }, survey) };
        }
        await resultWithin(asked.work, { clock, limitMs: patienceMs });
        signal?.throwIfAborted();
      }
      const { contextTokens } = meter;
      const counter = meter.counter(language);
      return { ...(contextTokens !== undefined && { contextTokens }), ...(counter !== undefined && { counter }) };
    },
    ...(client.promptText !== undefined &&
      hasTokenizer(server) && {
        countPrompt: (request: FillRequest, { signal } = {}) =>
          tryWithin({ clock, limitMs: countMs, signal }, async (within) => {
            const text = client.promptText!(request);
            const tokens = await countTokens(server, text, within);
            meter.counted(request.language, text, tokens);
            return tokens;
          }),
      }),
  };
}

/** Learns from the samples how many tokens a character takes. */
async function learnSamples(server: ModelServer, signal: AbortSignal): Promise<void> {
  const [ascii, other] = await Promise.all([
    countTokens(server, samples.ascii, signal),
    countTokens(server, samples.other, signal),
  ]);
  // Any web server may answer something at that route.
  if (ascii === 0 || other === 0) return;
  const units = unitsOf(samples.other);
  const asciiRate = ascii / samples.ascii.length;
  server.meter.base = { ascii: asciiRate, other: Math.max(0.1, (other - units.ascii * asciiRate) / units.other) };
}

/**
 * What `work` resolves to; `undefined` where the server fails, or takes longer than `limitMs`.
 * Rejects with the signal's reason.
 */
async function tryWithin<T>(
  limit: Omit<TimeLimit, "late">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const late = () => new ModelError("timed-out", "The answer took too long to be waited for.");
  try {
    return await runWithTimeout(work, { ...limit, late });
  } catch (error) {
    limit.signal?.throwIfAborted();
    if (error instanceof ModelError) return undefined;
    throw error;
  }
}

/** Whether a server of this kind offers its tokeniser. */
export function hasTokenizer({ name: { provider } }: ModelServer): boolean {
  return provider === "llamacpp" || provider === "vllm";
}

/**
 * The tokens of a text, as the server's own tokeniser counts them, special tokens in the text
 * included. Rejects as {@link ModelServer.ask} does.
 */
export async function countTokens(server: ModelServer, text: string, signal: AbortSignal | undefined): Promise<number> {
  const { provider, model } = server.name;
  const body =
    provider === "vllm"
      ? { model, prompt: text, add_special_tokens: false }
      : { content: text, add_special: false, parse_special: true };
  const message = await server.ask({ routes: ["/tokenize"], framing: "json", body, retries: 0 }, signal);
  const tokens = message["tokens"];
  return numberIn(message, "count") ?? (Array.isArray(tokens) ? tokens.length : 0);
}
