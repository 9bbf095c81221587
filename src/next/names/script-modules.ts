import { parse as parseJson } from "jsonc-parser";
import { folderOf, joinPath, nameOf } from "../../codebase/index.ts";
import { resolvedPath } from "../../codebase/repair/module-paths.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import type { NameTable } from "./name-table.ts";

/** What {@link ScriptModules} asks. */
export interface ScriptModulesParts {
  readonly files: WorkspaceTexts;
  tableOf(path: string): NameTable | undefined;
}

/** How many files a name is followed through that pass it on. */
const maxHops = 6;

/** Which file of a workspace a module's name means, and where what it exports comes from. It is true for one moment of the workspace. */
export class ScriptModules {
  readonly #parts: ScriptModulesParts;
  readonly #resolved = new Map<string, string | undefined>();
  readonly #packages = new Map<string, string | undefined>();

  constructor(parts: ScriptModulesParts) {
    this.#parts = parts;
  }

  /** The file that a module's name means in another file: relative ones only. */
  fileOf(specifier: string, from: string): string | undefined {
    if (!/^\.\.?(?:\/|$)/.test(specifier)) return undefined;
    const path = resolvedPath(from, specifier);
    if (path === undefined) return undefined;
    if (!this.#resolved.has(path)) this.#resolved.set(path, this.#fileAt(path));
    return this.#resolved.get(path);
  }

  /** Whether what a module exports by one of these names is what the file at `target` exports by one of them. */
  leadsTo(specifier: string, from: string, target: string, names: readonly string[]): boolean {
    const file = this.fileOf(specifier, from);
    if (file !== undefined) return this.#passesOn(file, target, names, maxHops);
    // Packages of the workspace go by their names, and so do the names that a compiler's paths have for files.
    if (specifier.startsWith(".")) return false;
    const name = this.#packageOf(target);
    if (name !== undefined && (specifier === name || specifier.startsWith(`${name}/`))) return true;
    const steps = specifier.replace(ending, "").split("/").slice(1);
    return steps.length > 0 && /^[@~#]?$|^[@~]\w*$/.test(specifier.split("/")[0]!) && endsWithSteps(target, steps);
  }

  /** Where something comes from that a file exports by one of these names: the file that declares it, as far as it is told. */
  originOf(specifier: string, from: string, name: string): string | undefined {
    let file = this.fileOf(specifier, from);
    for (let hop = 0; file !== undefined && hop < maxHops; hop++) {
      const table = this.#parts.tableOf(file);
      if (table === undefined) return file;
      const passed = table.named(name).find(({ role, source }) => role === "exports" && source !== undefined);
      if (passed !== undefined) file = this.fileOf(passed.source!, file);
      else if (table.scopes[0]!.names.has(name) || table.passedOn.length === 0) return file;
      else {
        const here: string = file;
        const behind: (string | undefined)[] = table.passedOn.map((one) => this.fileOf(one, here));
        file = behind.find((one) => one !== undefined && this.exportsName(one, name));
      }
    }
    return undefined;
  }

  /** Whether a file exports something by a name, declared there or passed on by name. */
  exportsName(path: string, name: string): boolean {
    const table = this.#parts.tableOf(path);
    if (table === undefined) return false;
    const binding = table.scopes[0]!.names.get(name);
    if (binding !== undefined && table.bindings[binding]!.isExported) return true;
    return table.named(name).some(({ role }) => role === "exports");
  }

  #passesOn(file: string, target: string, names: readonly string[], hops: number): boolean {
    if (file === target) return true;
    if (hops === 0) return false;
    const table = this.#parts.tableOf(file);
    if (table === undefined) return false;
    const sources = new Set(table.passedOn);
    for (const name of names) {
      for (const { role, source } of table.named(name))
        if (role === "exports" && source !== undefined) sources.add(source);
    }
    for (const source of sources) {
      const next = this.fileOf(source, file);
      if (next !== undefined && this.#passesOn(next, target, names, hops - 1)) return true;
    }
    return false;
  }

  /** The name of the package that a file is in. */
  #packageOf(path: string): string | undefined {
    const folder = folderOf(path);
    if (this.#packages.has(folder)) return this.#packages.get(folder);
    const text = this.#parts.files.textOf(joinPath(folder, "package.json"));
    const name: unknown =
      text === undefined ? undefined : (parseJson(text) as { readonly name?: unknown } | undefined)?.name;
    const found = typeof name === "string" ? name : folder === "" ? undefined : this.#packageOf(folder);
    this.#packages.set(folder, found);
    return found;
  }

  #fileAt(path: string): string | undefined {
    const has = (one: string) => this.#parts.files.textOf(one) !== undefined;
    const bare = path.replace(/\.([cm]?)jsx?$/, "");
    const candidates = [
      ...(bare === path ? [] : endings.map((one) => bare + one)),
      path,
      ...endings.map((one) => path + one),
      ...endings.map((one) => joinPath(path, `index${one}`)),
    ];
    return candidates.find((one) => ending.test(nameOf(one)) && has(one));
  }
}

const endings = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
const ending = /\.[cm]?[jt]sx?$/;

function endsWithSteps(path: string, steps: readonly string[]): boolean {
  const own = path.replace(/(\.d)?\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "");
  return `/${own}`.endsWith(`/${steps.join("/").replace(/\/index$/, "")}`);
}
