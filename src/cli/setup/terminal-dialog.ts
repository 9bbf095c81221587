import {
  type FoundServer,
  isModelServer,
  parseModelName,
  printModelNameInFull,
  shownModelName,
} from "../../model/index.ts";
import {
  askForKeyCommand,
  type SetupCandidate,
  type SetupChoice,
  type SetupDialog,
  type SetupQuestion,
  type SetupStep,
} from "../../server/index.ts";
import { askForWord } from "../terminal/ask-for-word.ts";
import { endOfInput, printable, type Terminal } from "../terminal/terminal.ts";

/** Shows the steps of `emend setup` at a terminal, and asks there. */
export class TerminalDialog implements SetupDialog {
  readonly again = "Run `emend setup` again.";
  readonly #isQuiet: boolean;
  readonly #terminal: Pick<Terminal, "err" | "ask">;

  /** With `json` nothing is shown but questions. */
  constructor({ json }: { readonly json: boolean }, terminal: Pick<Terminal, "err" | "ask">) {
    this.#isQuiet = json;
    this.#terminal = terminal;
  }

  show(step: SetupStep): void {
    if (step.kind !== "found") {
      if (step.kind !== "tried") this.#say(step.text);
      else this.#say(`${shownModelName(step.trial.name)} ${step.text} ${step.trial.why}`);
      return;
    }
    for (const [index, { server, model }] of candidatesOf(step.servers).entries()) {
      const what = `${server.title} ${server.version ?? ""}`.trim();
      const number = String(index + 1).padStart(3);
      this.#say(
        `${number}  ${shownModelName(nameAmong(step.servers, model.name))}  (${what}, ${model.id}${model.isLoaded ? ", loaded" : ""})`,
      );
    }
  }

  async chooseModels({ candidates, preferred }: SetupChoice): Promise<readonly SetupCandidate[]> {
    const numbers = preferred.map((one) => candidates.indexOf(one) + 1).join(" ");
    for (;;) {
      const answer = await this.#terminal.ask(`Which ones? Numbers, with blanks between them [${numbers}] `);
      if (answer === undefined || answer === endOfInput || answer.trim() === "") return preferred;
      const named = answer
        .trim()
        .split(/[\s,]+/)
        .map((word) => candidates[Number(word) - 1]);
      if (named.every((one) => one !== undefined)) return named;
    }
  }

  async confirm({ details, question, ifEmpty }: SetupQuestion): Promise<boolean | undefined> {
    if (details !== "") this.#say(details);
    const hint = ifEmpty === "yes" ? "[Y/n]" : "[y/N]";
    const word = await askForWord(
      `${question} ${hint} `,
      { words: ["yes", "no"], atEnd: "no", ifEmpty },
      this.#terminal,
    );
    return word && word === "yes";
  }

  askForKeyCommand(question: string): Promise<readonly string[] | undefined> {
    return askForKeyCommand(question, async (shown) => {
      const answer = await this.#terminal.ask(`${shown} `);
      return answer === endOfInput ? undefined : answer;
    });
  }

  #say(text: string): void {
    if (!this.#isQuiet) this.#terminal.err(`${text.split("\n").map(printable).join("\n")}\n`);
  }
}

/** The models that can be tried, in the order of their numbers at a terminal. */
export function candidatesOf(servers: readonly FoundServer[]): readonly SetupCandidate[] {
  return servers.flatMap((server) =>
    server.kind === "ready"
      ? server.models.filter(({ isEmbedding }) => !isEmbedding).map((model) => ({ server, model }))
      : [],
  );
}

/**
 * A model's name as people read it and settings name it: with its address where several servers
 * were found.
 */
export function nameAmong(servers: readonly FoundServer[], name: string): string {
  const read = parseModelName(name).name;
  return read !== undefined && servers.filter(isModelServer).length > 1 ? printModelNameInFull(read) : name;
}
