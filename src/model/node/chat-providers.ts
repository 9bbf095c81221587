/** How a chat is spoken over the wire. */
export type ChatProtocol = "openai" | "anthropic" | "google" | "mistral" | "openai-compatible";

/** Who can be asked for a chat. */
export type ChatProvider =
  | "openai"
  | "anthropic"
  | "google"
  | "mistral"
  | "deepseek"
  | "ollama"
  | "lmstudio"
  | "llamacpp"
  | "vllm"
  | "openai-compatible";

/** What is known of a provider: where it is, what it speaks, and what a person can do when it does not answer. */
export interface ChatProviderFacts {
  /** As a person calls it. */
  readonly title: string;
  readonly protocol: ChatProtocol;
  /** Where it is unless told, with the version at the end; absent where there is no such place. */
  readonly baseUrl?: string;
  /** The environment variable that its key comes from by custom; absent where no key is needed. */
  readonly keyVariable?: string;
  /** What starts it, as a command; absent for what is not ours to start. */
  readonly start?: (model: string) => string;
  /** What fetches a model, as a command. */
  readonly fetchModel?: (model: string) => string;
}

/** The providers, each a row. Sources: the providers' own manuals. */
export const chatProviders: Readonly<Record<ChatProvider, ChatProviderFacts>> = {
  openai: {
    title: "OpenAI",
    protocol: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
  },
  anthropic: {
    title: "Anthropic",
    protocol: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
  },
  google: {
    title: "Google",
    protocol: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
  },
  mistral: {
    title: "Mistral",
    protocol: "mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
  },
  deepseek: {
    title: "DeepSeek",
    protocol: "openai-compatible",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
  },
  ollama: {
    title: "Ollama",
    protocol: "openai-compatible",
    baseUrl: "http://127.0.0.1:11434/v1",
    start: () => "ollama serve",
    fetchModel: (model) => `ollama pull ${model}`,
  },
  lmstudio: {
    title: "LM Studio",
    protocol: "openai-compatible",
    baseUrl: "http://127.0.0.1:1234/v1",
    start: () => "lms server start",
    fetchModel: (model) => `lms get ${model}`,
  },
  llamacpp: {
    title: "llama.cpp",
    protocol: "openai-compatible",
    baseUrl: "http://127.0.0.1:8080/v1",
    start: () => "llama-server -m MODEL.gguf",
  },
  vllm: {
    title: "vLLM",
    protocol: "openai-compatible",
    baseUrl: "http://127.0.0.1:8000/v1",
    start: (model) => `vllm serve ${model}`,
  },
  "openai-compatible": { title: "The server", protocol: "openai-compatible" },
};
