/**
 * Converts indentation of some lines to that of others. Returns `undefined` for one without a
 * counterpart.
 */
export type IndentChange = (indent: string) => string | undefined;

/** The white space at the start of a line. */
export function indentOf(line: string): string {
  return /^\s*/.exec(line)![0];
}

/**
 * Finds the change that maps each first indentation to the second one; `undefined` if there is
 * none.
 *
 * It adds or removes the same blanks on all lines, or changes the unit: two blanks become a tab or
 * four blanks at each level. Otherwise equal indentations must stay equal, and only those seen have
 * a counterpart; others stay as they are where most lines kept their indentation and a few did not.
 * Without pairs, every indentation stays as it is.
 */
export function tryIndentChange(pairs: Iterable<readonly [before: string, after: string]>): IndentChange | undefined {
  const known = new Map<string, string>();
  let unchangedLines = 0;
  for (const [before, after] of pairs) {
    if ((known.get(before) ?? after) !== after) return undefined;
    known.set(before, after);
    unchangedLines += before === after ? 1 : -1;
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
  const change = unitChange(all) ?? knownChange(all);
  if (change === undefined || !hasStrays(all, unchangedLines)) return change;
  return (indent) => known.get(indent) ?? indent;
}

/**
 * Whether some lines have stray blanks while the others kept their indentation: two indentations
 * became one, or fewer lines changed than stayed.
 */
function hasStrays(known: readonly (readonly [before: string, after: string])[], unchangedLines: number): boolean {
  const isOneKind = known.every(([before, after]) => before.startsWith(after) || after.startsWith(before));
  const unchanged = new Set(known.flatMap(([before, after]) => (before === after ? [after] : [])));
  const isJoined = known.some(([before, after]) => before !== after && unchanged.has(after));
  return isOneKind && (isJoined || unchangedLines > 0);
}

/**
 * Maps each indentation as it was seen; one that continues a seen one with blanks of the file's
 * kind keeps the rest. `undefined` where the seen ones are inconsistent.
 */
function knownChange(known: readonly (readonly [before: string, after: string])[]): IndentChange | undefined {
  // What was indented more than another line still is.
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

/**
 * Another indentation unit at each level, counted from the least indented line; `undefined` where
 * the levels are irregular.
 */
function unitChange(known: readonly (readonly [before: string, after: string])[]): IndentChange | undefined {
  const [first] = known;
  const [before, after] = first!;
  // With a single indentation, levels count from the margin, and a tab is one level.
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

/** The number of blanks on one side that correspond to the white space on the other. */
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
