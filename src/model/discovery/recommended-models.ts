import type { ServerProvider } from "../providers.ts";

/** A model that is recommended, and how each server gets it. */
export interface RecommendedModel {
  readonly title: string;
  /** `fill` completes at the cursor; `chat` takes instructions and carries out plans. */
  readonly use: "fill" | "chat";
  /** Its parameters in billions, by which its speed is estimated. */
  readonly billions: number;
  /** The memory of a machine that it is for, in GB. */
  readonly memoryGb: number;
  /** Its fill-in-the-middle template, for servers that have none; see `fillTemplates`. */
  readonly template?: string;
  readonly servers: Partial<Readonly<Record<ServerProvider, RecommendedDownload>>>;
}

/** One server's copy of a model. */
export interface RecommendedDownload {
  /** The model as the server lists it, in lower case. */
  readonly id: string;
  /** Fetches it, and for llama.cpp also starts the server. */
  readonly command: string;
  /** The size of the download in GB. */
  readonly sizeGb: number;
}

/**
 * The one list of recommended models, the quickest first; setup and the documentation read it.
 *
 * Sources: the models' cards, Ollama's library (`-base` names the models that were trained to
 * complete), the presets of `llama-server --help`, which fetch the files of
 * `huggingface.co/ggml-org` and listen on port 8012.
 */
export const recommendedModels: readonly RecommendedModel[] = [
  {
    title: "Qwen2.5-Coder 1.5B",
    use: "fill",
    billions: 1.5,
    memoryGb: 8,
    template: "qwen",
    servers: {
      llamacpp: {
        id: "ggml-org/qwen2.5-coder-1.5b-q8_0-gguf",
        command: "llama-server --fim-qwen-1.5b-default",
        sizeGb: 1.6,
      },
      ollama: { id: "qwen2.5-coder:1.5b-base", command: "ollama pull qwen2.5-coder:1.5b-base", sizeGb: 1 },
      vllm: { id: "qwen/qwen2.5-coder-1.5b", command: "vllm serve Qwen/Qwen2.5-Coder-1.5B", sizeGb: 3.1 },
    },
  },
  {
    title: "Qwen2.5-Coder 3B",
    use: "fill",
    billions: 3,
    memoryGb: 12,
    template: "qwen",
    servers: {
      llamacpp: {
        id: "ggml-org/qwen2.5-coder-3b-q8_0-gguf",
        command: "llama-server --fim-qwen-3b-default",
        sizeGb: 3.3,
      },
      ollama: { id: "qwen2.5-coder:3b-base", command: "ollama pull qwen2.5-coder:3b-base", sizeGb: 1.9 },
      vllm: { id: "qwen/qwen2.5-coder-3b", command: "vllm serve Qwen/Qwen2.5-Coder-3B", sizeGb: 6.2 },
    },
  },
  {
    title: "Qwen2.5-Coder 7B",
    use: "fill",
    billions: 7,
    memoryGb: 16,
    template: "qwen",
    servers: {
      llamacpp: {
        id: "ggml-org/qwen2.5-coder-7b-q8_0-gguf",
        command: "llama-server --fim-qwen-7b-default",
        sizeGb: 8.1,
      },
      ollama: { id: "qwen2.5-coder:7b-base", command: "ollama pull qwen2.5-coder:7b-base", sizeGb: 4.7 },
      lmstudio: { id: "qwen2.5-coder-7b", command: "lms get qwen2.5-coder-7b", sizeGb: 4.7 },
      vllm: { id: "qwen/qwen2.5-coder-7b", command: "vllm serve Qwen/Qwen2.5-Coder-7B", sizeGb: 15.2 },
    },
  },
  {
    title: "Qwen2.5-Coder 7B Instruct",
    use: "chat",
    billions: 7,
    memoryGb: 16,
    servers: {
      ollama: { id: "qwen2.5-coder:7b", command: "ollama pull qwen2.5-coder:7b", sizeGb: 4.7 },
      vllm: {
        id: "qwen/qwen2.5-coder-7b-instruct",
        command: "vllm serve Qwen/Qwen2.5-Coder-7B-Instruct",
        sizeGb: 15.2,
      },
    },
  },
];

/**
 * The models of companies that setup takes where a person names the company alone. Sources: their
 * own lists of models; names without a date or number follow the newest.
 */
export const hostedModels: readonly { readonly provider: ServerProvider; readonly model: string }[] = [
  { provider: "mistral", model: "codestral-latest" },
  { provider: "deepseek", model: "deepseek-chat" },
  { provider: "openai", model: "gpt-5" },
  { provider: "anthropic", model: "claude-sonnet-4-5" },
  { provider: "google", model: "gemini-2.5-flash" },
];

/** The entry of a model that a server lists as `id`; `undefined` where it is not recommended. */
export function tryRecommended(provider: ServerProvider, id: string): RecommendedModel | undefined {
  const listed = id.toLowerCase();
  return recommendedModels.find(({ servers }) => servers[provider]?.id === listed);
}

/** A recommended model as one server gets it. */
export type RecommendedForServer = RecommendedDownload & Pick<RecommendedModel, "title" | "billions" | "memoryGb">;

/**
 * The largest model for ghost text that a server offers for a machine with so much memory, in GB;
 * the smallest that it offers where none is small enough. `undefined` where it offers none.
 */
export function recommendedFor(provider: ServerProvider, memoryGb: number): RecommendedForServer | undefined {
  const offered = offeredBy(provider);
  return offered.findLast((model) => model.memoryGb <= memoryGb) ?? offered[0];
}

/**
 * A model for ghost text that a server offers and that is smaller than one with so many `billions`
 * of parameters: the largest that would read the wanted number of tokens a second where that one
 * reads `tokensPerSecond`, by their parameters; else the smallest. `undefined` where the server
 * offers none that is smaller, and where the size is not known.
 */
export function recommendedBelow(
  provider: ServerProvider,
  billions: number | undefined,
  { tokensPerSecond, wanted }: { readonly tokensPerSecond: number; readonly wanted: number },
): RecommendedForServer | undefined {
  if (billions === undefined) return undefined;
  const smaller = offeredBy(provider).filter((model) => model.billions < billions);
  return smaller.findLast((model) => (tokensPerSecond * billions) / model.billions >= wanted) ?? smaller[0];
}

/**
 * The billions of parameters that a model's name or a server's list states, as in `coder:7b` and
 * `494.03M`; `undefined` where it states none.
 */
export function billionsIn(text: string): number | undefined {
  const [, size, unit = "b"] = /(?<![\d.])(\d+(?:\.\d+)?)([bm])(?![a-z])/i.exec(text) ?? [];
  return size === undefined ? undefined : Number(size) / (unit.toLowerCase() === "b" ? 1 : 1000);
}

function offeredBy(provider: ServerProvider): readonly RecommendedForServer[] {
  return recommendedModels.flatMap(({ use, servers, ...model }) =>
    use === "fill" && servers[provider] !== undefined ? [{ ...model, ...servers[provider] }] : [],
  );
}
