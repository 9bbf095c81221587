import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../codebase/index.ts";

/**
 * A secret that nobody guesses: 256 random bits in 43 letters, digits, `-` and `_`.
 *
 * Whoever knows the address of a page may read and write its folder, so the address itself has to be the key.
 */
export function newPageToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether both are the same. How long it takes tells nothing of where they differ, nor of their lengths. */
export function isSameToken(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** How long a ticket is good for, in milliseconds: until a browser has started on a slow machine. */
const ticketMs = 120_000;

/**
 * Secrets that are good for one use, to be told to the program that opens the browser: what stands on a command line can be read by all
 * who share the machine, for as long as the program runs.
 */
export class Tickets {
  readonly #clock: Clock;
  readonly #open = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(): string {
    const ticket = newPageToken();
    this.#open.add(ticket);
    this.#clock.after(ticketMs, () => this.#open.delete(ticket));
    return ticket;
  }

  /** Whether this is a ticket that nobody has used; now somebody has. */
  take(given: string): boolean {
    for (const ticket of this.#open) if (isSameToken(ticket, given)) return this.#open.delete(ticket);
    return false;
  }
}
