import { type Event, EventEmitter, ThemeIcon, type TreeDataProvider, TreeItem } from "vscode";
import type { PlanViewParams } from "./protocol.ts";

type Step = PlanViewParams["view"]["steps"][number];

/** The icons of steps by status; the description has the status as a word. */
const icons: Readonly<Record<string, string>> = {
  pending: "circle-outline",
  requested: "loading~spin",
  changed: "git-commit",
  done: "check",
  unchanged: "dash",
  skipped: "debug-step-over",
  failed: "error",
  obligation: "person",
};

/** The steps of a plan as a list, in the order of the plan. */
export class PlanTree implements TreeDataProvider<Step> {
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  #steps: readonly Step[] = [];

  show(steps: readonly Step[]): void {
    this.#steps = steps;
    this.#changed.fire(undefined);
  }

  getChildren(parent?: Step): Step[] {
    return parent === undefined ? [...this.#steps] : [];
  }

  getTreeItem(step: Step): TreeItem {
    const item = new TreeItem(step.block);
    item.id = String(step.id);
    item.iconPath = new ThemeIcon(icons[step.status] ?? "circle-outline");
    item.description = step.note ?? `${step.status}${step.author === undefined ? "" : `, ${step.author}`}`;
    item.tooltip = [step.block, ...step.reasons, ...(step.note === undefined ? [] : [step.note])].join("\n");
    item.contextValue = step.diff === undefined ? "step" : "step withDiff";
    item.accessibilityInformation = { label: `${step.block}, ${item.description}. ${step.reasons.join(" ")}` };
    if (step.diff !== undefined) {
      item.command = { title: "Show the diff of the step", command: "emend.plan.showStep", arguments: [step] };
    }
    return item;
  }
}

export type { Step as PlanTreeStep };
