/**
 * A language model, in the one interface that all of them have.
 *
 * A model has up to four faces: `fill`, `next`, `chat` and `completeRaw`; an engine uses the one it
 * needs. All take an `AbortSignal`. An abort rejects with the signal's own reason, so that a cut
 * answer never looks finished.
 */
export interface Model {
  /** How the model was named, such as `builtin` or `ollama:qwen2.5-coder:1.5b`. */
  readonly name: string;
  /** Streams text that goes between a prefix and a suffix. */
  readonly fill?: (request: FillRequest, options?: ModelCallOptions) => AsyncGenerator<TextPart, ModelEnd>;
  /**
   * Has the model evaluate the prompt of a fill, so that the fill answers sooner. There is no
   * answer.
   */
  readonly warm?: (request: FillRequest, options?: ModelCallOptions) => Promise<void>;
  /** Streams the answer to a conversation. */
  readonly chat?: (request: ChatRequest, options?: ModelCallOptions) => AsyncGenerator<TextPart, ModelEnd>;
  /**
   * Whether a conversation can be sent to `chat`: `false` only where the server reports that the
   * model has no chat template. Never rejects; an abort resolves with `true`.
   */
  readonly canChat?: (options?: ModelCallOptions) => Promise<boolean>;
  /** Streams the continuation of a prompt that is sent as it is. */
  readonly completeRaw?: (request: RawRequest, options?: ModelCallOptions) => AsyncGenerator<TextPart, ModelEnd>;
  /** The likeliest next tokens and their probabilities, likeliest first. */
  readonly next?: (request: NextRequest, options?: ModelCallOptions) => Promise<readonly NextToken[]>;
  /** Returns the model that was loaded under the name. */
  readonly describe?: (options?: ModelCallOptions) => Promise<ModelDescription>;
  /** The most tokens of a prompt and its answer together, where it is known without a request. */
  readonly contextTokens?: number;
  /** How the model's tokens are counted, where that is known without a request. */
  readonly tokenCounter?: TokenCounter;
  /**
   * What is known of how the model takes prompts. The server is asked once, and waited for shortly;
   * use {@link promptLimits}, which knows the models that have no server.
   */
  readonly limits?: (options: PromptLimitsOptions) => Promise<PromptLimits>;
  /**
   * Has the server count the tokens of a fill's prompt, marks and names included, and learns from
   * it for {@link limits}. `undefined` where the server does not answer soon.
   */
  readonly countPrompt?: (request: FillRequest, options?: ModelCallOptions) => Promise<number | undefined>;
  /** How quickly prompts of fills are evaluated; absent where that is no matter. */
  readonly pace?: PromptPace;
  /**
   * How the hole is marked in a prompt, for a person, where that is known without a request:
   * `the template qwen-2.5-coder`.
   */
  readonly fillWay?: string;
  /** Set where a fill is an instruction to `chat`, for want of something better. */
  readonly fillsByChat?: true;
  /** Set where a fill heeds the request's `guide`; others ignore it. */
  readonly followsGuide?: true;
}

/** The properties of a model on a server. Unknown ones are absent. */
export interface ModelDescription {
  /**
   * The name of the model that was loaded, or of its file, such as `zed-industries/zeta-2` or
   * `Zeta 2`.
   */
  readonly family?: string;
  /**
   * The model's file, where the server calls the model otherwise: its owner may have given it any
   * name.
   */
  readonly file?: string;
  /** How it was trained: `base` completes, `instruct` converses. */
  readonly training?: "base" | "instruct";
}

/** Counts the tokens of a text, as one tokeniser would. */
export interface TokenCounter {
  /** What counts, for a person: a tokeniser's name, such as `o200k_base`, or `an estimate`. */
  readonly name: string;
  /** Whether the count is the tokeniser's own, and no estimate. */
  readonly isExact: boolean;
  count(text: string): number;
}

/** What a prompt has to keep to, as far as it is known. */
export interface PromptLimits {
  /** The most tokens of a prompt and its answer together. */
  readonly contextTokens?: number;
  /** Counts tokens as the model does, or by what was learnt of it; absent before anything was. */
  readonly counter?: TokenCounter;
  /** What {@link PromptPace.freshLimit} gives, where the prompt is one of ghost text. */
  readonly freshTokens?: number;
  /** What that was computed from: the measured speed, and the setting of the time. */
  readonly pace?: { readonly tokensPerSecond: number; readonly setting: string };
}

