import { type Disposable, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { EmendStatusParams } from "./protocol.ts";
import { type StatusFacts, statusText } from "./status-text.ts";

const backgrounds = {
  normal: undefined,
  warning: new ThemeColor("statusBarItem.warningBackground"),
  error: new ThemeColor("statusBarItem.errorBackground"),
};

/**
 * The item of the status bar: whether Emend works, and why it is silent. A click shows what can be
 * done.
 */
export class StatusItem implements Disposable {
  readonly #item = window.createStatusBarItem("emend.status", StatusBarAlignment.Right, 100);
  #facts: StatusFacts;

  constructor(isRestricted: boolean) {
    this.#facts = { server: "starting", isLearning: false, isRestricted };
    this.#item.name = "Emend";
    this.#item.command = "emend.showMenu";
    this.#draw();
    this.#item.show();
  }

  get facts(): StatusFacts {
    return this.#facts;
  }

  update(facts: Partial<StatusFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#draw();
  }

  /** Takes what the server says of itself, whenever that changes. */
  notified({ busy, learning, silence }: EmendStatusParams): void {
    this.update({ isLearning: busy, learning, silence });
  }

  dispose(): void {
    this.#item.dispose();
  }

  #draw(): void {
    const { text, tooltip, severity } = statusText(this.#facts);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.backgroundColor = backgrounds[severity];
    const label = text.replace(/\$\([\w~-]*\) /, "");
    this.#item.accessibilityInformation = { label: `${label}. ${tooltip}`, role: "button" };
  }
}
