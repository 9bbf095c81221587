import type { Clock } from "../../async/index.ts";
import { wrongParams } from "../guard.ts";

/** The parameters of `emend/snooze`. */
export interface SnoozeParams {
  /** Minutes from now on, at most 1,440; 0 ends the pause. */
  readonly minutes: number;
}

/** The answer of `emend/snooze`. */
export interface SnoozeResult {
  /** The minutes that are left, rounded up. */
  readonly minutes: number;
}

/** Automatic suggestions are paused. */
export interface SnoozedReason {
  readonly kind: "snoozed";
  readonly minutesLeft: number;
}

const minuteMs = 60_000;
const maxMinutes = 1_440;

/**
 * A pause of automatic suggestions, of ghost text and of next edits. It ends by itself, and does
 * not apply to requests by key.
 */
export class Snooze implements Disposable {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  #end = Number.NEGATIVE_INFINITY;
  #timer: Disposable | undefined;

  /** `onChange` is called when {@link minutesLeft} changes. */
  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** The minutes that are left, rounded up; 0 where automatic suggestions are not paused. */
  get minutesLeft(): number {
    return Math.max(0, Math.ceil((this.#end - this.#clock.now()) / minuteMs));
  }

  /** Why a request has no suggestion; `undefined` where the pause does not apply to it. */
  reasonFor(trigger: "automatic" | "invoked"): SnoozedReason | undefined {
    const { minutesLeft } = this;
    return trigger === "automatic" && minutesLeft > 0 ? { kind: "snoozed", minutesLeft } : undefined;
  }

  /** Serves `emend/snooze`. Throws a `ResponseError` for invalid parameters. */
  set({ minutes }: Partial<SnoozeParams>): SnoozeResult {
    if (typeof minutes !== "number" || !(minutes >= 0 && minutes <= maxMinutes)) {
      throw wrongParams(`emend/snooze requires \`minutes\`, a number from 0 to ${maxMinutes}.`);
    }
    this.#end = this.#clock.now() + minutes * minuteMs;
    this.#follow();
    return { minutes: this.minutesLeft };
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
  }

  #follow(): void {
    this.#timer?.[Symbol.dispose]();
    this.#onChange();
    const leftMs = this.#end - this.#clock.now();
    if (leftMs > 0) this.#timer = this.#clock.after(leftMs % minuteMs || minuteMs, () => this.#follow());
  }
}

/** Describes in one line that automatic suggestions are paused, for a number of minutes. */
export function describeSnoozed(minutes: number): string {
  return `Automatic suggestions are snoozed for ${minutes} more minute${minutes === 1 ? "" : "s"}.`;
}
