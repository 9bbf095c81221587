import { errorMessage } from "../../text/index.ts";
import { ModelError } from "../model-error.ts";

/** The version of `node-llama-cpp` that this code is written for, as `package.json` requires it. */
export const llamaVersion = "3.22.1";

/**
 * As much of `node-llama-cpp` as is used. The package is optional, so that its own types may not be
 * there.
 */
export interface LlamaPackage {
  getLlama(options: {
    readonly gpu: "auto" | false;
    readonly build: "never";
    readonly logLevel: "error";
    /** Receives what llama.cpp would write on standard error. */
    readonly logger: (level: string, message: string) => void;
    readonly progressLogs: false;
  }): Promise<Llama>;
}

/** llama.cpp, ready for models. */
export interface Llama {
  loadModel(options: { readonly modelPath: string; readonly loadSignal?: AbortSignal }): Promise<LlamaModel>;
  dispose(): Promise<void>;
}

/** A model file that is open. Tokens are numbers. */
export interface LlamaModel {
  readonly tokens: {
    readonly shouldPrependBosToken: boolean;
    readonly bos: number | null;
    readonly infill: { readonly prefix: number | null; readonly suffix: number | null; readonly middle: number | null };
  };
  readonly trainContextSize: number;
  readonly fileInfo: {
    readonly metadata: { readonly tokenizer?: { readonly ggml?: Readonly<Record<string, unknown>> } };
  };
  tokenize(text: string, specialTokens: boolean, options?: "trimLeadingSpace"): number[];
  detokenize(tokens: readonly number[], specialTokens: boolean, lastTokens?: readonly number[]): string;
  isEogToken(token: number): boolean;
  isSpecialToken(token: number): boolean;
  dispose(): Promise<void>;
  createContext(options: { readonly contextSize: number; readonly threads: number }): Promise<LlamaContext>;
}

/** Memory for what a model has read. */
export interface LlamaContext {
  getSequence(): LlamaSequence;
}

/** One text in that memory, which grows at its end. */
export interface LlamaSequence {
  readonly contextSize: number;
  readonly nextTokenIndex: number;
  compareContextTokens(tokens: readonly number[]): { readonly firstDifferentIndex: number };
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>;
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>;
  evaluateWithMetadata(
    tokens: readonly number[],
    metadata: { readonly confidence: true },
    options: { readonly temperature: number; readonly yieldEogToken: true },
  ): AsyncGenerator<{ readonly token: number; readonly confidence: number }, void>;
  controlledEvaluate(
    input: readonly [token: number, options: { readonly generateNext: { readonly probabilities: true } }][],
  ): Promise<readonly ({ readonly next: { readonly probabilities?: ReadonlyMap<number, number> } } | undefined)[]>;
}

/**
 * Loads the package. Rejects with {@link ModelError} `unsupported`, with the command that installs
 * it.
 */
export async function loadLlamaPackage(): Promise<LlamaPackage> {
  // Not written out, so that neither the compiler nor a bundler looks for it.
  const name: string = "node-llama-cpp";
  try {
    return (await import(name)) as LlamaPackage;
  } catch (cause) {
    const isMissing = cause instanceof Error && (cause as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
    const message = isMissing
      ? `Model files are read by node-llama-cpp, which is not installed. Run \`npm install ${name}@${llamaVersion}\` beside Emend, with \`-g\` where Emend was installed with it.`
      : `node-llama-cpp does not load: ${errorMessage(cause)}. Install it anew: \`npm install ${name}@${llamaVersion}\`.`;
    throw new ModelError("unsupported", message.replace(/\s+/g, " "), { cause });
  }
}
