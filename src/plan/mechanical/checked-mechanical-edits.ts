import {
  baseSignatureEdit,
  blockId,
  type ChangeFacts,
  type CodeBlock,
  checkedRepair,
  checkerMessage,
  classifyChanges,
  type Diagnostic,
  type ExportIndex,
  editOf,
  factsWithTrees,
  OverlayCheck,
  type OverlayTypeChecker,
  proposeRepairs,
  proposeStubs,
  touches,
} from "../../analysis/index.ts";
import type { ScriptTree } from "../../names/index.ts";
import { Edit, Lines, type TextEdit, toUnifiedDiff, workspaceEdit } from "../../text/index.ts";
import { pathsOfEdit } from "../block-rewrite.ts";
import type { BlockError } from "../plan-graph.ts";
import type { LeftWork, MechanicalAnswer, MechanicalEdits, PartOptions, StepRequest } from "../plan-parts.ts";

/** The parts of {@link CheckedMechanicalEdits}. */
interface MechanicalParts {
  /** A type checker with the current texts of the workspace. */
  readonly checker: OverlayTypeChecker;
  /** The diagnostics of the workspace before the plan. */
  readonly before: readonly Diagnostic[];
  /** The text of a file before the plan. */
  readonly textBefore: (path: string) => string | undefined;
  readonly blocksOf: (path: string, text: string) => readonly CodeBlock[];
  /** The tree of a script; `undefined` for other files, which get no mechanical edits. */
  readonly treeOf: (path: string, text: string) => ScriptTree | undefined;
  /** The exports of all files; the owner updates it when files change. */
  readonly exports?: ExportIndex;
}

/**
 * Edits that follow from the changes made so far, by the rules of `repair`; each is accepted by the
 * type checker.
 *
 * An edit changes the step's block, and the imports of its file where needed. A block that is in
 * the plan only because others broke it stays unchanged when it has no new diagnostics left. So
 * does one that a new name broke: a step for another block of the file may already have repaired
 * it.
 */
export class CheckedMechanicalEdits implements MechanicalEdits {
  readonly #parts: MechanicalParts;

  constructor(parts: MechanicalParts) {
    this.#parts = parts;
  }

  async leftIn(question: StepRequest, { signal }: PartOptions): Promise<LeftWork | undefined> {
    const { block, text } = question;
    const { path } = block;
    if (this.#parts.treeOf(path, text) === undefined) return undefined;
    const check = this.#checkOf(question, signal);
    const lines = Lines.of(text);
    const lineOf = (offset: number) => lines.positionAt(offset).line + 1;
    const errorOf = (finding: Diagnostic): BlockError => {
      const declared = check.declarationOf(finding);
      const declaredLine = declared && { declaredLine: lineOf(declared.ownRange.start) };
      return { ...checkerMessage(finding, text), line: lineOf(finding.start), ...declaredLine };
    };
    try {
      const found = await check.start();
      const errors = found.filter((finding) => isIn(block, check.blockOf(finding))).map(errorOf);
      if (errors.length === 0) return { errors };
      const facts = await this.#factsOf(question);
      const { edit } = await this.#repairBlock(block, check, { left: found, facts, stubs: true, signal });
      return {
        errors,
        ...(!edit.isEmpty && { proposal: toUnifiedDiff({ path, before: text, after: edit.apply(text) }) }),
      };
    } finally {
      await check.restore();
    }
  }

  /** A check of the step's file, with the diagnostics that it did not have before the plan. */
  #checkOf({ block: { path }, text }: StepRequest, signal: AbortSignal | undefined): OverlayCheck {
    const { checker, before, textBefore, blocksOf, treeOf } = this.#parts;
    return new OverlayCheck({
      ...{ checker, textOf: textBefore, blocksOf, treeOf, signal, isApplied: true },
      before: before.filter((one) => one.path === path),
      changed: new Map([[path, { before: textBefore(path), after: text }]]),
      reachOf: () => [path],
    });
  }

  async tryEdit(question: StepRequest, { signal }: PartOptions): Promise<MechanicalAnswer | undefined> {
    const { block, text } = question;
    const { path } = block;
    const tree = this.#parts.treeOf(path, text);
    if (tree === undefined) return undefined;
    const facts = await this.#factsOf(question);
    const check = this.#checkOf(question, signal);
    try {
      // What the new signature needs, such as an import, is repaired below; diagnostics that remain
      // then reject it.
      const signature = isOverride(question) ? baseSignatureEdit(question, facts, tree) : undefined;
      const start = signature && { edit: editOf([signature]), rule: "base signature" };
      const before = start === undefined ? await check.start() : await updated(check, path, start.edit);
      const { edit, rules, left } = await this.#repairBlock(block, check, { left: before, facts, signal });
      const all = start === undefined ? edit : start.edit.compose(edit);
      const isLeft = left.some((finding) => isIn(block, check.blockOf(finding)));
      if (!all.isEmpty && isLeft) return undefined;
      if (!all.isEmpty)
        return {
          kind: "edit",
          edit: workspaceEdit([{ kind: "edit", uri: path, edit: all }]),
          rule: [...new Set([...(start === undefined ? [] : [start.rule]), ...rules])].join(", "),
        };
      return isOnlyBroken(question) && !isLeft ? { kind: "unchanged" } : undefined;
    } finally {
      await check.restore();
    }
  }

