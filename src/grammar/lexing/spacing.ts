/**
 * The text between two terminals: nothing, trivia within the line, trivia with a line break, or,
 * where a hole may still decide it, any of these.
 */
export type Spacing = typeof glued | typeof apart | typeof broken | typeof anySpacing;

export const glued = 0;
export const apart = 1;
export const broken = 2;
export const anySpacing = 3;

/** The spacing after trivia was added to what stood there. */
export function withTrivia(spacing: Spacing, hasLineBreak: boolean): Spacing {
  if (spacing === anySpacing) return anySpacing;
  return hasLineBreak || spacing === broken ? broken : apart;
}
