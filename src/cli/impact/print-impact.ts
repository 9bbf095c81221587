import {
  type AffectedView,
  type BlockView,
  type ChangeView,
  type ImpactView,
  printBlock,
  printCoverage,
  unfollowedLanguages,
} from "../../analysis/index.ts";
import { countText } from "../terminal/print-amount.ts";
import { printable, type Style, styled } from "../terminal/terminal.ts";

/** How an impact is printed. */
export interface PrintImpactOptions {
  readonly colour: boolean;
  /** Whether all changes, touched blocks and possible blocks are listed. */
  readonly all: boolean;
}

/**
 * The most rows of changes, of blocks that are certain to have to change, and of all blocks that
 * are to do, unless all are requested.
 */
const most = { changes: 12, certain: 40, toDo: 12 };

/**
 * The impact for a person at a terminal: the changes, what is to be done by file, and what else is
 * possible. Each block is listed once. Without a line break at the end.
 */
export function printImpact(view: ImpactView, options: PrintImpactOptions): string {
  const { changes, affected, between } = view;
  const bold = (text: string) => styled(text, "bold", options.colour);
  if (changes.length === 0) {
    const gaps = gapRows(view, options);
    const tail = gaps.length === 0 ? [] : [bold("Not looked at"), ...gaps];
    return [`Nothing changed in any block between ${printable(between)}.`, ...tail].join("\n");
  }
  const touched = affected.filter(({ status }) => status === "touched");
  const title = `${countText(changes.length, "change")} between ${printable(between)}`;
  const sections: string[][] = [[bold(title), ...changeRows(changes, touched, options)]];
  const toDo = affected.filter(({ status }) => status === "to-do");
  sections.push(
    toDo.length === 0
      ? [bold(nothingToDo(view))]
      : [bold(`To do: ${countIn(toDo)} likely to be affected, and not changed`), ...toDoRows(toDo, options)],
  );
  if (touched.length > 0) {
    const broken = touched.filter(({ isBroken }) => isBroken).length;
    const errors = broken === 0 ? "" : `, ${broken.toLocaleString("en")} of them with type errors since (✗)`;
    sections.push([`Done: ${countText(touched.length, "affected block")} changed too (✓)${errors}.`]);
  }
  const possible = affected.filter(({ status }) => status === "possible");
  const be = possible.length === 1 ? "is" : "are";
  if (possible.length > 0 && options.all) {
    const title = `Possible: ${countIn(possible)} that may be affected, but ${be} unlikely to be`;
    sections.push([bold(title), ...rowsByFile(possible, options)]);
  } else if (possible.length > 0) {
    const count = countText(possible.length, "more block");
    sections.push([`${count} may be affected, but ${be} unlikely to be; --all lists them.`]);
  }
  return [...sections, coverageRows(view, options)].map((rows) => rows.join("\n")).join("\n\n");
}

function nothingToDo({ coverage }: ImpactView): string {
  const unknown = unfollowedLanguages(coverage);
  if (unknown.length === 0) return "Nothing to do: no block that is likely to be affected was left unchanged.";
  return `Not known what is to do: what depends on the change was not followed in ${unknown.join(", ")}.`;
}

/**
 * The rows of blocks that are to do, the certain ones first; those that are not listed are counted.
 */
function toDoRows(toDo: readonly AffectedView[], options: PrintImpactOptions): string[] {
  const certain = toDo.filter(isCertain);
  const others = toDo.filter((one) => !isCertain(one));
  const shown = options.all
    ? [...certain, ...others]
    : [...certain.slice(0, most.certain), ...others.slice(0, Math.max(0, most.toDo - certain.length))];
  const left = toDo.filter((one) => !shown.includes(one));
  const leftCertain = left.filter(isCertain).length;
  const refused = leftCertain === 0 ? "" : `, ${leftCertain.toLocaleString("en")} of them refused by the type checker`;
  const more = `  … ${countIn(left, "more block")}${refused}; --all lists them`;
  return [...rowsByFile(shown, options), ...(left.length === 0 ? [] : [styled(more, "dim", options.colour)])];
}

