import { oneLine } from "../../text/index.ts";
import { OverlayCheck, type OverlayCheckRequest } from "../diagnostics/overlay-check.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import { type BlockId, blockId, type CodeBlock } from "../graph/code-block.ts";
import type { ChangeFacts, NewParameter } from "../repair/facts/change-facts.ts";
import { comesFromParameter, isOnlyReturnedMember } from "../repair/lost-member.ts";
import type { Repair } from "../repair/repair.ts";
import { type RepairRules, repairRounds } from "../repair/repair-rounds.ts";
import { argumentRepair } from "../repair/rules/argument-repair.ts";
import { renameRepair } from "../repair/rules/rename-repair.ts";

/** Input of {@link checkSpeculatively}. The checker is restored to its state before the change. */
interface SpeculativeCheckRequest extends OverlayCheckRequest {
  readonly facts: ChangeFacts;
}

/** The most checks: of the change alone, and of each round of repairs. */
const maxRounds = 6;

/** The type checker's result for a block, with the change applied. */
export interface CheckedBlock {
  readonly block: CodeBlock;
  /**
   * 1 for errors of the change alone; 2 for errors caused by repairing those, and so on. A guess
   * counts as a further wave.
   */
  readonly wave: number;
  /** The codes of all errors that were found, sorted; without guesses where there are others. */
  readonly codes: readonly string[];
  /**
   * The errors to name: those that were found first; with `error` only those of them that are left
   * when all repairs that follow from the change are made, as far as there are any.
   */
  readonly errors: readonly CheckedError[];
  /**
   * - `error`: it remains when all repairs that follow from the change are made.
   * - `follows`: its repair follows from the change, such as a new name.
   * - `cascade`: it is gone once others are repaired.
   * - `guess`: it appears if others are repaired as people often do.
   */
  readonly certainty: "error" | "follows" | "cascade" | "guess";
  /**
   * Whether the error is in its signature or in everything it returns, so that repairing it may
   * affect its dependents.
   */
  readonly isInSignature: boolean;
  /**
   * Whether the cause of the error is a parameter, so that its callers have to pass something else.
   */
  readonly isFromParameter: boolean;
}

/** An error in a block, with the variable of its file that its place names, if there is one. */
export interface CheckedError extends CheckerMessage {
  readonly declaration?: CodeBlock;
}

/** An error of a type checker for people. Plain data. */
export interface CheckerMessage {
  readonly code: string;
  /** The message, and the last of its details. */
  readonly message: string;
  /** The names that it is about: those at its place, and those that the message quotes. */
  readonly names: readonly string[];
}

