import { looksSecret } from "../../syntax/index.ts";

/**
 * Asks a person for the program that prints a key, until the answer is no key itself. The answer is
 * the program with its arguments, split at blanks outside of quotes; `undefined` where the person
 * names none. `ask` shows the question and returns what the person typed. Rejects as `ask` does.
 */
export async function askForKeyCommand(
  question: string,
  ask: (question: string) => Promise<string | undefined>,
): Promise<readonly string[] | undefined> {
  for (let shown = question; ; shown = "That looks like a key, and Emend stores none. Which command prints it?") {
    const answer = await ask(shown);
    if (answer === undefined || answer.trim() === "") return undefined;
    const words = [...answer.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((word) => word[1] ?? word[2] ?? word[3]!);
    if (!words.some(looksSecret)) return words;
  }
}
