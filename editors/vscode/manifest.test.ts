import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acceptCommand } from "../../src/server/suggestions/inline-completion.ts";
import { manifestSettings } from "./manifest-settings.ts";

const file = join(import.meta.dirname, "package.json");
const manifest = JSON.parse(readFileSync(file, "utf8"));
const root = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));

test("the manifest has the settings of `emend config schema` (UPDATE_MANIFEST=1 writes them, biome aligns them)", () => {
  const settings = JSON.parse(JSON.stringify(manifestSettings()));
  if (process.env["UPDATE_MANIFEST"] === "1") {
    manifest.contributes.configuration = settings;
    writeFileSync(file, JSON.stringify(manifest, null, 2));
  }
  expect(manifest.contributes.configuration).toEqual(settings);
});

test("every setting in the manifest has a description", () => {
  const described = manifestSettings().flatMap(({ properties }) => Object.entries(properties));
  expect(described.filter(([, setting]) => !setting["markdownDescription"])).toEqual([]);
});

test("the extension has the version of the server in it", () => {
  expect(manifest.version).toBe(root.version);
});

test("each command with a key or a menu entry is declared exactly once", () => {
  const { commands, keybindings, menus } = manifest.contributes;
  const declared = commands.map(({ command }: { readonly command: string }) => command);
  const used = [...keybindings, ...Object.values(menus).flat()].map(({ command }) => command);
  expect(declared).toEqual([...new Set(declared)]);
  expect(used.filter((command) => !declared.includes(command))).toEqual([]);
});

test("each step of the walkthrough has a picture or a text, and commands that exist", () => {
  const { commands, walkthroughs } = manifest.contributes;
  const declared = commands.map(({ command }: { readonly command: string }) => command);
  // What VS Code runs when ghost text is accepted.
  const internal = [acceptCommand, "emend.nextEdit.taken"];
  for (const { description, media, completionEvents = [] } of walkthroughs[0].steps) {
    expect(existsSync(join(import.meta.dirname, media.image ?? media.markdown))).toBe(true);
    const named = Array.from(description.matchAll(/\(command:([\w.]+)\)/g), ([, command]) => command);
    const events = completionEvents.map((event: string) => event.replace("onCommand:", ""));
    expect([...named, ...events].filter((command) => ![...declared, ...internal].includes(command))).toEqual([]);
    // VS Code completes a step without events as soon as it is shown.
    expect(completionEvents).not.toEqual([]);
  }
});

test("the pictures are small", () => {
  const images = join(import.meta.dirname, "images");
  const sizes = readdirSync(images).map((name) => statSync(join(images, name)).size);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
});
