/**
 * Names that a notation allows for the names of a grammar, each its own. `toName` makes one of any
 * text.
 */
export class Renaming {
  readonly #toName: (name: string) => string;
  readonly #names = new Map<string, string>();
  readonly #taken: Set<string>;

  /** `reserved` names are given to nothing. */
  constructor(toName: (name: string) => string, reserved: readonly string[] = []) {
    this.#toName = toName;
    this.#taken = new Set(reserved);
  }

  of(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const wanted = this.#toName(name);
    let renamed = wanted;
    for (let i = 2; this.#taken.has(renamed); i++) renamed = this.#toName(`${wanted}${i}`);
    this.#taken.add(renamed);
    this.#names.set(name, renamed);
    return renamed;
  }
}

/**
 * The name that a rule or a token of another notation has here: `end` is the end of the text in
 * ours.
 */
export function safeName(name: string): string {
  return name === "end" ? "end_" : name;
}
