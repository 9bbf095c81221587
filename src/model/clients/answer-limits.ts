import { ModelError } from "../model-error.ts";

/**
 * The most characters of one line or event of an answer: a server that sends more is not answering.
 */
export const maxLineLength = 16 * 1024 * 1024;

/**
 * The most bytes of an answer; the longest answers of today's models take half of it as a stream of
 * tokens.
 */
export const maxAnswerBytes = 64 * 1024 * 1024;

/** The most bytes that are read of an error response. */
export const maxRefusalBytes = 64 * 1024;

/** The most milliseconds from a request to the end of its answer, repetitions included. */
export const defaultTotalMs = 600_000;

/** Whose answer a limit is about. */
interface Answerer {
  readonly title: string;
  readonly url: string;
  readonly status: number;
}

/** The error `not-an-answer` for a line or an event of more than 16 million characters. */
export function lineTooLong({ title, url, status }: Answerer): ModelError {
  const message = `${title} sent more than ${maxLineLength.toLocaleString("en")} characters as one message. Look at its log.`;
  return new ModelError("not-an-answer", message, { url, status });
}

/** The error `not-an-answer` for an answer of more than 64 MB. */
export function answerTooLarge({ title, url, status }: Answerer): ModelError {
  const megabytes = maxAnswerBytes / 1024 / 1024;
  const message = `${title} sent more than ${megabytes} MB as one answer. Look at its log, or set a limit of tokens there.`;
  return new ModelError("not-an-answer", message, { url, status });
}

/**
 * The error `timed-out` for an answer that takes longer than `totalMs` milliseconds, which the
 * setting `setting` sets.
 */
export function answerTooSlow({
  title,
  url,
  totalMs,
  setting,
}: Pick<Answerer, "title" | "url"> & { readonly totalMs: number; readonly setting: string }): ModelError {
  const message = `${title} did not end its answer within ${totalMs / 1000} s. Look at its log, or set \`${setting}\` higher.`;
  return new ModelError("timed-out", message, { url });
}
