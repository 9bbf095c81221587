import type { FileReferences, HeldWitness, ReferenceSource } from "../../codebase/index.ts";
import type { PresentTypes, TextOverlay } from "./present-types.ts";

/**
 * What the names of single files mean, asked when somebody wants to know, of whoever also knows the types: no graph of a whole workspace is held.
 *
 * What was answered is remembered as long as the state of the texts is.
 */
export class PastReferences {
  /** What types say of the same texts. */
  readonly types: PresentTypes;
  readonly #source: Pick<ReferenceSource, "referencesOf">;

  /** `source` is the checker that `types` speaks for. */
  constructor(types: PresentTypes, source: Pick<ReferenceSource, "referencesOf">) {
    this.types = types;
    this.#source = source;
  }

  /** What these names of a file meant while other texts were there. Rejects as the checker does, and with the signal's reason. */
  async of(
    path: string,
    saying: ReadonlySet<string>,
    past: TextOverlay,
    asking: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<FileReferences | undefined> {
    const ask = async (signal: AbortSignal, held: HeldWitness | undefined) =>
      (await (held ?? this.#source).referencesOf([path], { saying, signal }))[0];
    return this.types.asked(past, `${[...saying].sort().join()} in ${path}`, ask, asking);
  }
}
