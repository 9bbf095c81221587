import { isRecord } from "../text/index.ts";

/** Fields of a request body by name, as JSON has them. */
export type RequestOptions = Readonly<Record<string, unknown>>;

/**
 * `over` merged over `base`: objects field by field at every depth, all other values, lists
 * included, as a whole.
 */
export function mergeRequest(base: RequestOptions, over: RequestOptions): RequestOptions {
  const merged = Object.entries(over).map(([name, value]) => {
    const below = Object.hasOwn(base, name) ? base[name] : undefined;
    return [name, isRecord(below) && isRecord(value) ? mergeRequest(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(merged) };
}

/** What is wrong with one of the request options of a person, and what to set instead. */
export interface RequestOptionIssue {
  /** The names from the top down; those in a list are its indexes, from 0. */
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * The request options that are refused: those that carry the request or its answer, which Emend
 * sets, and values that JSON does not have.
 */
export function requestOptionIssues(value: unknown, path: readonly string[] = []): readonly RequestOptionIssue[] {
  const message = messageFor(path);
  if (message !== undefined) return [{ path, message }];
  if (path.length > maxNesting)
    return [{ path: path.slice(0, 2), message: "It refers to itself, or nests too deeply." }];
  if (path.length === 1 && containers.has(path[0]!) && !isRecord(value)) {
    return [
      { path, message: "Emend sends an object here, and yours is merged over it. Take this out, or write an object." },
    ];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => requestOptionIssues(item, [...path, String(index)]));
  if (isRecord(value) && isPlain(value)) {
    return Object.entries(value).flatMap(([name, inner]) => requestOptionIssues(inner, [...path, name]));
  }
  const isJson = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  return isJson ? [] : [{ path, message: "JSON has no such value, and a request is sent as JSON." }];
}

/** No option of a known server nests half as deep. */
const maxNesting = 32;

function messageFor(path: readonly string[]): string | undefined {
  const name = path.join(".");
  if (name.startsWith("input_")) return prompt;
  return Object.hasOwn(carriers, name) ? carriers[name] : undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const prompt = "Emend writes the prompt. Take this out; the settings of `context` decide what a prompt contains.";
const model =
  'The name of the model decides this. Take it out, and name the model in `model`, as the key in `models["…"]` does.';
const stream = "Emend reads every answer as one stream of text. Take this out.";
const stop = 'Emend sets what ends an answer. Take this out, and set `stops` in `models["…"].template`.';
const limit =
  "Emend limits each answer itself. Take this out; `complete.maxLines` and `next.maxLines` limit suggestions.";
const probabilities = 'Take this out, and set `models["…"].probabilities`.';

/** Fields that carry a request, in the words of all servers, with what to do instead. */
const carriers: Readonly<Record<string, string>> = {
  model,
  ...{ prompt, suffix: prompt, messages: prompt, raw: prompt },
  ...{ contents: prompt, system: prompt, systemInstruction: prompt },
  ...{ stream, n: stream, n_cmpl: stream, best_of: stream, echo: stream, "generationConfig.candidateCount": stream },
  ...{ stop, stop_sequences: stop, "options.stop": stop, "generationConfig.stopSequences": stop },
  ...{ max_tokens: limit, max_completion_tokens: limit, max_output_tokens: limit, n_predict: limit },
  ...{ "options.num_predict": limit, "generationConfig.maxOutputTokens": limit },
  ...{ n_probs: probabilities, logprobs: probabilities, top_logprobs: probabilities },
  "options.num_ctx": 'Take this out, and set `models["…"].contextTokens`, which Ollama gets as `num_ctx`.',
};

/**
 * The objects that hold some of {@link carriers}; another value in their place would replace these.
 */
const containers: ReadonlySet<string> = new Set(
  Object.keys(carriers)
    .filter((name) => name.includes("."))
    .map((name) => name.slice(0, name.indexOf("."))),
);
