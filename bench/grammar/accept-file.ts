import { type CompiledGrammar, FillSession, type Hole, recognise } from "../../src/grammar/index.ts";
import { type Cut, randomCut } from "./cuts.ts";

/** What goes wrong with a text that is whole. */
export interface AcceptFailure {
  readonly kind: "rejected" | "hole closed" | "dead" | "may not stop";
  /** Where it shows, in UTF-16 code units of the text. */
  readonly offset: number;
  /** The hole, for all but `rejected`. */
  readonly cut?: Cut;
  /** The text behind the hole, with a further hole between each two. */
  readonly behind?: readonly string[];
  readonly note: string;
}

/** What came of a text that is whole, and of holes in it. */
export interface AcceptedFile {
  readonly failures: readonly AcceptFailure[];
  readonly cuts: number;
  readonly bytes: number;
  /** Processor time to read the whole text. */
  readonly readMs: number;
  /** Processor time to open each hole. */
  readonly openMs: readonly number[];
}

export interface AcceptFileOptions {
  /** How many holes; half as many again are opened with a second hole behind. */
  readonly cuts: number;
  readonly random: () => number;
}

/** Reads a text that is whole, and holes in it, the true middle of each character by character. */
export function acceptFile(grammar: CompiledGrammar, text: string, { cuts, random }: AcceptFileOptions): AcceptedFile {
  const encoded = encoder.encode(text);
  const began = cpuMs();
  const verdict = recognise(grammar, encoded);
  const readMs = cpuMs() - began;
  const failures: AcceptFailure[] = [];
  if (verdict.kind !== "whole") {
    const end = verdict.kind === "refused" ? verdict.offset : encoded.length;
    const offset = new TextDecoder().decode(encoded.subarray(0, end)).length;
    return {
      failures: [{ kind: "rejected", offset, note: verdict.kind }],
      cuts: 0,
      bytes: encoded.length,
      readMs,
      openMs: [],
    };
  }
  const session = new FillSession(grammar);
  const openMs: number[] = [];
  const open = (cut: Cut, behind: readonly string[]): void => {
    const start = cpuMs();
    const opening = session.open({ before: cut.before, behind });
    openMs.push(cpuMs() - start);
    const failure =
      opening.kind === "open"
        ? replay(opening.hole, cut)
        : { kind: "hole closed" as const, offset: cut.before.length, note: opening.kind };
    if (failure !== undefined) failures.push({ ...failure, cut, behind });
  };
  for (let i = 0; i < cuts; i++) {
    const cut = randomCut(text, random);
    open(cut, [cut.behind]);
    if (i % 2 === 0) continue;
    const further = randomCut(cut.behind, random);
    open(cut, [further.before, further.behind]);
  }
  return { failures, cuts: openMs.length, bytes: encoded.length, readMs, openMs };
}

function replay(hole: Hole, { before, middle }: Cut): Omit<AcceptFailure, "cut" | "behind"> | undefined {
  let filling = hole.empty;
  let offset = before.length;
  for (const character of middle) {
    filling = hole.add(filling, encoder.encode(character));
    if (!hole.isAlive(filling)) return { kind: "dead", offset, note: JSON.stringify(character) };
    offset += character.length;
  }
  return hole.canStop(filling) ? undefined : { kind: "may not stop", offset, note: "" };
}

const encoder = new TextEncoder();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
