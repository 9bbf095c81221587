import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

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
