import { movedReading, type Reader, type Reading, type ReadResult } from "./reader.ts";
import { WorkSlices } from "./work-slices.ts";

/** The distance of checkpoints, in bytes. */
const stride = 512;

/** The readings at an offset. */
interface Checkpoint {
  readonly offset: number;
  readonly readings: readonly Reading[];
}

/**
 * Reads the text before a hole incrementally: after an edit, from the last checkpoint before the
 * edit up to the first one behind it with the same readings as before.
 */
export class PrefixReader {
  readonly #reader: Reader;
  readonly #slices: WorkSlices;
  #bytes: Uint8Array = new Uint8Array();
  #checkpoints: readonly Checkpoint[] = [];
  #result: ReadResult | undefined;

  constructor(reader: Reader, slices: WorkSlices = new WorkSlices()) {
    this.#reader = reader;
    this.#slices = slices;
  }

  /**
   * The readings of `bytes`. Rethrows an interruption by {@link WorkSlices}, and keeps the
   * checkpoints so far, so that the next call continues from there.
   */
  read(bytes: Uint8Array): ReadResult {
    const old = { bytes: this.#bytes, checkpoints: this.#checkpoints, result: this.#result };
    const start = commonStart(old.bytes, bytes);
    const end = commonEnd(old.bytes, bytes, start);
    const shift = bytes.length - old.bytes.length;
    const checkpoints = old.checkpoints.filter(({ offset }) => offset <= start);
    const later = old.checkpoints
      .filter(({ offset }) => offset >= old.bytes.length - end && offset > start)
      .map((checkpoint) => moved(checkpoint, shift));
    let { offset: at, readings } = checkpoints.at(-1) ?? { offset: 0, readings: this.#reader.start };
    let result: ReadResult = { readings };
    for (const stop of stopsBetween(at, bytes.length, later)) {
      try {
        // Without readings there are no further checkpoints, and an interruption would repeat the
        // rest in each slice; reading nothing takes no time.
        if (readings.length > 0) this.#slices.longStep();
      } catch (interruption) {
        this.#remember(bytes.subarray(0, at), checkpoints, result);
        throw interruption;
      }
      result = { ...result, ...this.#reader.read(readings, bytes, at, stop) };
      ({ readings } = result);
      at = stop;
      const same = later.findIndex(({ offset }) => offset === stop);
      if (same >= 0 && old.result !== undefined && areSame(later[same]!.readings, readings)) {
        checkpoints.push(...later.slice(same));
        result = { ...old.result, readings: old.result.readings.map((reading) => movedReading(reading, shift)) };
        break;
      }
      if (stop < bytes.length && readings.length > 0) checkpoints.push({ offset: stop, readings });
    }
    this.#remember(bytes, checkpoints, result);
    return result;
  }

  #remember(bytes: Uint8Array, checkpoints: readonly Checkpoint[], result: ReadResult): void {
    this.#bytes = bytes;
    this.#checkpoints = checkpoints;
    this.#result = result;
  }
}

/** The offsets at which to stop: those of later checkpoints, and regular ones between. */
function* stopsBetween(from: number, end: number, remembered: readonly Checkpoint[]): Generator<number, void> {
  let at = from;
  for (const place of [...remembered.map(({ offset }) => offset).filter((offset) => offset > from), end]) {
    while (place - at > 2 * stride) {
      at += stride;
      yield at;
    }
    if (place > at || place === end) yield place;
    at = place;
  }
}

function moved({ offset, readings }: Checkpoint, by: number): Checkpoint {
  return { offset: offset + by, readings: readings.map((reading) => movedReading(reading, by)) };
}

function areSame(some: readonly Reading[], others: readonly Reading[]): boolean {
  return some.length === others.length && some.every((reading, i) => isSame(reading, others[i]!));
}

function isSame(a: Reading, b: Reading): boolean {
  if (a.front !== b.front || a.spacing !== b.spacing || a.start !== b.start || a.names !== b.names) return false;
  if (typeof a.lexeme === "string" || typeof b.lexeme === "string") return a.lexeme === b.lexeme;
  return (
    a.lexeme.state === b.lexeme.state &&
    a.lexeme.matchEnd === b.lexeme.matchEnd &&
    a.lexeme.matchState === b.lexeme.matchState
  );
}

function commonStart(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at++;
  return at;
}

/** The length of the common suffix, behind a common prefix of `start` bytes. */
function commonEnd(a: Uint8Array, b: Uint8Array, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}
