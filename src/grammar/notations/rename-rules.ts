import { getOrInsert } from "../../text/index.ts";

/**
 * Maps the names of a grammar to distinct names that a notation allows. `toName` makes a valid name
 * from any text.
 */
export class Renaming {
  readonly #toName: (name: string) => string;
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  /** `reserved`: names that are not used. */
  constructor(toName: (name: string) => string, reserved: readonly string[] = []) {
    this.#toName = toName;
    this.#taken = new Set(reserved);
  }

  /** The new name of `name`, always the same one. */
  of(name: string): string {
    return getOrInsert(this.#names, name, () => {
      const wanted = this.#toName(name);
      let renamed = wanted;
      for (let i = 2; this.#taken.has(renamed); i++) renamed = this.#toName(`${wanted}${i}`);
      this.#taken.add(renamed);
      return renamed;
    });
  }
}

/**
 * The name here of a rule or token from another notation: `end`, which is reserved, becomes `end_`.
 */
export function safeName(name: string): string {
  return name === "end" ? "end_" : name;
}
