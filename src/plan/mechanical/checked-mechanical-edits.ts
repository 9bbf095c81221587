import {
  blockFinder,
  blockId,
  type ChangeFacts,
  type CodeBlock,
  checkedRepair,
  classifyChanges,
  type ExportIndex,
  editOf,
  factsWithTrees,
  followedBase,
  KnownFindings,
  type OverlaidWitness,
  proposeRepairs,
  type Repair,
  type ScriptTree,
  type TypeFinding,
} from "../../codebase/index.ts";
import { Edit, type TextEdit, workspaceEdit } from "../../text/index.ts";
import { pathsOfEdit } from "../make-rewrite.ts";
import type { MechanicalAnswer, MechanicalEdits, PartOptions } from "../plan-parts.ts";
import type { StepQuestion } from "../step-question.ts";

/** What {@link CheckedMechanicalEdits} are made with. */
export interface MechanicalParts {
  /** A type checker in the state that the workspace is in whenever a step is asked about. */
  readonly checker: OverlaidWitness;
  /** What the checker said of the workspace before the plan. */
  readonly before: readonly TypeFinding[];
  /** The text of a file before the plan. */
  readonly textBefore: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  /** The tree of a script; `undefined` for other files, where nothing follows. */
  readonly treeOf: (path: string, text: string) => ScriptTree | undefined;
  /** What the files export; whoever changes files tells it. */
  readonly exports?: ExportIndex;
}

/**
 * Edits that follow from what was done so far, by the rules of `repair`, each of which the type checker agrees to.
 *
 * A step's edit is one of its block, and of the imports of its file where those have to say the same. A block that was only broken
 * by others, and of which the checker has nothing to say any more, stays as it is; so does one that was broken by a new name, which a step for
 * another block of its file may have written there already.
 */
export class CheckedMechanicalEdits implements MechanicalEdits {
  readonly #parts: MechanicalParts;
  readonly #known = new Map<string, KnownFindings>();

  constructor(parts: MechanicalParts) {
    this.#parts = parts;
  }

  async tryEdit(question: StepQuestion, { signal }: PartOptions): Promise<MechanicalAnswer | undefined> {
    const { block, text } = question;
    const { path } = block;
    const { checker, treeOf } = this.#parts;
    const options = signal === undefined ? {} : { signal };
    if (treeOf(path, text) === undefined) return undefined;
    const facts = await this.#factsOf(question);
    const rules = new Set<string>();
    let all = Edit.empty;
    let now = text;
    const make = async (edit: Edit, rule: string) => {
      all = all.compose(edit);
      now = edit.apply(now);
      rules.add(rule);
      await checker.update(new Map([[path, now]]), options);
    };
    try {
      // What a new signature needs, such as an import, follows below; what then still is wrong speaks against it.
      const base = isOverride(question) ? followedBase(question, facts, treeOf(path, text)!) : undefined;
      if (base !== undefined) await make(editOf([base]), "base signature");
      for (let round = 0; round < maxRounds; round += 1) {
        const made = await this.#mendOnce(block, now, facts, signal);
        if (made === undefined) break;
        await make(made.edit, made.rule);
      }
      const left = await this.#findingsOf(path, now, signal);
      const isLeft = left.some((finding) => this.#isOf(finding, block, now));
      if (!all.isEmpty && isLeft) return undefined;
      if (!all.isEmpty)
        return {
          kind: "edit",
          edit: workspaceEdit([{ kind: "edit", uri: path, edit: all }]),
          rule: [...rules].join(", "),
        };
      return isOnlyBroken(question) && !isLeft ? { kind: "unchanged", rule: "the type checker is content" } : undefined;
    } finally {
      if (now !== text) await checker.update(new Map([[path, text]]));
    }
  }

  /** The first finding of the block, or of an import of its file, that can be mended. */
  async #mendOnce(
    block: CodeBlock,
    text: string,
    facts: ChangeFacts,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly rule: string; readonly edit: Edit } | undefined> {
    const { path } = block;
    const { checker, blocksOf, treeOf, exports } = this.#parts;
    const tree = treeOf(path, text);
    if (tree === undefined) return undefined;
    const at = blockFinder(blocksOf(path, text));
    const taken: TextEdit[] = [];
    const used = new Set<string>();
    for (const finding of await this.#findingsOf(path, text, signal)) {
      const own = at(finding.start);
      if (own === undefined || !(blockId(own) === blockId(block) || own.kind === "import")) continue;
      const proposed = proposeRepairs({ finding, text, tree, block: own, facts, ...(exports && { exports }) });
      const ways = (proposed?.repairs ?? []).filter(({ certainty }: Repair) => certainty === "follows");
      if (proposed === undefined || ways.length === 0) continue;
      const repair = await checkedRepair({ checker, path, text, ways, treeOf, signal });
      if (repair === undefined || repair.edits.some((edit) => taken.some((one) => overlaps(one, edit)))) continue;
      taken.push(...repair.edits);
      used.add(proposed.rule);
    }
    return taken.length === 0 ? undefined : { rule: [...used].join(", "), edit: editOf(taken) };
  }

