/**
 * A difference of two sequences: items `[beforeStart, beforeEnd)` of the first are replaced by
 * items `[afterStart, afterEnd)` of the second. At least one of the two ranges is not empty.
 */
export interface SequenceChange {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/**
 * Returns the changes that turn `before` into `after`, in ascending order, with at least one common
 * item between two changes. Empty when both are equal.
 *
 * Items are compared as `Map` keys are. The result has the fewest changed items as long as that
 * number is below about `2 * maxCost` in each part of the input. Above, it is correct but may be
 * longer, so that the time stays within `O((n + m) * maxCost)`. Space is linear.
 *
 * Sources: Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, section 4b; the bound
 * on the cost and the removal of items without a partner follow `xdiff` of git.
 */
export function diffSequences<T>(before: readonly T[], after: readonly T[], maxCost = 256): readonly SequenceChange[] {
  const { front, back } = sameEnds(before, after);

  // Items on one side only are always changed. The search gets the others, as numbers.
  const isKept: Sides<Uint8Array> = [new Uint8Array(before.length), new Uint8Array(after.length)];
  const [left, right] = pairable(before, after, front, back);
  isKept[0].fill(1, 0, front).fill(1, before.length - back);
  isKept[1].fill(1, 0, front).fill(1, after.length - back);
  eachMatch(left.ids, right.ids, maxCost, (i, j) => {
    isKept[0][left.indexes[i]!] = 1;
    isKept[1][right.indexes[j]!] = 1;
  });
  return changesBetween(isKept);
}

type Sides<T> = readonly [before: T, after: T];

/** Items that occur on both sides: their numbers and their indexes. */
interface Pairable {
  readonly ids: Int32Array;
  readonly indexes: Int32Array;
}

function pairable<T>(before: readonly T[], after: readonly T[], front: number, back: number): Sides<Pairable> {
  const ids = new Map<T, number>();
  const middleBefore = Int32Array.from({ length: before.length - back - front }, (_, i) => {
    const item = before[front + i]!;
    const id = ids.get(item) ?? ids.size;
    ids.set(item, id);
    return id;
  });
  const isShared = new Uint8Array(ids.size);
  const middleAfter = Int32Array.from({ length: after.length - back - front }, (_, i) => {
    const id = ids.get(after[front + i]!) ?? -1;
    if (id >= 0) isShared[id] = 1;
    return id;
  });
  const keepShared = (middle: Int32Array): Pairable => {
    const indexes: number[] = [];
    for (let i = 0; i < middle.length; i++) if (isShared[middle[i]!] === 1) indexes.push(i);
    return { ids: Int32Array.from(indexes, (i) => middle[i]!), indexes: Int32Array.from(indexes, (i) => front + i) };
  };
  return [keepShared(middleBefore), keepShared(middleAfter)];
}

/** Converts the marks of kept items to the changes between them. */
function changesBetween([before, after]: Sides<Uint8Array>): readonly SequenceChange[] {
  const changes: SequenceChange[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const beforeStart = i;
    const afterStart = j;
    while (i < before.length && before[i] === 0) i++;
    while (j < after.length && after[j] === 0) j++;
    if (i > beforeStart || j > afterStart) changes.push({ beforeStart, beforeEnd: i, afterStart, afterEnd: j });
    while (i < before.length && j < after.length && before[i] === 1 && after[j] === 1) {
      i++;
      j++;
    }
  }
  return changes;
}

/** A box of the edit graph: `a[aStart, aEnd)` against `b[bStart, bEnd)`. */
interface Box {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/**
 * Calls `match` for each pair of a common subsequence, splitting the box at the middle of a
 * shortest path.
 */
function eachMatch(a: Int32Array, b: Int32Array, maxCost: number, match: (i: number, j: number) => void): void {
  // The farthest `i` reached on each diagonal `i - j`, from the front and from the back. Diagonals
  // run from -b.length - 1 to a.length + 1, a sentinel included on each side.
  const frontier: Frontier = {
    forward: new Int32Array(a.length + b.length + 3),
    backward: new Int32Array(a.length + b.length + 3),
    zero: b.length + 1,
    maxCost,
  };
  const pending: Box[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  for (let box = pending.pop(); box !== undefined; box = pending.pop()) {
    let { aStart, aEnd, bStart, bEnd } = box;
    while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) match(aStart++, bStart++);
    while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) match(--aEnd, --bEnd);
    if (aStart === aEnd || bStart === bEnd) continue;
    const { i, j } = splitPoint(a, b, { aStart, aEnd, bStart, bEnd }, frontier);
    pending.push({ aStart, aEnd: i, bStart, bEnd: j }, { aStart: i, aEnd, bStart: j, bEnd });
  }
}

interface Frontier {
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  readonly zero: number;
  readonly maxCost: number;
}

/**
 * A point on a shortest path through the box, near its middle; past `maxCost` steps, the point
 * farthest from the corner that a search came from.
 *
 * Both ends of the box differ. Two searches advance towards each other, one step of cost at a time,
 * each on every second diagonal; where they meet lies a shortest path.
 */
function splitPoint(
  a: Int32Array,
  b: Int32Array,
  { aStart, aEnd, bStart, bEnd }: Box,
  { forward, backward, zero, maxCost }: Frontier,
): { readonly i: number; readonly j: number } {
  const lowest = aStart - bEnd;
  const highest = aEnd - bStart;
  const first = aStart - bStart;
  const last = aEnd - bEnd;
  const meetsForward = ((first - last) & 1) !== 0;
  forward[zero + first] = aStart;
  backward[zero + last] = aEnd;
  let forwardLow = first;
  let forwardHigh = first;
  let backwardLow = last;
  let backwardHigh = last;

  for (let cost = 1; ; cost++) {
    // A frontier grows by a diagonal on each side, with a sentinel beside it, and shrinks at the
    // border of the box.
    if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1;
    else forwardLow++;
    if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1;
    else forwardHigh--;
    for (let d = forwardHigh; d >= forwardLow; d -= 2) {
      let i = Math.max(forward[zero + d - 1]! + 1, forward[zero + d + 1]!);
      let j = i - d;
      while (i < aEnd && j < bEnd && a[i] === b[j]) {
        i++;
        j++;
      }
      forward[zero + d] = i;
      if (meetsForward && backwardLow <= d && d <= backwardHigh && backward[zero + d]! <= i) return { i, j };
    }

    if (backwardLow > lowest) backward[zero + --backwardLow - 1] = unreached;
    else backwardLow++;
    if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = unreached;
    else backwardHigh--;
    for (let d = backwardHigh; d >= backwardLow; d -= 2) {
      let i = Math.min(backward[zero + d - 1]!, backward[zero + d + 1]! - 1);
      let j = i - d;
      while (i > aStart && j > bStart && a[i - 1] === b[j - 1]) {
        i--;
        j--;
      }
      backward[zero + d] = i;
      if (!meetsForward && forwardLow <= d && d <= forwardHigh && i <= forward[zero + d]!) return { i, j };
    }

    if (cost < maxCost) continue;
    let best = { i: aStart, j: bStart, progress: 0 };
    for (let d = forwardHigh; d >= forwardLow; d -= 2) {
      // A path may have run past the lower border of the box; it is cut off there.
      const i = Math.min(forward[zero + d]!, aEnd, bEnd + d);
      const progress = i - aStart + (i - d - bStart);
      if (progress > best.progress) best = { i, j: i - d, progress };
    }
    for (let d = backwardHigh; d >= backwardLow; d -= 2) {
      const i = Math.max(backward[zero + d]!, aStart, bStart + d);
      const progress = aEnd - i + (bEnd - (i - d));
      if (progress > best.progress) best = { i, j: i - d, progress };
    }
    return best;
  }
}

const unreached = 0x7fffffff;

/** The numbers of common items at both ends of two sequences; none is counted twice. */
export interface SharedEnds {
  readonly front: number;
  readonly back: number;
}

/**
 * Returns the number of items, or UTF-16 units, that two sequences have in common at the start, and
 * the number that the rests have in common at the end. Items are compared by `===`.
 */
export function sameEnds<T>(one: ArrayLike<T>, other: ArrayLike<T>): SharedEnds {
  const most = Math.min(one.length, other.length);
  let front = 0;
  while (front < most && one[front] === other[front]) front++;
  let back = 0;
  while (back < most - front && one[one.length - 1 - back] === other[other.length - 1 - back]) back++;
  return { front, back };
}
