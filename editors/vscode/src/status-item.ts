import { type Disposable, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { EmendStatusParams } from "./protocol.ts";
import { type StatusFacts, statusText } from "./status-text.ts";

const backgrounds = {
  normal: undefined,
  warning: new ThemeColor("statusBarItem.warningBackground"),
  error: new ThemeColor("statusBarItem.errorBackground"),
};

/**
 * The status bar item: the state of Emend and the reason for no suggestion. A click opens the menu.
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

  /** Updates the item with a status notification of the server. */
  notified({ busy, learning, noSuggestion, snoozedMinutes, failedModel }: EmendStatusParams): void {
    this.update({ isLearning: busy, learning, noSuggestion, snoozedMinutes, failedModel });
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