/**
 * How quickly a server evaluates prompts, and what it has evaluated, as far as it is known. An
 * interface, so that `Model` does not depend on the clients of servers.
 */
export interface PromptPace {
  /** As measured, or the most that it can be; `undefined` before the first measurement. */
  readonly tokensPerSecond: number | undefined;
  /**
   * The most tokens that the server may have to evaluate for a fill, so that it takes as long as
   * `ModelSettings.promptMs` at most; `undefined` where it cannot be measured. The first call sends
   * a short prompt, and waits shortly for it. Rejects with the signal's reason.
   */
  freshLimit(options?: ModelCallOptions): Promise<number | undefined>;
  /** How many tokens the server has to evaluate for a fill beyond what it has evaluated before. */
  freshTokens(request: FillRequest): number;
}

/** What limits are wanted for. */
export interface PromptLimitsOptions extends ModelCallOptions {
  /** The language's id in the registry: a token has more characters in one than in another. */
  readonly language: string;
}

/** The limits of a model's prompts, whether a server has to be asked for them or not. */
export async function promptLimits(model: Model, options: PromptLimitsOptions): Promise<PromptLimits> {
  const { contextTokens, tokenCounter: counter } = model;
  const known = { ...(contextTokens !== undefined && { contextTokens }), ...(counter !== undefined && { counter }) };
  return { ...known, ...(await model.limits?.(options)) };
}

/**
 * How many of `answerTokens` a model keeps for its answer: at most a quarter of its context, the
 * rest of which is for the prompt.
 */
export function keptForAnswer(answerTokens: number, contextTokens: number | undefined): number {
  return contextTokens === undefined ? answerTokens : Math.min(answerTokens, contextTokens >> 2);
}

/** What every call may be given. */
export interface ModelCallOptions {
  readonly signal?: AbortSignal;
}

/** A place in a file, and the text around it. */
export interface FillRequest {
  /** The file's path from the workspace's root, with `/`. */
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  /** The text of the file before the place. */
  readonly prefix: string;
  /** The text of the file after the place. */
  readonly suffix: string;
  /** How many lines the answer may have; default: 1. */
  readonly maxLines?: number;
  /**
   * Texts of other places, the least relevant first. A model that cannot take them leaves them out.
   */
  readonly context?: readonly (ContextText | TaskText)[];
  /** The most tokens of the answer, as the model counts them. */
  readonly maxTokens?: number;
  /** From 0, always the likeliest, to 2; default: the model's default. */
  readonly temperature?: number;
  /** What the answer may be; default: anything. Only models with `followsGuide` heed it. */
  readonly guide?: FillGuide;
}

/**
 * Decides which texts an answer may be, such as those that a grammar allows at the place. Each
 * method gets the answer from its start; most calls extend the text of an earlier call.
 *
 * Law: where a text is allowed, so is each of its beginnings.
 */
export interface FillGuide {
  /** Whether an answer may begin with `text`. */
  allows(text: string): boolean;
  /** Whether `text` may be the whole answer; called for texts that are allowed. */
  mayEnd(text: string): boolean;
  /** Whether `text`, which is allowed, is nothing but white space and comments. */
  isTrivia?(text: string): boolean;
  /**
   * Computes ahead what takes time to decide for `text` and its beginnings. It may reject texts
   * that were allowed before: the caller tests again whether `text` is still allowed.
   */
  prepare?(text: string): Promise<void>;
}

/** Text of another place that helps to fill this one. */
export interface ContextText {
  /** Where it is from: a path from the workspace's root, or a title in words for what has none. */
  readonly path: string;
  readonly text: RedactedText;
}

/**
 * What the model is to do at the place, or what it is to change there: sent as it is, since it has
 * to be carried out or given back.
 */
export interface TaskText {
  readonly kind: "task";
  /** A title in words. */
  readonly path: string;
  readonly text: string;
}

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** A conversation that wants an answer. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** The most tokens of the answer, as the model counts them. */
  readonly maxTokens?: number;
}

/**
 * A prompt in the words of a family of models: no template is put around it, and special tokens in
 * it are read as such. The caller escapes what comes from elsewhere.
 */
