import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../codebase/index.ts";

/**
 * A new secret of 256 random bits, in 43 letters, digits, `-` and `_`.
 *
 * Everyone who has the URL of a page may read and write its folder, so the URL has to contain a
 * secret.
 */
export function newPageToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Whether two tokens are the same. The time that this takes reveals neither where they differ nor
 * their lengths.
 */
export function isSameToken(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The lifetime of a ticket, in milliseconds: enough for a browser to start on a slow machine. */
const ticketMs = 120_000;

/**
 * Secrets for a single use, for the program that opens the browser: a command line can be read by
 * all users of the machine while the program runs.
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

  /** Whether this is an unused ticket, which is used up by this. */
  redeem(secret: string): boolean {
    for (const ticket of this.#open) if (isSameToken(ticket, secret)) return this.#open.delete(ticket);
    return false;
  }
}
