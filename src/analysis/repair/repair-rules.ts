import { nodesAround } from "../../names/index.ts";
import { rewritten } from "./facts/edits-by-example.ts";
import type { Repair, RepairContext, RepairRule } from "./repair.ts";
import { argumentRepair, typeArguments } from "./rules/argument-repair.ts";
import { baseSignature } from "./rules/base-signature.ts";
import { callRepair } from "./rules/call-repair.ts";
import { importedAlias, importForm, importKind, missingImport, movedImport } from "./rules/import-repair.ts";
import { deadComparison, renamedLiteral } from "./rules/literal-repair.ts";
import { movedModule } from "./rules/moved-module-repair.ts";
import { alikeProperty, missingProperty, missingPropertyStub, removedProperty } from "./rules/property-repair.ts";
import { renameInFile } from "./rules/rename-repair.ts";
import { deadCase, missingCase, missingCaseStub } from "./rules/switch-case-repair.ts";
import { unusedImport, unusedProperty } from "./rules/unused-repair.ts";
import { awaitWord, overrideWord, readonlyWord } from "./rules/word-repair.ts";

/**
 * The rule that imports a name from another module. It waits until unresolved modules are repaired:
 * see `propagateRepairs`.
 */
export const movedImportRule = "moved import";

/** The rules but for examples, by displayed name. The first rule that returns a repair wins. */
const repairRules: readonly (readonly [name: string, rule: RepairRule])[] = [
  ["rename", one(renameInFile)],
  ["renamed string", renamedLiteral],
  ["import form", importForm],
  ["moved module", movedModule],
  [movedImportRule, movedImport],
  ["import alias", importedAlias],
  ["missing import", missingImport],
  ["import type", importKind],
  ["base signature", baseSignature],
  ["call", callRepair],
  ["argument", one(argumentRepair)],
  ["missing property", missingProperty],
  ["alike property", alikeProperty],
  ["removed property", removedProperty],
  ["unused property", unusedProperty],
  ["unused import", unusedImport],
  ["dead comparison", deadComparison],
  ["dead case", deadCase],
  ["missing case", missingCase],
  ["type arguments", typeArguments],
  ["readonly", readonlyWord],
  ["override", overrideWord],
  ["await", awaitWord],
];

/** Rules that write stubs where no repair follows from the change, by displayed name. */
const stubRules: readonly (readonly [name: string, rule: RepairRule])[] = [
  ["missing property", missingPropertyStub],
  ["missing case", missingCaseStub],
];

/** The repairs of a rule for a diagnostic: one, or several alternatives. */
export interface ProposedRepairs {
  readonly rule: string;
  readonly repairs: readonly Repair[];
}

/**
 * The repair by example, and the repairs of the first rule that applies to a diagnostic: where the
 * example of another place is rejected, the rule may still have what the change asks for.
 */
export function proposeRepairs(question: RepairContext): readonly ProposedRepairs[] {
  const repairs = editByExample(question);
  const ruled = firstAnswer(repairRules, question);
  return [...(repairs.length > 0 ? [{ rule: "example", repairs }] : []), ...(ruled === undefined ? [] : [ruled])];
}

/** The stubs of the first rule that applies to a diagnostic; `undefined` where none does. */
export function proposeStubs(question: RepairContext): ProposedRepairs | undefined {
  return firstAnswer(stubRules, question);
}

function firstAnswer(
  rules: readonly (readonly [name: string, rule: RepairRule])[],
  question: RepairContext,
): ProposedRepairs | undefined {
  for (const [name, rule] of rules) {
    const repairs = rule(question);
    if (repairs.length > 0) return { rule: name, repairs };
  }
  return undefined;
}

function one(rule: (question: RepairContext) => Repair | undefined): RepairRule {
  return (question) => {
    const repair = rule(question);
    return repair === undefined ? [] : [repair];
  };
}

/** Applies the rewrite that was learnt for the closest call, access or type around a diagnostic. */
function editByExample({ diagnostic, text, tree, facts: { rewrites } }: RepairContext): readonly Repair[] {
  if (rewrites === undefined || rewrites.size === 0) return [];
  for (const node of nodesAround(tree.program, diagnostic.start, diagnostic.end).reverse()) {
    const edited = rewritten(rewrites, { node, text });
    if (edited !== undefined)
      return [{ certainty: "follows", edits: [{ start: node.start, end: node.end, text: edited }] }];
  }
  return [];
}
