import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Environment, lineOfSetting, type SettingEdit, settingInText } from "../../config/index.ts";

/** Where the settings of editors are looked for. */
export interface EditorSettingsSource {
  /** The workspace: an absolute path. */
  readonly root: string;
  readonly environment: Environment;
  /** Default: that of this machine. */
  readonly platform?: NodeJS.Platform;
  /** The person's folder. Default: that of this machine. */
  readonly home?: string;
}

/**
 * The settings of VS Code and the editors made from it that count over settings of Emend's own
 * files, since an editor passes them to the language server: sentences with the line to change.
 * Files that do not exist or can't be read are left out. Does not reject.
 */
export async function editorSettingsOver(
  settings: readonly SettingEdit[],
  source: EditorSettingsSource,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const [editor, path] of await editorFiles(source)) {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    for (const { path: names, value } of settings) {
      const at = namesInEditor(names);
      const line = lineOfSetting(text, at);
      const wanted = JSON.stringify([value].flat());
      if (line === undefined || JSON.stringify([settingInText(text, at)].flat()) === wanted) continue;
      const key = at.map((name, index) => (index === 0 ? name : JSON.stringify(name))).join(" → ");
      notes.push(
        `\`${key}\` in ${path}:${line} counts in ${editor}. Take it out there, or set it to ${JSON.stringify(value)}.`,
      );
    }
  }
  return notes;
}

/** `["edit", "model"]` is `emend.edit.model` there; what is in `models` is an object. */
function namesInEditor([first, ...rest]: readonly string[]): readonly string[] {
  return first === "models" ? ["emend.models", ...rest] : [["emend", first, ...rest].join(".")];
}

/** Editors with their folders of settings, each in the folder of all programs' settings. */
const editors = [
  ["VS Code", "Code"],
  ["VS Code Insiders", "Code - Insiders"],
  ["VSCodium", "VSCodium"],
  ["Cursor", "Cursor"],
  ["Windsurf", "Windsurf"],
] as const;

/** Their servers on a machine that is reached by SSH, or in WSL or a container. */
const servers = [
  ["VS Code on this remote machine", ".vscode-server/data/Machine"],
  ["VSCodium on this remote machine", ".vscodium-server/data/Machine"],
  ["Cursor on this remote machine", ".cursor-server/data/Machine"],
  ["code-server", ".local/share/code-server/User"],
] as const;

async function editorFiles({
  root,
  environment,
  platform = process.platform,
  home = homedir(),
}: EditorSettingsSource): Promise<readonly (readonly [editor: string, path: string])[]> {
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, "Library/Application Support"),
    win32: environment["APPDATA"] || join(home, "AppData/Roaming"),
  };
  const folder = folders[platform] ?? (environment["XDG_CONFIG_HOME"] || join(home, ".config"));
  const own = editors.map(async ([editor, name]) => {
    const user = join(folder, name, "User");
    const profiles = await readdir(join(user, "profiles")).catch(() => []);
    const paths = [user, ...profiles.map((profile) => join(user, "profiles", profile))];
    return paths.map((path) => [editor, join(path, "settings.json")] as const);
  });
  return [
    ...(await Promise.all(own)).flat(),
    ...servers.map(([editor, path]) => [editor, join(home, path, "settings.json")] as const),
    ["VS Code and editors made from it", join(root, ".vscode/settings.json")],
  ];
}