  /** What the checker says of a file now and did not say before the plan. */
  async #findingsOf(path: string, text: string, signal: AbortSignal | undefined): Promise<readonly TypeFinding[]> {
    const { checker, blocksOf } = this.#parts;
    const at = blockFinder(blocksOf(path, text));
    const found = await checker.errorsOf([path], signal === undefined ? {} : { signal });
    return this.#knownOf(path).freshOf(found, (finding) => findingKey(at(finding.start), finding));
  }

  #knownOf(path: string): KnownFindings {
    let known = this.#known.get(path);
    if (known === undefined) {
      const { before, blocksOf, textBefore } = this.#parts;
      const at = blockFinder(blocksOf(path, textBefore(path) ?? ""));
      const own = before.filter((one) => one.path === path);
      known = new KnownFindings(own, (finding) => findingKey(at(finding.start), finding));
      this.#known.set(path, known);
    }
    return known;
  }

  #isOf({ path, start }: TypeFinding, block: CodeBlock, text: string): boolean {
    const own = blockFinder(this.#parts.blocksOf(path, text))(start);
    return own !== undefined && blockId(own) === blockId(block);
  }

  /** What all that was done so far means for others. */
  async #factsOf({ plan, textOf }: StepQuestion): Promise<ChangeFacts> {
    const { textBefore, blocksOf, treeOf } = this.#parts;
    const paths = new Set(
      plan.steps.flatMap(({ rewrite }) => (rewrite === undefined ? [] : pathsOfEdit(rewrite.edit))),
    );
    const texts = new Map<string, { readonly before: string | undefined; readonly after: string | undefined }>();
    for (const path of paths) texts.set(path, { before: textBefore(path), after: await textOf(path) });
    const state = (path: string, text: string | undefined) =>
      text === undefined ? undefined : { text, blocks: blocksOf(path, text) };
    const changes = classifyChanges(
      [...texts].map(([path, { before, after }]) => {
        const [old, now] = [state(path, before), state(path, after)];
        return { path, ...(old && { before: old }), ...(now && { after: now }) };
      }),
    );
    return factsWithTrees(changes, (path, side) => {
      const text = texts.get(path)?.[side];
      const tree = text === undefined ? undefined : treeOf(path, text);
      return text === undefined || tree === undefined ? undefined : { text, tree };
    });
  }
}

/** How often a file is looked at again after its findings were mended. */
const maxRounds = 4;

/**
 * Whether a block is looked at for nothing but what the type checker refused: being broken, or broken by what only has another name now. An
 * import says names and nothing of what else became of them.
 */
function isOnlyBroken({ block, step: { causes }, plan }: StepQuestion): boolean {
  if (block.kind === "import" && causes.some(({ kind }) => kind === "broken"))
    return causes.every(({ kind }) => kind === "broken" || kind === "change");
  const breaking = new Set(causes.flatMap((cause) => (cause.kind === "broken" ? [cause.from] : [])));
  return causes.every((cause) => {
    if (cause.kind !== "change") return cause.kind === "broken";
    const { changes = [] } = plan.step(cause.from);
    return breaking.has(cause.from) && changes.length > 0 && changes.every(({ label }) => label === "RENAME");
  });
}

/** Whether a changed base or interface is the reason for the step. */
function isOverride({ step }: StepQuestion): boolean {
  return step.causes.some(
    (cause) =>
      cause.kind === "change" && cause.hops === 1 && cause.relation === "overridden-by" && cause.label === "MMS",
  );
}

function findingKey(block: CodeBlock | undefined, { code }: TypeFinding): string {
  return `${block === undefined ? "" : blockId(block)}\n${code}`;
}

function overlaps(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}
