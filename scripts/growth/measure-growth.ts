/** A function of a text; what `prepare` makes of the text is not measured. */
export interface Work<T = unknown> {
  /** `undefined` where this text is not to be measured. */
  readonly prepare: (text: string) => T | undefined;
  readonly run: (prepared: T) => void;
}

/** How the work of a function grows with its text. */
export interface Growth {
  /**
   * By how much the processor time grows when the text becomes twice as long; 1 where it is too
   * short to be measured.
   */
  readonly ratio: number;
  /** The length of the shortest text, in UTF-16 units. */
  readonly length: number;
}

/**
 * Twice the text may take so many times the work: twice, and room for what is measured beside it.
 */
export const maxRatio = 2.5;

/** A run shorter than this, in milliseconds of processor time, shows nothing about growth. */
const measurableMs = 10;
const firstLength = 1_000;
/**
 * The length up to which texts are made longer until they can be measured; `GROWTH_LENGTH` sets
 * another.
 */
const maxLength = Number(process.env["GROWTH_LENGTH"] ?? 4_000);
const maxTries = 20;

/**
 * Runs `work` on texts of one shape, each twice as long as the one before, until a run can be
 * measured, and compares that with the run on a text four times as long: linear work grows four
 * times and quadratic work sixteen times, which are distinguished on a busy machine, too. Processor
 * time is noisy, so the least of several runs counts, and a ratio that is too large is measured
 * again.
 */
export function measureGrowth<T>(shape: (length: number) => string, { prepare, run }: Work<T>): Growth {
  const cpuMs = (prepared: T) => {
    const before = process.cpuUsage();
    run(prepared);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const first = prepare(shape(firstLength));
  if (first === undefined) return { ratio: 1, length: 0 };
  run(first);
  for (let length = firstLength; length <= maxLength; length *= 2) {
    const short = prepare(shape(length));
    if (short === undefined) break;
    if (cpuMs(short) < measurableMs || cpuMs(short) < measurableMs) continue;
    const long = prepare(shape(4 * length));
    if (long === undefined) break;
    let [least, leastLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let count = 0; count < maxTries; count += 1) {
      least = Math.min(least, cpuMs(short));
      leastLong = Math.min(leastLong, cpuMs(long));
      if (leastLong / least <= maxRatio ** 2) break;
    }
    return { ratio: Math.sqrt(leastLong / least), length };
  }
  return { ratio: 1, length: maxLength };
}
