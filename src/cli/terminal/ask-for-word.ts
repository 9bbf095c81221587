import { endOfInput, type Terminal } from "./terminal.ts";

/** What a person may answer. */
export interface WordChoice<Word extends string> {
  /** The words; each has another first letter. */
  readonly words: readonly Word[];
  /** What the end of the input (Ctrl-D) means. */
  readonly atEnd: Word;
  /** What an empty line means; without it, the question is asked again. */
  readonly ifEmpty?: Word;
}

/**
 * Asks until the answer is one of the words or its first letter, in any case. Returns `undefined`
 * where there is no terminal. Rejects as {@link Terminal.ask} does.
 */
export async function askForWord<Word extends string>(
  question: string,
  { words, atEnd, ifEmpty }: WordChoice<Word>,
  terminal: Pick<Terminal, "ask">,
): Promise<Word | undefined> {
  for (;;) {
    const answer = await terminal.ask(question);
    if (answer === undefined) return undefined;
    if (answer === endOfInput) return atEnd;
    const typed = answer.trim().toLowerCase();
    if (typed === "" && ifEmpty !== undefined) return ifEmpty;
    const word = words.find((one) => typed === one || typed === one[0]);
    if (word !== undefined) return word;
  }
}
