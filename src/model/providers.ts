/** The kind of a server, at the front of the name of a model. */
export type ServerProvider =
  | "ollama"
  | "llamacpp"
  | "openai-compatible"
  | "openai"
  | "mistral"
  | "deepseek"
  | "vllm"
  | "lmstudio"
  | "anthropic"
  | "google";

/** All that a model's name may begin with. */
export type ModelProvider = "builtin" | "gguf" | ServerProvider;

/** The known properties of a kind of server before any request. */
export interface ServerFacts {
  /** As a person calls it. */
  readonly title: string;
  /** Its default address, without a version; absent where there is none. */
  readonly home?: string;
  /** The version at the end of its address for OpenAI's protocols. */
  readonly version: string;
  /** Whether a model has to be named. */
  readonly needsModel: boolean;
  /** The environment variables that may hold a key for its home, the first that is set counts. */
  readonly keyNames: readonly string[];
  /** Those of its other homes. */
  readonly keyNamesAt?: Readonly<Record<string, readonly string[]>>;
  /** Whether nothing works without a key. */
  readonly needsKey: boolean;
  /** The most stop strings in one request; absent where there is no limit. */
  readonly maxStops?: number;
  /** Who marks the hole by default, see `ModelSettings.fillBy`. */
  readonly fillBy: "completion" | "chat";
  /**
   * The size of the context that it is requested to use, in tokens, unless a setting says another.
   */
  readonly contextTokens?: number;
  /** Whether it reports the probabilities of tokens without becoming slower. */
  readonly probabilities: boolean;
  /** A command that starts it at its address, where a person can. */
  readonly start?: (model: string, port: number) => string;
  /** A command that fetches a model for it. */
  readonly fetchModel?: (model: string) => string;
}

/** A server at home on this machine. */
const local = { needsKey: false, fillBy: "completion", version: "/v1" } as const;
/** A server of a company. */
const hosted = { needsKey: true, needsModel: true, version: "/v1", probabilities: false } as const;

/** The servers, each a row. Sources: the servers' own manuals. */
export const serverFacts: Readonly<Record<ServerProvider, ServerFacts>> = {
  ollama: {
    ...local,
    title: "Ollama",
    home: "http://127.0.0.1:11434",
    needsModel: true,
    keyNames: ["OLLAMA_API_KEY"],
    // Its own default is so small that it cuts prompts. One size for all requests: with another the
    // model is loaded again.
    contextTokens: 8192,
    probabilities: false,
    start: (_, port) => `${port === 11434 ? "" : `OLLAMA_HOST=127.0.0.1:${port} `}ollama serve`,
    fetchModel: (model) => `ollama pull ${model}`,
  },
  llamacpp: {
    ...local,
    title: "llama.cpp",
    home: "http://127.0.0.1:8012",
    needsModel: false,
    keyNames: ["LLAMA_API_KEY"],
    // It sorts its whole vocabulary for each requested token.
    probabilities: false,
    start: (_, port) => `llama-server -m MODEL.gguf --port ${port}`,
  },
  vllm: {
    ...local,
    title: "vLLM",
    home: "http://127.0.0.1:8000",
    needsModel: true,
    keyNames: ["VLLM_API_KEY"],
    probabilities: true,
    start: (model, port) => `vllm serve ${model}${port === 8000 ? "" : ` --port ${port}`}`,
  },
  lmstudio: {
    ...local,
    title: "LM Studio",
    home: "http://127.0.0.1:1234",
    needsModel: true,
    keyNames: ["LMSTUDIO_API_KEY"],
    probabilities: false,
    start: (_, port) => `lms server start${port === 1234 ? "" : ` --port ${port}`}`,
    fetchModel: (model) => `lms get ${model}`,
  },
  "openai-compatible": {
    ...local,
    title: "The server",
    needsModel: true,
    keyNames: ["OPENAI_COMPATIBLE_API_KEY"],
    maxStops: 4,
    probabilities: false,
  },
  openai: {
    ...hosted,
    title: "OpenAI",
    home: "https://api.openai.com",
    keyNames: ["OPENAI_API_KEY"],
    maxStops: 4,
    fillBy: "chat",
    probabilities: true,
  },
  mistral: {
    ...hosted,
    title: "Mistral",
    home: "https://api.mistral.ai",
    keyNames: ["MISTRAL_API_KEY"],
    keyNamesAt: { "https://codestral.mistral.ai": ["CODESTRAL_API_KEY"] },
    maxStops: 4,
    fillBy: "completion",
  },
  deepseek: {
    ...hosted,
    title: "DeepSeek",
    home: "https://api.deepseek.com",
    keyNames: ["DEEPSEEK_API_KEY"],
    maxStops: 16,
    fillBy: "completion",
  },
  anthropic: {
    ...hosted,
    title: "Anthropic",
    home: "https://api.anthropic.com",
    keyNames: ["ANTHROPIC_API_KEY"],
    fillBy: "chat",
  },
  google: {
    ...hosted,
    title: "Google",
    home: "https://generativelanguage.googleapis.com",
    version: "/v1beta",
    keyNames: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    maxStops: 5,
    fillBy: "chat",
  },
};
