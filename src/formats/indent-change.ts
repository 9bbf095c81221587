/** How the indentation of some lines differs from that of others. Gives `undefined` for one that has no counterpart. */
export type IndentChange = (indent: string) => string | undefined;

/** The blanks in front of a line. */
export function indentOf(line: string): string {
  return /^\s*/.exec(line)![0];
}

/**
 * The change that leads from each first indentation to the second one, if there is one.
 *
 * It is the same blanks put in front of all or taken off, or another unit: two blanks become a tab or four blanks at each
 * level. Where it is neither, what was indented alike must still be so, and only indentations that were seen have a
 * counterpart.
 */
export function tryIndentChange(pairs: Iterable<readonly [before: string, after: string]>): IndentChange | undefined {
  const known = new Map<string, string>();
  for (const [before, after] of pairs) {
    if ((known.get(before) ?? after) !== after) return undefined;
    known.set(before, after);
  }
  const all = [...known].sort(([a], [b]) => a.length - b.length);
  const [first] = all;
  if (first === undefined) return (indent) => indent;
  const [before, after] = first;
  if (after.endsWith(before)) {
    const added = after.slice(0, after.length - before.length);
    if (all.every(([one, other]) => other === added + one)) return (indent) => added + indent;
  }
  if (before.endsWith(after)) {
    const taken = before.slice(0, before.length - after.length);
    if (all.every(([one, other]) => one === taken + other)) {
      return (indent) => (indent.startsWith(taken) ? indent.slice(taken.length) : undefined);
    }
  }
  return unitChange(all) ?? knownChange(all);
}

/**
 * No rule at all, but what is known: an indentation that was seen becomes what it was there, and one that goes on behind it
 * with blanks of the file's own kind keeps them.
 */
function knownChange(known: readonly (readonly [before: string, after: string])[]): IndentChange | undefined {
  // What was indented more is so still.
  const isOrdered = known.every(([before, after]) =>
    known.every(([other, otherAfter]) => !other.startsWith(before) || otherAfter.startsWith(after)),
  );
  if (!isOrdered) return undefined;
  return (indent) => {
    const longest = known.findLast(([before]) => indent.startsWith(before));
    if (longest === undefined) return undefined;
    const more = indent.slice(longest[0].length);
    const whole = longest[1] + more;
    return more === "" || /^(?:\t+| +)$/.test(whole) ? whole : undefined;
  };
}

/** Another unit at each level, counted from the least indented line. */
function unitChange(known: readonly (readonly [before: string, after: string])[]): IndentChange | undefined {
  const [first] = known;
  const [before, after] = first!;
  // With one indentation alone, levels count from the margin, and a tab is one.
  const steps =
    known.length > 1
      ? known.slice(1).map(([one, other], i) => stepBetween(known[i]!, [one, other]))
      : [stepBetween(["", ""], first!)].map((step) => step && inTabs(step));
  if (steps.some((step) => step === undefined)) return undefined;
  const unit = steps.reduce((least, step) => (step!.before < least!.before ? step : least))!;
  const isRegular = steps.every((step) => {
    const levels = step!.before / unit.before;
    return Number.isInteger(levels) && step!.after === unit.after.repeat(levels);
  });
  if (!isRegular) return undefined;
  return (indent) => {
    const levels = (indent.length - before.length) / unit.before;
    if (!Number.isInteger(levels)) return undefined;
    if (levels >= 0) return after + unit.after.repeat(levels);
    const taken = unit.after.repeat(-levels);
    return after.endsWith(taken) ? after.slice(0, after.length - taken.length) : undefined;
  };
}

/** So many blanks more on the one side, these on the other. */
interface Step {
  readonly before: number;
  readonly after: string;
}

function stepBetween(low: readonly [string, string], high: readonly [string, string]): Step | undefined {
  if (!high[0].startsWith(low[0]) || !high[1].startsWith(low[1])) return undefined;
  const step = { before: high[0].length - low[0].length, after: high[1].slice(low[1].length) };
  return step.before > 0 && step.after !== "" ? step : undefined;
}

function inTabs({ before, after }: Step): Step | undefined {
  if (/^\t+$/.test(after)) return { before: before / after.length, after: "\t" };
  return /^ +$/.test(after) && Number.isInteger(after.length / before)
    ? { before: 1, after: " ".repeat(after.length / before) }
    : undefined;
}
