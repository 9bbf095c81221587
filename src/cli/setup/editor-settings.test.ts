import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { editorSettingsOver } from "./editor-settings.ts";

const settings = [
  { path: ["model"], value: ["ollama:a", "builtin"] },
  { path: ["edit", "model"], value: "ollama:b" },
  { path: ["models", "ollama:a", "template"], value: "qwen" },
];

/** The notes for files with texts, with the folder as `~`. */
async function notesFor(files: Readonly<Record<string, string>>, platform: NodeJS.Platform = "linux") {
  const home = mkdtempSync(join(tmpdir(), "emend-editors-"));
  onTestFinished(() => removeFolder(home));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const notes = await editorSettingsOver(settings, { root: join(home, "work"), environment: {}, platform, home });
  return notes.map((note) => note.replaceAll(home, "~"));
}

describe("a setting of an editor is named with its line and what to change", () => {
  const text = '{\n  // mine\n  "emend.model": "builtin", // here\n  "editor.tabSize": 2,\n}\n';
  test.each<[path: string, platform: NodeJS.Platform, editor: string]>([
    [".config/Code/User/settings.json", "linux", "VS Code"],
    [".config/Code/User/profiles/4f1/settings.json", "linux", "VS Code"],
    [".config/Code - Insiders/User/settings.json", "linux", "VS Code Insiders"],
    [".config/VSCodium/User/settings.json", "linux", "VSCodium"],
    ["Library/Application Support/Cursor/User/settings.json", "darwin", "Cursor"],
    ["AppData/Roaming/Windsurf/User/settings.json", "win32", "Windsurf"],
    [".vscode-server/data/Machine/settings.json", "linux", "VS Code on this remote machine"],
    [".local/share/code-server/User/settings.json", "linux", "code-server"],
    ["work/.vscode/settings.json", "linux", "VS Code and editors made from it"],
  ])("%s on %s", async (path, platform, editor) => {
    expect(await notesFor({ [path]: text }, platform)).toEqual([
      `\`emend.model\` in ~/${path}:3 counts in ${editor}. Take it out there, or set it to ["ollama:a","builtin"].`,
    ]);
  });

  test.each<[what: string, text: string, keys: readonly string[]]>([
    ["other keys", '{"emend.edit.model": ["x:y"], "emend.next.model": "z:z"}', ["emend.edit.model"]],
    [
      "an object",
      '{"emend.models": {"ollama:a": {"template": "mellum"}, "ollama:b": {}}}',
      ['emend.models → "ollama:a" → "template"'],
    ],
    ["the same values", '{"emend.model": ["ollama:a", "builtin"], "emend.edit.model": ["ollama:b"]}', []],
    ["no such setting", '{"editor.model": 1}', []],
    ["a broken file", '{"emend.model": "builtin", ', ["emend.model"]],
    ["no settings", "", []],
  ])("%s", async (_, text, keys) => {
    const notes = await notesFor({ ".config/Code/User/settings.json": text });
    expect(notes.map((note) => /^`([^`]+)`/.exec(note)![1])).toEqual(keys);
  });
});
