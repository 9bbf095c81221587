import type { CheckerSnapshot, FileReferences, ReferenceSource } from "../../../codebase/index.ts";
import type { TextOverlay, TypeCheckCache } from "./type-check-cache.ts";

/**
 * Finds what the names of single files referred to in earlier texts, on request, by the type
 * checker; no graph of the whole workspace is kept.
 *
 * Results are cached as long as the state of the texts is.
 */
export class ReferencesBefore {
  /** The type diagnostics of the same texts. */
  readonly types: TypeCheckCache;
  readonly #source: Pick<ReferenceSource, "referencesOf">;

  /** `source` is the checker behind `types`. */
  constructor(types: TypeCheckCache, source: Pick<ReferenceSource, "referencesOf">) {
    this.types = types;
    this.#source = source;
  }

  /**
   * Returns what these names of a file referred to with the texts of `past`; `undefined` where the
   * checker does not know the file. Rejects as the checker does, and with the signal's reason.
   */
  async of(
    path: string,
    names: ReadonlySet<string>,
    past: TextOverlay,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<FileReferences | undefined> {
    const query = async (signal: AbortSignal, held: CheckerSnapshot | undefined) =>
      (await (held ?? this.#source).referencesOf([path], { saying: names, signal }))[0];
    return this.types.asked(past, `${[...names].sort().join()} in ${path}`, query, options);
  }
}