/** The error for people. `text` is the text of its file. */
export function checkerMessage(
  { code, message, details = [], start, end }: FileDiagnostic,
  text: string | undefined,
): CheckerMessage {
  const words = [message, ...details.slice(-1)].map(oneLine).join(" ");
  const quoted = [...words.matchAll(/['"]([^'"]*)['"]/g)].map(([, inner]) => inner!);
  const names = [text?.slice(start, end) ?? "", ...quoted].flatMap((one) => one.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  return { code, message: words, names: [...new Set(names)] };
}

/**
 * Finds the blocks that a change breaks, and those that repairing them breaks in turn, by type
 * checking texts that are not written to disk. They come in the order in which they are found.
 *
 * Errors are counted by block and code, since lines move and messages name types that change.
 * Repairs that follow from the change are made first, in rounds, so that an unresolved import does
 * not hide the errors behind it. Then common repairs are assumed for the rest, to find what they
 * would affect.
 *
 * The checker's texts are restored at the end, also after an error. Rejects with the checker's
 * errors, such as the signal's reason on abort.
 */
export async function checkSpeculatively(request: SpeculativeCheckRequest): Promise<readonly CheckedBlock[]> {
  return new SpeculativeCheck(request).run();
}

class SpeculativeCheck {
  readonly #check: OverlayCheck;
  readonly #found = new Map<BlockId, Found>();
  readonly #facts: ChangeFacts & { readonly addedParameters: Map<string, readonly NewParameter[]> };
  #round = 1;

  constructor({ facts, ...request }: SpeculativeCheckRequest) {
    this.#check = new OverlayCheck(request);
    this.#facts = { ...facts, addedParameters: new Map(facts.addedParameters) };
  }

  async run(): Promise<readonly CheckedBlock[]> {
    try {
      const start = await this.#check.start();
      this.#note(start, "cascade");
      const left = await this.#repair(start, "follows");
      this.#note(left, "error");
      await this.#repair(left, "guess");
    } finally {
      await this.#check.restore();
    }
    return [...this.#found.values()].map(({ codes, first, left, ...found }) => ({
      ...found,
      codes: [...codes].sort(),
      errors: errorsToName({ first, left, wave: found.wave, certainty: found.certainty }),
    }));
  }

  #note(errors: readonly FileDiagnostic[], certainty: CheckedBlock["certainty"], wave = this.#round): void {
    for (const finding of errors) {
      const now = this.#check.blockOf(finding);
      const block = this.#check.homeOf(finding);
      if (now === undefined || block === undefined) continue;
      const tree = this.#check.treeNow(finding.path);
      const isInSignature =
        now.signature.some(({ start, end }) => start <= finding.start && finding.start < end) ||
        (tree !== undefined && isOnlyReturnedMember({ diagnostic: finding, tree }));
      const isHanded = tree !== undefined && comesFromParameter({ diagnostic: finding, tree });
      const known = this.#found.get(blockId(block));
      const isGuess = certainty === "guess" && known !== undefined && known.certainty !== "guess";
      const declaration = this.#check.declarationOf(finding);
      const message = checkerMessage(finding, this.#check.textNow(finding.path));
      const shown = { ...message, ...(declaration && { declaration }) };
      const key = `${shown.code} ${shown.message}`;
      const isFirst = known === undefined || known.notedIn === this.#round;
      if (known === undefined)
        this.#found.set(blockId(block), {
          ...{ block, wave, certainty, isInSignature, isFromParameter: isHanded, notedIn: this.#round },
          codes: new Set([finding.code]),
          first: new Map([[key, shown]]),
          left: new Map(certainty === "error" ? [[key, shown]] : []),
        });
      else {
        if (!isGuess) known.codes.add(finding.code);
        if (isFirst && !isGuess) known.first.set(key, shown);
        if (certainty === "error") known.left.set(key, shown);
        known.isInSignature ||= isInSignature;
        known.isFromParameter ||= isHanded;
        if (certainty === "error" && known.certainty !== "guess") known.certainty = "error";
      }
    }
  }

  /** Repairs errors in rounds, notes those of each round, and returns those that are left. */
  async #repair(start: readonly FileDiagnostic[], certainty: "follows" | "guess"): Promise<readonly FileDiagnostic[]> {
    let left = start;
    const rules = this.#rulesFor(certainty);
    const rounds = repairRounds(this.#check, start, { maxRounds: maxRounds - this.#round, rulesOf: () => rules });
    let guesses = 0;
    for await (const { errors } of rounds) {
      this.#round += 1;
      if (certainty === "follows") this.#note(errors, "cascade");
      else this.#note(errors, "guess", ++guesses + 1);
      left = errors;
    }
    return left;
  }

  #rulesFor(certainty: "follows" | "guess"): RepairRules<Repair> {
    return {
      facts: () => this.#facts,
      repairOf: (question) => {
        const repair = renameRepair(question) ?? argumentRepair(question);
        return certainty === "guess" || repair?.certainty === "follows" ? repair : undefined;
      },
      onMade: ({ certainty, grows }, { diagnostic }) => {
        const home = this.#check.homeOf(diagnostic);
        const found = home && this.#found.get(blockId(home));
        // A repair that follows from a guess does not follow from the change.
        if (found?.certainty === "cascade" && certainty === "follows") found.certainty = "follows";
        if (grows !== undefined && !this.#facts.addedParameters.has(grows.name))
          this.#facts.addedParameters.set(grows.name, [grows.parameter]);
      },
    };
  }
}

/** See `CheckedBlock.errors`. */
function errorsToName({ first, left, wave, certainty }: Pick<Found, "first" | "left" | "wave" | "certainty">) {
  if (certainty !== "error") return [...first.values()];
  const both = [...left].filter(([key]) => first.has(key)).map(([, error]) => error);
  if (both.length > 0) return both;
  // With the change alone the first ones are in the text as it is; later ones only behind repairs.
  return [...(wave === 1 ? first : left).values()];
}

interface Found {
  readonly block: CodeBlock;
  readonly wave: number;
  readonly codes: Set<string>;
  /** The round in which it was found. */
  readonly notedIn: number;
  /** The errors of that round, and those that no repair that follows from the change removes. */
  readonly first: Map<string, CheckedError>;
  readonly left: Map<string, CheckedError>;
  certainty: CheckedBlock["certainty"];
  isInSignature: boolean;
  isFromParameter: boolean;
}
