/** The text of a file by its path; `undefined` where there is none. */
export type TextLookup = (path: string) => string | undefined;

/**
 * Texts laid over others, by path, such as those of a change that is only tried; `undefined`
 * removes a file.
 */
export type TextOverlay = ReadonlyMap<string, string | undefined>;

/** The text of a file before and after a change; `undefined` where there is none. */
export interface ChangedText {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** One of the two texts of a change. */
export type ChangeSide = keyof ChangedText;

/** All texts with an overlay. Later changes of either count. */
export function textsWith(overlay: TextOverlay, textOf: TextLookup): TextLookup {
  return (path) => (overlay.has(path) ? overlay.get(path) : textOf(path));
}

/**
 * All texts before or after a change: those of the changed files, and of other files those of
 * `textOf`. Later changes of either count.
 */
export function textsAt(side: ChangeSide, changed: ReadonlyMap<string, ChangedText>, textOf: TextLookup): TextLookup {
  return (path) => {
    const change = changed.get(path);
    return change === undefined ? textOf(path) : change[side];
  };
}

/** The texts of the changed files before or after the change. */
export function overlayAt(side: ChangeSide, changed: Iterable<readonly [string, ChangedText]>): TextOverlay {
  return new Map(Array.from(changed, ([path, change]) => [path, change[side]]));
}
