import { type Disposable, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { ServerStatus } from "./protocol.ts";
import type { ServerLink } from "./server-link.ts";
import { type StatusFacts, statusText } from "./status-text.ts";

/** What the server says by itself, whenever it changes. */
export interface StatusNotification {
  readonly kind?: string;
  readonly busy?: boolean;
  readonly message?: string;
}

/** So long after an answer without an offer the reason is asked for; a person who types on does not read it. */
const restMs = 250;

const backgrounds = {
  normal: undefined,
  warning: new ThemeColor("statusBarItem.warningBackground"),
  error: new ThemeColor("statusBarItem.errorBackground"),
};

/** The item of the status bar: whether Emend works, and why it is silent. A click shows what can be done. */
export class StatusItem implements Disposable {
  readonly #item = window.createStatusBarItem("emend.status", StatusBarAlignment.Right, 100);
  readonly #server: ServerLink;
  #facts: StatusFacts;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: ServerLink, isRestricted: boolean) {
    this.#server = server;
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

  /** Takes what the server says of itself. */
  notified({ busy }: StatusNotification): void {
    if (busy !== undefined) this.update({ isLearning: busy });
  }

  /** Takes that something was offered, or nothing: then the server is asked why, as its answer does not say. */
  answered(isOffered: boolean): void {
    clearTimeout(this.#timer);
    if (isOffered) this.update({ silence: undefined });
    else this.#timer = setTimeout(() => void this.#askWhy(), restMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#item.dispose();
  }

  async #askWhy(): Promise<void> {
    try {
      const { lastSilence, lastSilenceText } = await this.#server.request<ServerStatus>("emend/status", {});
      // Requests that took each other's place say nothing of the server.
      if (lastSilence?.kind === "cancelled" || lastSilence?.kind === "superseded") return;
      this.update({ silence: lastSilence && { kind: lastSilence.kind, text: lastSilenceText ?? lastSilence.kind } });
    } catch {
      // The client's state says what is wrong with the server.
    }
  }

  #draw(): void {
    const { text, tooltip, severity } = statusText(this.#facts);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.backgroundColor = backgrounds[severity];
    const label = text.replace(/\$\([^)]*\) /, "");
    this.#item.accessibilityInformation = { label: `${label}. ${tooltip}`, role: "button" };
  }
}