/** Whether the type checker reports an error in a block with the change alone. */
function isCertain({ checker }: AffectedView): boolean {
  return checker?.certainty === "error" || checker?.certainty === "follows";
}

/** A number of blocks and of their files: `3 blocks in 2 files`. */
function countIn(all: readonly AffectedView[], noun = "block"): string {
  return `${countText(all.length, noun)} in ${countText(new Set(all.map(({ block }) => block.path)).size, "file")}`;
}

/** Blocks below their files, in the order in which each file is first named. */
function rowsByFile(all: readonly AffectedView[], options: PrintImpactOptions): string[] {
  const files = new Map<string, AffectedView[]>();
  for (const one of all) files.set(one.block.path, [...(files.get(one.block.path) ?? []), one]);
  return [...files].flatMap(([path, blocks]) => [
    `  ${styled(printable(path), "cyan", options.colour)}`,
    ...blocks.map((one) => `  ${headRow(one, `line ${one.block.line}`, options)}${reasonsText(one)}`),
  ]);
}

function reasonsText({ reasons }: AffectedView): string {
  return reasons.length === 0 ? "" : `: ${printable(reasons.join("; "))}`;
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
    rows.push(
      ...led
        .slice(0, options.all ? led.length : most.changes)
        .map((one) => headRow(one, placeOf(one.block, options), options)),
    );
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

/**
 * The changed blocks, a row each; first those with type errors since (`✗`), with the reasons. Other
 * blocks that another part of the change affects have a `✓`, and with `all` the reasons.
 */
function changeRows(
  changes: readonly ChangeView[],
  touched: readonly AffectedView[],
  options: PrintImpactOptions,
): string[] {
  const touchedBy = new Map(touched.map((one) => [one.block.id, one]));
  const byBlock = new Map<string, ChangeView[]>();
  for (const change of changes) byBlock.set(change.block.id, [...(byBlock.get(change.block.id) ?? []), change]);
  const named = [...byBlock].map(([id, all]) => {
    return { all, touched: touchedBy.get(id), name: printable(printBlock(all[0]!.block)) };
  });
  const isBroken = ({ touched }: (typeof named)[number]) => touched?.isBroken === true;
  const inOrder = [...named.filter(isBroken), ...named.filter((one) => !isBroken(one))];
  const shown = options.all ? inOrder : inOrder.slice(0, most.changes);
  const hasMarks = touched.length > 0;
  const width = Math.min(48, Math.max(...shown.map(({ name }) => name.length)));
  const rows = shown.map(({ all, touched, name }) => {
    const words = all.map((change) => `${printable(change.words)}${namesText(change)}`).join(", ");
    const why =
      touched !== undefined && (touched.isBroken || options.all) ? reasonsText(touched).replace(":", ";") : "";
    const mark = touched === undefined ? " " : styled(...markOf(touched), options.colour);
    return `  ${hasMarks ? `${mark} ` : ""}${name.padEnd(width)}  ${placeOf(all[0]!.block, options)}  ${words}${why}`;
  });
  const more = inOrder.length - shown.length;
  const tail = `  … ${countText(more, "more block")}; --all lists them`;
  return more === 0 ? rows : [...rows, styled(tail, "dim", options.colour)];
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

function headRow(one: AffectedView, place: string, options: PrintImpactOptions): string {
  const { status, likelihood, block } = one;
  const share = status === "touched" ? "" : `${Math.round(likelihood * 100)}%`;
  const name = styled(printable(printBlock(block)), status === "to-do" ? "bold" : "dim", options.colour);
  const label = status === "to-do" ? name : printable(printBlock(block));
  return `  ${styled(...markOf(one), options.colour)} ${share.padStart(3)} ${label}  ${place}`;
}

function markOf({ status, isBroken }: AffectedView): readonly [string, Style] {
  if (status === "to-do") return ["○", "yellow"];
  if (status === "possible") return ["·", "dim"];
  return isBroken ? ["✗", "red"] : ["✓", "green"];
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
