import { ConfigurationTarget, extensions, window, workspace } from "vscode";

/** The settings that turn a language on or off. */
const switches = ["complete.languages", "next.languages"] as const;

/** Whether automatic ghost text is on for a language in the settings of VS Code. */
export function isLanguageOn(language: string): boolean {
  const languages = workspace
    .getConfiguration("emend")
    .get<Readonly<Record<string, boolean>>>("complete.languages", {});
  return languages[language] ?? languages["*"] ?? true;
}

/**
 * Turns ghost text and next edits on or off for the active document's language, in the user
 * settings.
 */
export async function toggleLanguage(): Promise<void> {
  const language = window.activeTextEditor?.document.languageId;
  if (language === undefined) {
    void window.showInformationMessage("Open a document to turn Emend on or off for its language.");
    return;
  }
  const isOn = !isLanguageOn(language);
  const configuration = workspace.getConfiguration("emend");
  for (const name of switches) {
    const own = configuration.inspect<Readonly<Record<string, boolean>>>(name)?.globalValue;
    await configuration.update(name, { ...own, [language]: isOn }, ConfigurationTarget.Global);
  }
  window.setStatusBarMessage(`Emend is ${isOn ? "on" : "off"} for ${languageName(language)}.`, 5_000);
}

/** The name of a language as VS Code shows it: the first alias, such as `TypeScript`, or its id. */
export function languageName(language: string): string {
  for (const { packageJSON } of extensions.all) {
    const languages: unknown = packageJSON?.contributes?.languages;
    if (!Array.isArray(languages)) continue;
    const name = languages.find(({ id, aliases }) => id === language && aliases?.length > 0)?.aliases[0];
    if (typeof name === "string") return name;
  }
  return language;
}
