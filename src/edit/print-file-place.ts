import type { FilePlace } from "./edit-outcome.ts";

/**
 * Prints a place for people, as the line in front of it counted from 1: `src/a.ts:12`. The
 * beginning of a file is line 1.
 */
export function printFilePlace({ path, line }: FilePlace): string {
  return `${path}:${Math.max(line, 1)}`;
}
