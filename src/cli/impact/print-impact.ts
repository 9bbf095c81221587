import {
  type AffectedView,
  type BlockView,
  type ChangeView,
  countStatus,
  type ImpactView,
  printBlock,
  printCoverage,
} from "../../analysis/index.ts";
import { countText } from "../terminal/print-amount.ts";
import { printable, type Style, styled } from "../terminal/terminal.ts";

/** How an impact is printed. */
export interface PrintImpactOptions {
  readonly colour: boolean;
  /** Whether all changes, touched blocks and possible blocks are listed. */
  readonly all: boolean;
}

/** The most rows of each list, unless all are requested. */
const most = { changes: 12, touched: 8, broken: 20 };

/**
 * The impact for a person at a terminal: the changes, what is to be done, what was changed too, and
 * what else is possible. Without a line break at the end.
 */
export function printImpact(view: ImpactView, options: PrintImpactOptions): string {
  const { changes, affected, between } = view;
  if (changes.length === 0) {
    const gaps = gapRows(view, options);
    const tail = gaps.length === 0 ? [] : [styled("Not looked at", "bold", options.colour), ...gaps];
    return [`Nothing changed in any block between ${printable(between)}.`, ...tail].join("\n");
  }
  const sections: string[] = [];
  const list = (title: string, rows: readonly string[], limit: number, how: string) => {
    const shown = options.all ? rows : rows.slice(0, limit);
    const more = rows.length - shown.length;
    const tail = more === 0 ? [] : [styled(`  … ${more.toLocaleString("en")} more; ${how}`, "dim", options.colour)];
    sections.push([styled(title, "bold", options.colour), ...shown, ...tail].join("\n"));
  };
  const title = `${countText(changes.length, "change")} between ${printable(between)}`;
  list(title, changeRows(changes, options), most.changes, "--all lists them");

  const toDo = affected.filter(({ status }) => status === "to-do");
  const touched = affected.filter(({ status }) => status === "touched");
  const possible = countStatus(view, "possible");
  if (toDo.length > 0) {
    const title = `To do: ${countText(toDo.length, "block")} likely to be affected, and not changed`;
    list(
      title,
      toDo.flatMap((one) => blockRows(one, options)),
      Number.POSITIVE_INFINITY,
      "",
    );
  } else
    sections.push(
      styled("Nothing to do: no block that is likely to be affected was left unchanged.", "bold", options.colour),
    );
  if (touched.length > 0) {
    const broken = touched.filter(({ isBroken }) => isBroken);
    const rest = touched.filter(({ isBroken }) => !isBroken);
    const title = `Done: ${countText(touched.length, "affected block")} changed too`;
    const rows = [...broken, ...rest].map((one) => blockRows(one, options).join("\n"));
    list(title, rows, Math.max(most.touched, Math.min(most.broken, broken.length)), "--all lists them");
  }
  if (possible > 0 && options.all) {
    const title = `Possible: ${countText(possible, "block")} that may be affected, but are unlikely to be`;
    const rows = affected.filter(({ status }) => status === "possible").flatMap((one) => blockRows(one, options));
    list(title, rows, Number.POSITIVE_INFINITY, "");
  } else if (possible > 0) {
    sections.push(`${countText(possible, "more block")} may be affected, but are unlikely to be; --all lists them.`);
  }
  sections.push(coverageRows(view, options).join("\n"));
  return sections.join("\n\n");
}

/**
 * The impact on one block: its changes, and its relations to other blocks. Without a line break at
 * the end.
 */
export function printImpactOf(view: ImpactView, found: ImpactPlace, options: PrintImpactOptions): string {
  const { block, changes, affected } = found;
  const rows = [styled(printable(`${printBlock(block)} in ${block.path}:${block.line}`), "bold", options.colour)];
  for (const change of changes) {
    rows.push(`It was changed: ${printable(change.words)}${namesText(change)}.`);
    const led = view.affected.filter((one) => one.change !== undefined && view.changes[one.change] === change);
    if (led.length === 0) continue;
    rows.push(`It may affect ${countText(led.length, "block")}:`);
    rows.push(...led.slice(0, options.all ? led.length : most.changes).map((one) => headRow(one, options)));
    if (!options.all && led.length > most.changes) rows.push(`  … ${led.length - most.changes} more; --all lists them`);
  }
  if (affected !== undefined) {
    const percent = `${Math.round(affected.likelihood * 100)} %`;
    const statuses = {
      "to-do": `It is likely to have to change (${percent}), and was not changed.`,
      possible: `It may have to change (${percent}), which is less than the ${Math.round(view.minLikelihood * 100)} % of the work list.`,
      touched: affected.isBroken
        ? "It was affected and changed, and has type errors since."
        : "It was affected, and was changed.",
    };
    rows.push(statuses[affected.status]);
    for (const [index, step] of affected.path.entries()) {
      const place = placeOf(step.block, options);
      if (index === 0)
        rows.push(
          `  ${printable(printBlock(step.block))}  ${place}: ${printable(view.changes[affected.change!]!.words)}`,
        );
      else rows.push(`  ${"  ".repeat(index)}↳ ${printable(printBlock(step.block))}  ${place}: ${step.words} it`);
    }
    // The way is printed above.
    const others = affected.path.length > 0 ? affected.reasons.slice(1) : affected.reasons;
    for (const reason of others) rows.push(`  ${printable(reason)}`);
  }
  if (changes.length === 0 && affected === undefined) {
    rows.push("The change does not affect this block, as far as was checked:", ...coverageRows(view, options).slice(1));
  }
  return rows.join("\n");
}

