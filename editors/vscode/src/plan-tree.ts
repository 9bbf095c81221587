import { type Event, EventEmitter, ThemeIcon, type TreeDataProvider, TreeItem } from "vscode";
import { statusLabels, stepLabelOf } from "../../../src/plan/page/step-words.ts";
import { quotedCode } from "./message-text.ts";
import type { PlanViewParams } from "./protocol.ts";

type Step = PlanViewParams["view"]["steps"][number];

/** A row below the steps: what a person has to know of the plan. */
interface Note {
  readonly kind: "problem" | "note";
  readonly text: string;
}

/** The icons of steps by status; the description has the status in words. */
const icons: Readonly<Record<Step["status"], string>> = {
  pending: "circle-outline",
  requested: "loading~spin",
  changed: "git-commit",
  done: "check",
  unchanged: "dash",
  obligation: "person",
  rejected: "close",
  dropped: "circle-slash",
};

/** The steps of a plan as a list, in the order of the plan; its problem above them, notes below. */
export class PlanTree implements TreeDataProvider<Step | Note> {
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  #rows: readonly (Step | Note)[] = [];

  show({ steps }: PlanViewParams["view"], problem: string | undefined, notes: readonly string[]): void {
    this.#rows = [
      ...(problem === undefined ? [] : [{ kind: "problem", text: quotedCode(problem) } as const]),
      ...steps,
      ...notes.map((text) => ({ kind: "note", text: quotedCode(text) }) as const),
    ];
    this.#changed.fire(undefined);
  }

  getChildren(parent?: Step | Note): (Step | Note)[] {
    return parent === undefined ? [...this.#rows] : [];
  }

  getTreeItem(step: Step | Note): TreeItem {
    if ("kind" in step) {
      const row = new TreeItem(step.text);
      row.iconPath = new ThemeIcon(step.kind === "problem" ? "error" : "info");
      row.tooltip = step.text;
      return row;
    }
    const { words } = statusLabels[step.status];
    const item = new TreeItem(stepLabelOf(step));
    item.id = String(step.id);
    item.iconPath = new ThemeIcon(icons[step.status]);
    const how = step.note ?? `${words}${step.author === undefined ? "" : `, ${step.author}`}`;
    item.description = quotedCode(`${step.path}: ${how}`);
    item.tooltip = [`${step.block}: ${words}`, ...step.reasons, ...(step.note === undefined ? [] : [step.note])]
      .map(quotedCode)
      .join("\n");
    item.contextValue = step.diff === undefined ? "step" : "step withDiff";
    item.accessibilityInformation = { label: `${step.block}, ${quotedCode(how)}. ${step.reasons.join(" ")}` };
    if (step.diff !== undefined) {
      item.command = { title: "Show the diff of the step", command: "emend.plan.showStep", arguments: [step] };
    }
    return item;
  }
}

export type { Note as PlanTreeNote, Step as PlanTreeStep };
