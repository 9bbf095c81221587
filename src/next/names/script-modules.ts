import { modulePath, resolvedPath } from "../../codebase/repair/module-paths.ts";
import { isRelative, type ModuleFiles } from "./module-files.ts";
import type { NameTable } from "./name-table.ts";

/** What {@link ScriptModules} asks. */
export interface ScriptModulesParts {
  readonly files: ModuleFiles;
  tableOf(path: string): NameTable | undefined;
  /** Where files are by now that are not where they were: old paths to present ones. */
  readonly moved: ReadonlyMap<string, string>;
}

/** How many files a name is followed through that pass it on. */
const maxHops = 6;

/** Where what a script's modules export comes from. It is true for one moment of the workspace. */
export class ScriptModules {
  readonly #parts: ScriptModulesParts;
  /** The present paths of moved files by their old ones, without endings, and their old paths. */
  readonly #movedTo: ReadonlyMap<string, string>;
  readonly #movedFrom: ReadonlyMap<string, string>;

  constructor(parts: ScriptModulesParts) {
    this.#parts = parts;
    this.#movedTo = new Map([...parts.moved].map(([from, to]) => [modulePath(from), to]));
    this.#movedFrom = new Map([...parts.moved].map(([from, to]) => [to, from]));
  }

  /** The file that a module's name means in another file. */
  fileOf(specifier: string, from: string): string | undefined {
    return this.#parts.files.fileOf(specifier, from);
  }

  /** Paths that a module's name may mean in another file by what a compiler is told, whether there is a file or not. */
  pathsOf(specifier: string, from: string): readonly string[] {
    return this.#parts.files.pathsOf(specifier, from);
  }

  /** Whether what a module exports by one of these names is what the file at `target` exports by one of them. */
  leadsTo(specifier: string, from: string, target: string, names: readonly string[]): boolean {
    const file = this.#meant(specifier, from);
    if (file !== undefined) return this.#passesOn(file, target, names, maxHops);
    // Where nobody says which file is meant, packages of the workspace go by their names, and so do the names that bundlers have for folders.
    if (isRelative(specifier)) return false;
    const name = this.#parts.files.packageOf(target);
    if (name !== undefined && (specifier === name || specifier.startsWith(`${name}/`))) return true;
    const steps = specifier.replace(ending, "").split("/").slice(1);
    return steps.length > 0 && /^[@~#]?$|^[@~]\w*$/.test(specifier.split("/")[0]!) && endsWithSteps(target, steps);
  }

  /** Whether what a module exports as `space` is a module as a whole that exports by one of these names what the file at `target` does. */
  spaceLeadsTo(
    { specifier, space, from }: { readonly specifier: string; readonly space: string; readonly from: string },
    target: string,
    names: readonly string[],
  ): boolean {
    const file = this.originOf(specifier, from, space);
    const table = file === undefined ? undefined : this.#parts.tableOf(file);
    if (table === undefined) return false;
    const whole = table.named(space).find(({ role, isWhole }) => role === "exports" && isWhole === true)?.source;
    const binding = table.scopes[0]!.names.get(space);
    const imported = binding === undefined ? undefined : table.bindings[binding]!.imported;
    const source = whole ?? (imported?.name === "*" ? imported.source : undefined);
    return source !== undefined && this.leadsTo(source, file!, target, names);
  }

  /** Where something comes from that a file exports by one of these names: the file that declares it, as far as it is told. */
  originOf(specifier: string, from: string, name: string): string | undefined {
    let file = this.#meant(specifier, from);
    for (let hop = 0; file !== undefined && hop < maxHops; hop++) {
      const table = this.#parts.tableOf(file);
      if (table === undefined) return file;
      const passed = sourceOf(table, name);
      if (passed !== undefined) file = this.#meant(passed, file);
      else if (table.scopes[0]!.names.has(name) || table.passedOn.length === 0) return file;
      else {
        const here: string = file;
        const behind: (string | undefined)[] = table.passedOn.map((one) => this.#meant(one, here));
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

  /** The file that a module's name means, or meant before files were moved. */
  #meant(specifier: string, from: string): string | undefined {
    const file = this.fileOf(specifier, from);
    if (file !== undefined || this.#movedTo.size === 0) return file;
    const wasAt = this.#movedFrom.get(from);
    const paths = isRelative(specifier)
      ? [resolvedPath(from, specifier), ...(wasAt === undefined ? [] : [resolvedPath(wasAt, specifier)])]
      : this.pathsOf(specifier, from);
    const moved = paths.map((path) => (path === undefined ? undefined : this.#movedTo.get(modulePath(path))));
    return moved.find((path) => path !== undefined) ?? (wasAt && this.fileOf(specifier, wasAt));
  }

  #passesOn(file: string, target: string, names: readonly string[], hops: number): boolean {
    if (file === target) return true;
    if (hops === 0) return false;
    const table = this.#parts.tableOf(file);
    if (table === undefined) return false;
    const sources = new Set(table.passedOn);
    for (const name of names) {
      const source = sourceOf(table, name);
      if (source !== undefined) sources.add(source);
    }
    for (const source of sources) {
      const next = this.#meant(source, file);
      if (next !== undefined && this.#passesOn(next, target, names, hops - 1)) return true;
    }
    return false;
  }
}

/** The module that something comes from which a file exports by a name, where it is not the file's own. */
function sourceOf(table: NameTable, name: string): string | undefined {
  const passed = table
    .named(name)
    .find(({ role, source, isWhole }) => role === "exports" && source !== undefined && !isWhole);
  if (passed !== undefined) return passed.source;
  const binding = table.bindings[table.scopes[0]!.names.get(name) ?? -1];
  return binding?.isExported === true && binding.imported?.name !== "*" ? binding.imported?.source : undefined;
}

const ending = /\.[cm]?[jt]sx?$/;

function endsWithSteps(path: string, steps: readonly string[]): boolean {
  const own = path.replace(/(\.d)?\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "");
  return `/${own}`.endsWith(`/${steps.join("/").replace(/\/index$/, "")}`);
}