export interface RawRequest {
  /** Not empty. */
  readonly prompt: string;
  /**
   * Texts that end the answer, none of which is in it. A server gets as many of them as it takes.
   * Default: none.
   */
  readonly stop?: readonly string[];
  /** The most tokens of the answer, as the model counts them; default: 256. */
  readonly maxTokens?: number;
  /** From 0, always the likeliest, to 2; default: the model's default. */
  readonly temperature?: number;
}

/** A place, for a request of the likeliest next tokens. */
export interface NextRequest extends Pick<FillRequest, "path" | "language" | "prefix" | "suffix"> {
  /** The most tokens wanted; default: 10. */
  readonly limit?: number;
}

/** A token that may come next. */
export interface NextToken {
  /**
   * The token's text with the white space before it; a line break is `\n`. Empty for the end of the
   * answer, where the model reports its probability.
   */
  readonly text: string;
  /**
   * From 0 to 1. The probabilities of all tokens of the model, listed or not, add up to at most 1.
   */
  readonly probability: number;
}

/** A piece of an answer, in order. */
export interface TextPart {
  readonly kind: "text-delta";
  readonly text: string;
  /**
   * Set where the server has sent the model's reasoning apart from the answer, before this part.
   */
  readonly isBehindReasoning?: true;
}

/** How an answer ended. */
export interface ModelEnd {
  /**
   * `finished`: the answer is complete. `length`: a limit of the request was reached. `silent`: no
   * text is likely enough. `content-filter`: the provider stopped the model, or the model refused.
   */
  readonly reason: "finished" | "length" | "silent" | "content-filter";
  /**
   * Which limit, where the reason is `length`: an answer cut at its lines ends with a whole one;
   * one that came to its end by the `guide` is allowed as far as it goes, but the model knew
   * nothing more that is.
   */
  readonly limit?: "lines" | "tokens" | "guide";
  /**
   * Set where the `guide` refused the likeliest text that the model knew, and the answer continues
   * with another one.
   */
  readonly isForced?: true;
  /**
   * The probability, from 0 to 1, that the whole answer is exactly what is wanted; absent where the
   * model does not report it.
   */
  readonly probability?: number;
  /** The explanation of each part of the answer, where the model gives one. */
  readonly evidence?: readonly AnswerToken[];
  /**
   * The milliseconds in which the server evaluated the prompt, and the tokens that it evaluated of
   * it, those that it had kept left out; absent where the server does not report them.
   */
  readonly evaluated?: { readonly ms: number; readonly tokens?: number };
  /** The same of the answer. */
  readonly generated?: { readonly ms: number; readonly tokens: number };
  /** Why `reason` is `silent`; absent where the model does not report it. */
  readonly withheld?: NoAnswerReason;
}

/** Why a model gave no answer. */
export interface NoAnswerReason {
  /** A short clause, such as `its answer was empty`. */
  readonly why: string;
  /** The text of the answer, and its probability, from 0 to 1. */
  readonly text?: string;
  readonly probability?: number;
}

/** A part of an answer, and its explanation. */
export interface AnswerToken {
  /** The token with the white space before it. */
  readonly text: string;
  /** How likely it was at its place, from 0 to 1. */
  readonly probability: number;
  /** The contexts that proposed it, the strongest first, such as `last 3 tokens, workspace`. */
  readonly contexts: readonly string[];
  /**
   * The longest match of the text before in the learnt files that this token followed, where there
   * was one.
   */
  readonly match?: TokenMatch;
}

/** A place in a learnt file that the same text precedes as the token of the answer. */
export interface TokenMatch {
  /** The learnt file. */
  readonly path: string;
  /**
   * The position of the token in the file, in the model's own tokens; see
   * `BuiltinModel.lineOfToken`.
   */
  readonly tokenIndex: number;
  /** How many tokens before it agree, at most 40. */
  readonly length: number;
}

declare const redacted: unique symbol;

/**
 * A text whose keys, tokens and passwords are replaced by `…`.
 *
 * Only `hideSecrets` of `emend/context` and the functions beside it make one, so the compiler
 * refuses a prompt with context that was not redacted.
 */
export type RedactedText = string & { readonly [redacted]: true };
