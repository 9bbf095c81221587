/**
 * Names of places that need no text to be kept: hashes of the text before a place, for the place
 * itself and those some characters earlier, and of the text behind it, also without its first
 * characters.
 *
 * 53 bits from two independent 32-bit hashes; one pass over each side.
 */
export interface PlaceHashes {
  /** By how many UTF-16 units earlier, from 0. */
  readonly before: readonly number[];
  /** By how many UTF-16 units are left out at the start, from 0. */
  readonly behind: readonly number[];
}

/**
 * The hashes of the place between two texts. The hash with index `k` in `before` is that of
 * `prefix` without its last `k` units, for `k` up to `lookBack`; in `behind`, that of `suffix`
 * without its first `k` units, for `k` up to `skip`. There are fewer where a text is shorter.
 */
export function placeHashes(
  prefix: string,
  suffix: string,
  { lookBack, skip }: { readonly lookBack: number; readonly skip: number },
): PlaceHashes {
  const before: number[] = [];
  let hash = new RollingHash();
  const from = prefix.length - lookBack;
  if (from <= 0) before.push(hash.value);
  for (let i = 0; i < prefix.length; i++) {
    hash.add(prefix.charCodeAt(i));
    if (i + 1 >= from) before.push(hash.value);
  }
  const behind: number[] = [];
  hash = new RollingHash();
  if (suffix.length <= skip) behind.push(hash.value);
  for (let i = suffix.length - 1; i >= 0; i--) {
    hash.add(suffix.charCodeAt(i));
    if (i <= skip) behind.push(hash.value);
  }
  return { before: before.reverse(), behind: behind.reverse() };
}

/** FNV-1a beside a multiply-and-rotate hash with another prime. */
class RollingHash {
  #one = 0x811c9dc5;
  #other = 0x9e3779b9;

  add(code: number): void {
    this.#one = Math.imul(this.#one ^ code, 0x01000193);
    const mixed = Math.imul(this.#other ^ code, 0x85ebca6b);
    this.#other = (mixed << 13) | (mixed >>> 19);
  }

  get value(): number {
    return (this.#one >>> 0) * 0x200000 + (this.#other & 0x1fffff);
  }
}
