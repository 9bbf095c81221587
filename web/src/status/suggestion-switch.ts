import type { Signal } from "@preact/signals";
import { kept } from "../kept.ts";
import type { ServerLink, WorkspaceFiles } from "../page-services.ts";

/** How long a snooze lasts, in minutes. */
export const snoozeMinutes = 5;

/** Turns automatic suggestions of a folder off and on, for one language or `*` for all, and snoozes
 * them. */
export class SuggestionSwitch {
  readonly #server: ServerLink;
  /** As in the settings `complete.languages` and `next.languages`. */
  readonly #languages: Signal<Readonly<Record<string, boolean>>>;

  constructor(server: ServerLink, { rootUri }: Pick<WorkspaceFiles, "rootUri">) {
    this.#server = server;
    this.#languages = kept("languages", {}, { of: rootUri });
  }

  /** The settings of the page, over those of files. */
  get settings(): object {
    const languages = this.#languages.value;
    return { complete: { languages }, next: { languages } };
  }

  /** Whether this page has not turned suggestions off for a language. */
  isOn(language: string): boolean {
    const languages = this.#languages.value;
    return languages[language] ?? languages["*"] ?? true;
  }

  turn(language: string, isOn: boolean): void {
    const others = language === "*" ? {} : this.#languages.value;
    this.#languages.value = { ...others, [language]: isOn };
    // The server then requests the settings.
    this.#server.notify("workspace/didChangeConfiguration", { settings: null });
  }

  /** Snoozes for so many minutes; 0 ends the snooze. Rejects as {@link ServerLink.request} does. */
  async snooze(minutes: number): Promise<void> {
    await this.#server.request("emend/snooze", { minutes });
  }
}
