import type { AnswerToken } from "./answer-token.ts";

/**
 * One interface for language models.
 *
 * A model has up to four faces, and an engine asks for the one it needs. All take an `AbortSignal`; an abort rejects
 * with the signal's own reason, so that a cut answer never looks finished.
 */
export interface Model {
  /** How the model was named, such as `builtin` or `ollama:qwen2.5-coder:1.5b`. */
  readonly name: string;
  /** Streams text that goes between a prefix and a suffix. */
  readonly fill?: (request: FillRequest, options?: ModelCallOptions) => AsyncGenerator<TextPart, ModelEnd>;
  /** Has the model read what a fill would show it, so that the fill answers sooner. Says nothing. */
  readonly warm?: (request: FillRequest, options?: ModelCallOptions) => Promise<void>;
  /** Streams the answer to a conversation. */
  readonly chat?: (request: ChatRequest, options?: ModelCallOptions) => AsyncGenerator<TextPart, ModelEnd>;
  /** Streams what goes on from a prompt that is sent as it is. */
  readonly completeRaw?: (request: RawRequest, options?: ModelCallOptions) => AsyncGenerator<TextPart, ModelEnd>;
  /** The likeliest next tokens and their probabilities, likeliest first. */
  readonly next?: (request: NextRequest, options?: ModelCallOptions) => Promise<readonly NextToken[]>;
  /** Says what the model is that was loaded under the name. Whoever knows it by its name need not ask. */
  readonly describe?: (options?: ModelCallOptions) => Promise<ModelDescription>;
  /** The most tokens of a prompt and its answer together, where it is known. */
  readonly contextTokens?: number;
  /** How the model's tokens are counted; absent where only an estimate is to be had. */
  readonly tokenCounter?: TokenCounter;
  /** How the model is told where to fill, for a person, where it is known without asking: `the template qwen-2.5-coder`. */
  readonly fillWay?: string;
  /** Set where a fill is an instruction to `chat`, for want of something better. */
  readonly fillsByChat?: true;
  /** Set where a fill heeds the request's `guide`; others ignore it. */
  readonly followsGuide?: true;
}

/** What a server says of the model that it has. What it does not tell stays out. */
export interface ModelDescription {
  /** The name of the model that was loaded, or of its file, such as `zed-industries/zeta-2` or `Zeta 2`. */
  readonly family?: string;
  /** The model's file, where the server calls the model otherwise: its owner may have given it any name. */
  readonly file?: string;
  /** How it was trained: `base` completes, `instruct` converses. */
  readonly training?: "base" | "instruct";
}

/** Counts the tokens of a text, as one tokeniser would. */
export interface TokenCounter {
  /** The tokeniser's name, such as `o200k_base`, or `estimate`. */
  readonly name: string;
  /** Whether the count is the tokeniser's own, and no estimate. */
  readonly isExact: boolean;
  count(text: string): number;
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
  /** How many lines the answer may have; 1 unless told. */
  readonly maxLines?: number;
  /** Texts of other places, the least relevant first. A model that cannot take them leaves them out. */
  readonly context?: readonly ContextText[];
  /** The most tokens of the answer, as the model counts them. */
  readonly maxTokens?: number;
  /** From 0, always the likeliest, to 2; the model's default unless told. */
  readonly temperature?: number;
  /** What the answer may be; anything unless told. Only models with `followsGuide` heed it. */
  readonly guide?: FillGuide;
}

/**
 * Says of texts what an answer may be, such as what a grammar allows at the place. It is asked of the answer from its
 * start, and of many beginnings one after the other, most of which go on from one before.
 *
 * Law: where a text is allowed, so is each of its beginnings.
 */
export interface FillGuide {
  /** Whether an answer may begin with `text`. */
  allows(text: string): boolean;
  /** Whether `text` may be the whole answer; asked of texts that are allowed. */
  mayEnd(text: string): boolean;
  /**
   * Finds out what takes time to know of `text` and its beginnings. It may speak against what was allowed before: whoever has a text asks
   * whether it is still allowed.
   */
  prepare?(text: string): Promise<void>;
}

/** Text of another place that helps to fill this one. */
export interface ContextText {
  /** Where it is from: a path from the workspace's root, or a title in words for what has none. */
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
 * A prompt in the words of a family of models: no template is put around it, and special tokens in it are read as such. Whoever makes it escapes what
 * comes from elsewhere.
 */
export interface RawRequest {
  /** Not empty. */
  readonly prompt: string;
  /** Texts that end the answer, none of which is in it. A server is told as many of them as it takes. None unless told. */
  readonly stop?: readonly string[];
  /** The most tokens of the answer, as the model counts them; 256 unless told. */
  readonly maxTokens?: number;
  /** From 0, always the likeliest, to 2; the model's default unless told. */
  readonly temperature?: number;
}

/** A place that wants to know what may come next. */
export interface NextRequest extends Pick<FillRequest, "path" | "language" | "prefix" | "suffix"> {
  /** The most tokens wanted; 10 unless told. */
  readonly limit?: number;
}

/** A token that may come next. */
export interface NextToken {
  /**
   * The token's text with the white space before it; a line break is `\n`. Empty for the end of the answer, where the
   * model tells how likely that is.
   */
  readonly text: string;
  /** From 0 to 1. All tokens the model knows, listed or not, add up to at most 1. */
  readonly probability: number;
}

/** A piece of an answer, in order. */
export interface TextPart {
  readonly kind: "text-delta";
  readonly text: string;
}

/** How an answer ended. */
export interface ModelEnd {
  /**
   * `finished`: the model said all it wanted. `length`: a limit of the request was reached. `silent`: the model has
   * nothing to say that is likely enough. `content-filter`: the provider stopped the model, or the model refused.
   */
  readonly reason: "finished" | "length" | "silent" | "content-filter";
  /**
   * Which limit, where the reason is `length`: an answer cut at its lines ends with a whole one; one that came to its end by
   * the `guide` is allowed as far as it goes, but the model knew nothing more that is.
   */
  readonly limit?: "lines" | "tokens" | "guide";
  /** How likely the whole answer is exactly what is wanted, from 0 to 1, where the model can tell. */
  readonly probability?: number;
  /** Why each part of the answer stands there, where the model can tell. */
  readonly evidence?: readonly AnswerToken[];
  /** Where it is `silent`, why, if the model can tell. */
  readonly held?: HeldGuess;
}

/** Why a model said nothing. */
export interface HeldGuess {
  /** In a few words, as the end of "It has nothing to say here:". */
  readonly why: string;
  /** What it would have said, and how likely that is, from 0 to 1. */
  readonly text?: string;
  readonly probability?: number;
}
