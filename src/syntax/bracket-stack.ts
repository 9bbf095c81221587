/**
 * The brackets of a text as parallel lists in its order, and the stack of those that are open while
 * it is scanned.
 */
export class BracketStack {
  readonly offsets: number[] = [];
  /** 1 for a closing bracket, 0 for an opening one. */
  readonly closing: number[] = [];
  /** The index of its partner, or -1. */
  readonly partners: number[] = [];
  /**
   * Where an opening bracket stopped being open: at its partner, or at what closed something
   * further out.
   */
  readonly leftAt: number[] = [];
  /**
   * The index of the opening bracket that was innermost just before an opening one, and just after
   * a closing one; or -1.
   */
  readonly parents: number[] = [];
  /** The indexes of closing brackets that close nothing. */
  readonly strays: number[] = [];
  readonly #open: number[] = [];
  readonly #codes: number[] = [];
  /** Where in the stack the open brackets of each code are, the outermost first. */
  readonly #depths = new Map<number, number[]>();

  /** How many brackets are open. */
  get depth(): number {
    return this.#open.length;
  }

  /** The code of the innermost open bracket, or -1. */
  get top(): number {
    return this.#codes.at(-1) ?? -1;
  }

  /** The offset of the innermost open bracket, or -1. */
  get topOffset(): number {
    return this.offsets[this.#open.at(-1) ?? -1] ?? -1;
  }

  /** The offset of the partner of the last bracket, or -1 if the last bracket closed nothing. */
  get lastOpener(): number {
    return this.offsets[this.partners.at(-1) ?? -1] ?? -1;
  }

  open(offset: number, code: number): void {
    const depths = this.#depths.get(code);
    if (depths === undefined) this.#depths.set(code, [this.depth]);
    else depths.push(this.depth);
    this.#open.push(this.#add(offset, 0, -1));
    this.#codes.push(code);
  }

  /**
   * Closes the nearest bracket `code` above `floor`, with all that was opened in it. Tells whether
   * there is one.
   */
  close(offset: number, code: number, floor: number): boolean {
    const at = this.#depths.get(code)?.at(-1) ?? -1;
    if (at < floor) {
      this.strays.push(this.#add(offset, 1, -1));
      return false;
    }
    const partner = this.#open[at]!;
    this.cut(at, offset);
    this.partners[partner] = this.#add(offset, 1, partner);
    return true;
  }

  /** Leaves the brackets above `depth` open for good. */
  cut(depth: number, offset: number): void {
    while (this.#open.length > depth) {
      this.leftAt[this.#open.pop()!] = offset;
      this.#depths.get(this.#codes.pop()!)!.pop();
    }
  }

  #add(offset: number, closing: number, partner: number): number {
    this.parents.push(this.#open.at(-1) ?? -1);
    this.closing.push(closing);
    this.partners.push(partner);
    this.leftAt.push(closing === 1 ? offset : Number.MAX_SAFE_INTEGER);
    return this.offsets.push(offset) - 1;
  }
}
