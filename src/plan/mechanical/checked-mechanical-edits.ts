import {
  baseSignatureEdit,
  blockId,
  type ChangeFacts,
  type CodeBlock,
  checkedRepair,
  checkerMessage,
  type ExportIndex,
  editOf,
  type FileDiagnostic,
  factsWithTrees,
  OverlayCheck,
  type OverlayTypeChecker,
  proposeRepairs,
  proposeStubs,
  type RepairContext,
  repairRounds,
} from "../../analysis/index.ts";
import type { ScriptTree } from "../../names/index.ts";
import { Edit, Lines, toUnifiedDiff, workspaceEdit } from "../../text/index.ts";
import type { ChangedText } from "../../workspace/index.ts";
import { pathsOfEdit } from "../block-rewrite.ts";
import type { BlockError } from "../plan-graph.ts";
import type { LeftWork, MechanicalAnswer, MechanicalEdits, PartOptions, StepRequest } from "../plan-parts.ts";

/** The parts of {@link CheckedMechanicalEdits}. */
interface MechanicalParts {
  /** A type checker with the current texts of the workspace. */
  readonly checker: OverlayTypeChecker;
  /** The diagnostics of the workspace before the plan. */
  readonly before: readonly FileDiagnostic[];
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
    const errorOf = (finding: FileDiagnostic): BlockError => {
      const declared = check.declarationOf(finding);
      const declaredLine = declared && { declaredLine: lineOf(declared.ownRange.start) };
      return { ...checkerMessage(finding, text), line: lineOf(finding.start), ...declaredLine };
    };
    try {
      const found = await check.start();
      const errors = found.filter((finding) => isIn(block, check.blockOf(finding))).map(errorOf);
      if (errors.length === 0) return { errors };
      const facts = await this.#factsOf(question);
      const { edit } = await this.#repairBlock(block, check, { left: found, facts, stubs: true });
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
      const before = await (start === undefined
        ? check.start()
        : check.update(new Map([[path, start.edit.apply(text)]])));
      const { edit, rules, left } = await this.#repairBlock(block, check, { left: before, facts });
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

  /**
   * Repairs the new diagnostics of a block, and of the imports of its file, in rounds until no
   * repair is left.
   */
  async #repairBlock(
    block: CodeBlock,
    check: OverlayCheck,
    { left, facts, stubs = false }: RepairInput,
  ): Promise<RepairedBlock> {
    const repairOf = async (question: RepairContext) => {
      const { block: own } = question;
      if (!(isIn(block, own) || own.kind === "import")) return undefined;
      for (const proposed of [...proposeRepairs(question), stubs ? proposeStubs(question) : undefined]) {
        const ways = (proposed?.repairs ?? []).filter(({ certainty }) => certainty !== "guess");
        if (proposed === undefined || ways.length === 0) continue;
        const repair = await checkedRepair(check, block.path, ways);
        if (repair !== undefined) return { ...repair, rule: proposed.rule };
      }
      return undefined;
    };
    const rules = { facts: () => facts, exports: this.#parts.exports, repairOf };
    let repaired: RepairedBlock = { edit: Edit.empty, rules: [], left };
    for await (const { repairs, errors } of repairRounds(check, left, { maxRounds, rulesOf: () => rules }))
      repaired = {
        edit: repaired.edit.compose(editOf(repairs.flatMap(({ edits }) => edits))),
        rules: [...repaired.rules, ...repairs.map(({ rule }) => rule)],
        left: errors,
      };
    return repaired;
  }

  /** The facts about all changes made so far. */
  async #factsOf({ plan, textOf }: StepRequest): Promise<ChangeFacts> {
    const { textBefore } = this.#parts;
    const paths = new Set(
      plan.steps.flatMap(({ rewrite }) => (rewrite === undefined ? [] : pathsOfEdit(rewrite.edit))),
    );
    const texts = new Map<string, ChangedText>();
    for (const path of paths) texts.set(path, { before: textBefore(path), after: await textOf(path) });
    return factsWithTrees(texts, this.#parts);
  }
}

/** Input of the repair of a block. */
interface RepairInput {
  /** The diagnostics of the file that did not exist before the plan. */
  readonly left: readonly FileDiagnostic[];
  readonly facts: ChangeFacts;
  /** Whether to write stubs where no repair follows; default: `false`. */
  readonly stubs?: boolean;
}

/** A block with its repairs. */
interface RepairedBlock {
  readonly edit: Edit;
  /** The names of the rules, in order; a name may come several times. */
  readonly rules: readonly string[];
  /** The diagnostics that are left. */
  readonly left: readonly FileDiagnostic[];
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