  /** Repairs a block, and the imports of its file, in rounds until no repair is left. */
  async #repairBlock(block: CodeBlock, check: OverlayCheck, request: RoundRequest): Promise<RepairedBlock> {
    const rules: string[] = [];
    let { left } = request;
    let all = Edit.empty;
    for (let round = 0; round < maxRounds; round += 1) {
      const made = await this.#repairOnce(block, check, { ...request, left });
      if (made === undefined) break;
      all = all.compose(made.edit);
      rules.push(...made.rules);
      left = await updated(check, block.path, made.edit);
    }
    return { edit: all, rules, left };
  }

  /**
   * Repairs the new diagnostics of the block and of the imports of its file, as far as repairs
   * exist and do not overlap; `undefined` when there are none.
   */
  async #repairOnce(
    block: CodeBlock,
    check: OverlayCheck,
    { left, facts, stubs = false, signal }: RoundRequest,
  ): Promise<Pick<RepairedBlock, "edit" | "rules"> | undefined> {
    const { path } = block;
    const { checker, treeOf, exports } = this.#parts;
    const text = check.textNow(path)!;
    const tree = check.treeNow(path);
    if (tree === undefined) return undefined;
    const taken: TextEdit[] = [];
    const used = new Set<string>();
    for (const finding of left) {
      const own = check.blockOf(finding);
      if (own === undefined || !(isIn(block, own) || own.kind === "import")) continue;
      const place = { diagnostic: finding, text, tree, block: own, facts, ...(exports && { exports }) };
      for (const proposed of [proposeRepairs(place), stubs ? proposeStubs(place) : undefined]) {
        const ways = (proposed?.repairs ?? []).filter(({ certainty }) => certainty !== "guess");
        if (proposed === undefined || ways.length === 0) continue;
        const repair = await checkedRepair({ checker, path, text, ways, treeOf, signal });
        if (repair === undefined) continue;
        if (!repair.edits.some((edit) => taken.some((one) => touches(one, edit)))) {
          taken.push(...repair.edits);
          used.add(proposed.rule);
        }
        break;
      }
    }
    return taken.length === 0 ? undefined : { rules: [...used], edit: editOf(taken) };
  }

  /** The facts about all changes made so far. */
  async #factsOf({ plan, textOf }: StepRequest): Promise<ChangeFacts> {
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

/** Input of one round of repairs. */
interface RoundRequest {
  /** The diagnostics of the file that did not exist before the plan. */
  readonly left: readonly Diagnostic[];
  readonly facts: ChangeFacts;
  /** Whether to write stubs where no repair follows; default: `false`. */
  readonly stubs?: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A block with its repairs. */
interface RepairedBlock {
  readonly edit: Edit;
  /** The names of the rules, in order. */
  readonly rules: readonly string[];
  /** The diagnostics that are left. */
  readonly left: readonly Diagnostic[];
}

/** Applies an edit to a file of a check, and returns the new diagnostics. */
function updated(check: OverlayCheck, path: string, edit: Edit): Promise<readonly Diagnostic[]> {
  return check.update(new Map([[path, edit.apply(check.textNow(path)!)]]));
}

/** The most rounds in which a file's remaining diagnostics are repaired. */
const maxRounds = 4;

/**
 * Whether a step exists only because the type checker reports errors in its block: each cause is
 * such an error, or a rename that breaks the block. Import and export lists contain names only, so
 * other changes do not matter to them.
 */
function isOnlyBroken({ block, step: { causes }, plan }: StepRequest): boolean {
  const isList = block.kind === "import" || (block.kind === "export" && block.name !== "default");
  if (isList && causes.some(({ kind }) => kind === "broken"))
    return causes.every(({ kind }) => kind === "broken" || kind === "change");
  const breaking = new Set(causes.flatMap((cause) => (cause.kind === "broken" ? [cause.from] : [])));
  return causes.every((cause) => {
    if (cause.kind !== "change") return cause.kind === "broken";
    const { changes = [] } = plan.step(cause.from);
    return breaking.has(cause.from) && changes.length > 0 && changes.every(({ label }) => label === "RENAME");
  });
}

/** Whether the step is caused by a changed signature of an overridden member. */
function isOverride({ step }: StepRequest): boolean {
  return step.causes.some(
    (cause) =>
      cause.kind === "change" && cause.hops === 1 && cause.relation === "overridden-by" && cause.label === "MMS",
  );
}

function isIn(block: CodeBlock, own: CodeBlock | undefined): boolean {
  return own !== undefined && blockId(own) === blockId(block);
}
