/**
 * Features of a place, and of the last reactions of the person, from which the acceptance of ghost
 * text is estimated.
 */
export interface TriggerFeatures {
  /** The language's id. */
  readonly language: string;
  /** The cursor's line before it, and behind it. */
  readonly lineBefore: string;
  readonly rest: string;
  /**
   * What became of the last suggestions, the newest first, each with how long ago that was, in
   * milliseconds.
   */
  readonly recent: readonly RecentAnswer[];
  /** UTF-16 units of the suggestion, once there is one. */
  readonly length?: number;
  /**
   * How likely the model takes its answer to be exactly what is wanted, from 0 to 1, where it can
   * tell.
   */
  readonly probability?: number;
}

/** What a person did with a suggestion that was seen. */
export interface RecentAnswer {
  readonly accepted: boolean;
  readonly agoMs: number;
}

/**
 * The signals as numbers about 1 in size, by name, none of them 0.
 *
 * The idea of the signals is GitHub Copilot's contextual filter as it was read in 2023: the last
 * answer and how long ago it was, the characters around the cursor, the language, the length of the
 * line.
 */
export function triggerFeatureVector(signals: TriggerFeatures): ReadonlyMap<string, number> {
  const { language, lineBefore, rest, recent, length, probability } = signals;
  const features = new Map<string, number>([["always", 1]]);
  const add = (name: string, value: number) => {
    if (value !== 0) features.set(name, value);
  };
  const [last] = recent;
  if (last !== undefined) add(last.accepted ? "just accepted" : "just refused", 0.5 ** (last.agoMs / justMs));
  add("accepted lately", lately(recent));
  add(`behind ${characterClass(lineBefore.at(-1))}`, 1);
  if (/[ \t]$/.test(lineBefore)) add(`behind ${characterClass(lineBefore.trimEnd().at(-1))} and blanks`, 1);
  add(`before ${rest.trim() === "" ? "the line's end" : characterClass(rest.trimStart()[0])}`, 1);
  add(`in ${language}`, 1);
  add("length of the line", Math.log2(1 + lineBefore.trim().length) / 8);
  if (length !== undefined) add("length of the suggestion", Math.log2(1 + length) / 8);
  if (probability !== undefined) add("the model's own confidence", 2 * probability - 1);
  return features;
}

/** How long it takes until the last answer counts half, in milliseconds; and those before it. */
const justMs = 30_000;
const latelyMs = 10 * 60_000;

/** From -1, all refused, to 1, all accepted; near 0 where there were few or they are long ago. */
function lately(recent: readonly RecentAnswer[]): number {
  let sum = 0;
  let weight = 2;
  for (const { accepted, agoMs } of recent) {
    const counts = 0.5 ** (agoMs / latelyMs);
    sum += accepted ? counts : -counts;
    weight += counts;
  }
  return sum / weight;
}

const classes: readonly (readonly [RegExp, string])[] = [
  [/[\p{L}_$]/u, "a letter"],
  [/\p{N}/u, "a digit"],
  [/\s/, "a blank"],
  [/[.]/, "a dot"],
  [/[([{]/, "an opening bracket"],
  [/[)\]}]/, "a closing bracket"],
  [/["'`]/, "a quote"],
  [/[,]/, "a comma"],
  [/[;]/, "a semicolon"],
  [/[:]/, "a colon"],
  [/[=+\-*/%<>!&|^~?]/, "an operator"],
];

function characterClass(character: string | undefined): string {
  if (character === undefined) return "the line's start";
  return classes.find(([pattern]) => pattern.test(character))?.[1] ?? "another sign";
}