/** A block, with its changes and effects. */
export interface ImpactPlace {
  readonly block: BlockView;
  readonly changes: readonly ChangeView[];
  readonly affected: AffectedView | undefined;
}

function changeRows(changes: readonly ChangeView[], options: PrintImpactOptions): string[] {
  const byBlock = new Map<string, ChangeView[]>();
  for (const change of changes) {
    const list = byBlock.get(change.block.id);
    if (list === undefined) byBlock.set(change.block.id, [change]);
    else list.push(change);
  }
  const named = [...byBlock.values()].map((all) => ({ all, name: printable(printBlock(all[0]!.block)) }));
  const width = Math.min(48, Math.max(...named.map(({ name }) => name.length)));
  return named.map(({ all, name }) => {
    const words = all.map((change) => `${printable(change.words)}${namesText(change)}`).join(", ");
    return `  ${name.padEnd(width)}  ${placeOf(all[0]!.block, options)}  ${words}`;
  });
}

/** The names of a change, such as ` -b +c ~d`. */
function namesText({ removedNames, addedNames, changedNames }: ChangeView): string {
  const marked = [
    ...removedNames.map((name) => `-${name}`),
    ...addedNames.map((name) => `+${name}`),
    ...changedNames.map((name) => `~${name}`),
  ];
  const shown = marked.slice(0, 6).join(" ");
  return marked.length === 0 ? "" : printable(`: ${shown}${marked.length > 6 ? " …" : ""}`);
}

function blockRows(one: AffectedView, options: PrintImpactOptions): string[] {
  const [first, ...others] = one.reasons;
  return [
    headRow(one, options),
    ...[first, ...others].flatMap((reason) => (reason === undefined ? [] : [`        ${printable(reason)}`])),
  ];
}

function headRow(one: AffectedView, options: PrintImpactOptions): string {
  const { status, isBroken, likelihood, block } = one;
  const marks: Readonly<Record<AffectedView["status"], readonly [string, Style]>> = {
    "to-do": ["○", "yellow"],
    touched: isBroken ? ["✗", "red"] : ["✓", "green"],
    possible: ["·", "dim"],
  };
  const [mark, style] = marks[status];
  const share = status === "touched" ? "" : `${Math.round(likelihood * 100)}%`;
  const name = styled(printable(printBlock(block)), status === "to-do" ? "bold" : "dim", options.colour);
  const label = status === "to-do" ? name : printable(printBlock(block));
  return `  ${styled(mark, style, options.colour)} ${share.padStart(3)} ${label}  ${placeOf(block, options)}`;
}

function placeOf({ path, line, isGone }: BlockView, { colour }: PrintImpactOptions): string {
  return styled(printable(`${path}:${line}${isGone ? " (gone)" : ""}`), "cyan", colour);
}

function coverageRows(view: ImpactView, options: PrintImpactOptions): string[] {
  const { colour, all } = options;
  const seen = printCoverage(view.coverage).filter(({ kind }) => kind === "seen");
  const shown = all ? seen : seen.slice(0, view.coverage.types.kind === "checked" ? 2 : 1);
  return [
    styled("Looked at", "bold", colour),
    ...shown.map(({ text }) => styled(`  ${printable(text)}`, "dim", colour)),
    ...gapRows(view, options),
  ];
}

/** The gaps of the analysis: what was not read. */
function gapRows(view: ImpactView, { colour }: PrintImpactOptions): string[] {
  const gaps = printCoverage(view.coverage).filter(({ kind }) => kind === "gap");
  return gaps.map(({ text }) => `  ${styled("!", "yellow", colour)} ${printable(text)}`);
}
