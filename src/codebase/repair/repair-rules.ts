import { editByExample } from "./facts/edits-by-example.ts";
import type { Repair, RepairQuestion, RepairRule } from "./repair.ts";
import { argumentRepair } from "./rules/argument-repair.ts";
import { baseSignature } from "./rules/base-signature.ts";
import { callRepair } from "./rules/call-repair.ts";
import { importedAlias, importForm, importKind, missingImport, movedImport } from "./rules/import-repair.ts";
import { deadComparison, renamedLiteral } from "./rules/literal-repair.ts";
import { movedModule } from "./rules/moved-module-repair.ts";
import { alikeProperty, missingProperty, missingPropertyStub, removedProperty } from "./rules/property-repair.ts";
import { renameInFile, renameRepair } from "./rules/rename-repair.ts";
import { deadCase, missingCase, missingCaseStub } from "./rules/switch-case-repair.ts";
import { typeArguments } from "./rules/type-argument-repair.ts";
import { unusedImport, unusedProperty } from "./rules/unused-repair.ts";
import { awaitWord, overrideWord, readonlyWord } from "./rules/word-repair.ts";

/**
 * The rule that takes a name from another module. It waits for modules that are found again: see
 * `propagateRepairs`.
 */
export const movedImportRule = "moved import";

/** Every rule by its displayed name. The first that has an answer gives it. */
export const repairRules: readonly (readonly [name: string, rule: RepairRule])[] = [
  ["example", editByExample],
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

/**
 * Rules that write what has to stand there, where nothing follows: a person says the rest. By the
 * displayed name.
 */
const stubRules: readonly (readonly [name: string, rule: RepairRule])[] = [
  ["missing property", missingPropertyStub],
  ["missing case", missingCaseStub],
];

/** What is proposed about a finding: the rule, and one way or rivals. */
export interface ProposedRepairs {
  readonly rule: string;
  readonly repairs: readonly Repair[];
}

/** What the first rule that understands a finding would do about it: one way, or rivals. */
export function proposeRepairs(question: RepairQuestion): ProposedRepairs | undefined {
  return firstAnswer(repairRules, question);
}

/** What has to stand at a finding, as far as it is known, where nothing follows. */
export function proposeStubs(question: RepairQuestion): ProposedRepairs | undefined {
  return firstAnswer(stubRules, question);
}

function firstAnswer(
  rules: readonly (readonly [name: string, rule: RepairRule])[],
  question: RepairQuestion,
): ProposedRepairs | undefined {
  for (const [name, rule] of rules) {
    const repairs = rule(question);
    if (repairs.length > 0) return { rule: name, repairs };
  }
  return undefined;
}

/**
 * What to suppose of a finding where no checker chooses: the one way that follows, or with `guess`
 * also what people often do. A new name is written at the finding's own place alone, so that each
 * place that says the old one is found.
 */
export function likelyRepair(question: RepairQuestion, certainty: "follows" | "guess"): Repair | undefined {
  for (const [name, rule] of repairRules) {
    const repairs = (name === "rename" ? one(renameRepair) : rule)(question);
    if (repairs.length === 0) continue;
    const following = repairs.filter((repair) => repair.certainty === "follows");
    if (following.length === 1) return following[0];
    return certainty === "guess" ? repairs[0] : undefined;
  }
  return undefined;
}

function one(rule: (question: RepairQuestion) => Repair | undefined): RepairRule {
  return (question) => {
    const repair = rule(question);
    return repair === undefined ? [] : [repair];
  };
}
