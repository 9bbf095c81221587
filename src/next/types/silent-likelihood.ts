import type { AffectedBlock, AtomicChange, BlockPart, CodeBlock, ImpactReach } from "../../codebase/index.ts";

/** What is known of a script's block that a change reaches, and of which the type checker does not complain. */
export interface SilentBlock {
  readonly reach: Pick<ImpactReach, "change" | "relation" | "crowd">;
  readonly block: Pick<CodeBlock, "kind" | "path">;
  /** Its own text. */
  readonly text: string;
  readonly signs: AffectedBlock["signs"];
}

/** How likely a block that a change reaches has to change too where the checker complains of it: of 130 in commits of four repositories, 96 were changed. */
export const brokenLikelihood = 0.7;

/**
 * The chance that a block has to change with a declaration although no checker complains: mostly small, for whoever changes a declaration so that all is still right
 * meant to. What is left is who hands on a parameter or a member that changed, few callers, new arguments of what is made, and who does not wait for a promise.
 *
 * Log-odds, set by hand to how many of 2,200 such blocks were changed later in commits of three repositories: 5 of 100, but a third of
 * those who say a part that changed, and as many single callers of what has another signature. Of the 20 that are
 * work by this, 11 were changed. How often somebody has to wait for a promise, or to give JavaScript another number of arguments, is a guess: there were none.
 */
export function silentLikelihood({ reach, block, text, signs }: SilentBlock): number {
  const { change, relation, crowd } = reach;
  const spread = Math.log2(Math.max(1, crowd));
  const isNamed = /^(called-by|type-used-by|used-by|instantiated-by)$/.test(relation);
  const odds = () => {
    if (promisesNow(change) && relation === "called-by")
      return callsUnawaited(text, change.after?.simpleName) ? 0.8 : -3;
    if (signs.includes("says-kin-name")) return -0.9;
    // Nobody complains of JavaScript that gives too little or too much.
    if (isJavaScript(block.path) && isNamed && asksOther(change)) return 0.7 - 0.15 * spread;
    // Who still says what is gone, and may, gets it from elsewhere now.
    if (change.after === undefined) return -2.6;
    if (isNamed && saysPart(text, reach)) return -0.5 - 0.1 * spread;
    if (change.label === "MMB" && relation === "instantiates") return -0.4 - 0.8 * spread;
    if (change.label === "MMB" && relation === "calls") return -1.8 - 0.8 * spread;
    if (change.label === "MMS" && (isNamed || relation === "satisfies")) return -0.8 - 0.8 * spread;
    if (change.label === "MT" && isNamed) return -1.2 - 0.8 * spread;
    return -2.6 - 0.4 * spread;
  };
  return 1 / (1 + Math.exp(-odds() + (block.kind === "test" ? 0.7 : 0)));
}

/** Whether a text names a parameter or a member that came, changed or went. */
function saysPart(text: string, { change }: SilentBlock["reach"]): boolean {
  const { addedNames, changedNames, removedNames } = change;
  const names = new Set([...addedNames, ...changedNames, ...removedNames]);
  return names.size > 0 && (text.match(word) ?? []).some((said) => names.has(said));
}

/** Whether a function asks for a parameter that it did not ask for, or for one less. */
function asksOther({ label, before, after, removedNames, addedNames, afterText = "" }: AtomicChange): boolean {
  if (label !== "MMS" && label !== "MCC") return false;
  const parameters = (block: CodeBlock | undefined) => (block?.parts ?? []).filter(({ kind }) => kind === "parameter");
  const [old, now] = [parameters(before), parameters(after)];
  if (old.length > now.length) return old.some(({ name }) => removedNames.includes(name));
  const said = ({ range }: BlockPart) => afterText.slice(range.start - after!.own.start, range.end - after!.own.start);
  return old.length < now.length && now.some((one) => addedNames.includes(one.name) && !/=|^\s*\.\.\./.test(said(one)));
}

/** Whether a function gives a promise now and did not before. */
function promisesNow({ label, beforeText = "", afterText = "" }: SilentBlock["reach"]["change"]): boolean {
  return label === "MMS" && !promise.test(headOf(beforeText)) && promise.test(headOf(afterText));
}

/** A declaration up to where its body begins, as far as a glance tells. */
function headOf(text: string): string {
  const body = /\{\s*$|=>/m.exec(text);
  return body === null ? text : text.slice(0, body.index);
}

/** Whether a text calls a function and neither awaits what it gives nor hands it on. */
function callsUnawaited(text: string, name: string | undefined): boolean {
  if (name === undefined || name === "") return false;
  const said = name.replaceAll("$", "\\$");
  const call = new RegExp(
    `(\\bawait\\s+|\\breturn\\s+|=>\\s*|\\bvoid\\s+)?(?:[\\w$]+\\??\\.)*(?<![\\w$])${said}\\s*\\(`,
    "g",
  );
  return [...text.matchAll(call)].some(({ 1: before }) => before === undefined);
}

function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

const promise = /\basync\b|\bPromise(?:Like)?\s*</;
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
