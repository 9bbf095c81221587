import { isRelative, resolvedPath } from "../workspace/index.ts";
import type { ModuleResolver } from "./modules/module-resolver.ts";
import { modulePath } from "./modules/specifier.ts";
import type { NameTable } from "./name-table.ts";

/** The dependencies of {@link ScriptModules}. */
export interface ScriptModulesParts {
  readonly resolver: ModuleResolver;
  tableOf(path: string): NameTable | undefined;
  /** The present paths of moved files, by their old paths. */
  readonly moved: ReadonlyMap<string, string>;
}

/** The most files through which a re-exported name is followed. */
const maxHops = 6;

/** Finds where the exports of script modules are declared. Valid for one state of the workspace. */
export class ScriptModules {
  readonly #parts: ScriptModulesParts;
  /**
   * The present paths of moved files by their old ones, without extensions, and the old paths by
   * the present ones.
   */
  readonly #movedTo: ReadonlyMap<string, string>;
  readonly #movedFrom: ReadonlyMap<string, string>;

  constructor(parts: ScriptModulesParts) {
    this.#parts = parts;
    this.#movedTo = new Map([...parts.moved].map(([from, to]) => [modulePath(from), to]));
    this.#movedFrom = new Map([...parts.moved].map(([from, to]) => [to, from]));
  }

  /**
   * Returns the file that a module name refers to in another file; `undefined` where it cannot be
   * resolved.
   */
  fileOf(specifier: string, from: string): string | undefined {
    return this.#parts.resolver.resolve(specifier, from);
  }

  /**
   * Returns the paths that a module name may refer to in another file by the compiler's settings,
   * whether the files exist or not.
   */
  pathsOf(specifier: string, from: string): readonly string[] {
    return this.#parts.resolver.candidates(specifier, from);
  }

  /**
   * Whether a module's export by one of these names is the export of the file at `target` by one of
   * them.
   */
  leadsTo(specifier: string, from: string, target: string, names: readonly string[]): boolean {
    const file = this.#meant(specifier, from);
    if (file !== undefined) return this.#passesOn(file, target, names, maxHops);
    // Where the name cannot be resolved, compare it with the package name of the target and with
    // the usual folder aliases of bundlers.
    if (isRelative(specifier)) return false;
    const name = this.#parts.resolver.packageOf(target);
    if (name !== undefined && (specifier === name || specifier.startsWith(`${name}/`))) return true;
    const steps = specifier.replace(ending, "").split("/").slice(1);
    return steps.length > 0 && /^[@~#]?$|^[@~]\w*$/.test(specifier.split("/")[0]!) && endsWithSteps(target, steps);
  }

  /**
   * Whether a module's export `space` is another module as a whole whose exports by one of these
   * names are those of the file at `target`.
   */
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

  /**
   * Returns the file that declares what a module exports by a name, as far as it can be followed;
   * `undefined` otherwise.
   */
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

  /** Whether a file exports a name that it declares or re-exports by name. */
  exportsName(path: string, name: string): boolean {
    const table = this.#parts.tableOf(path);
    if (table === undefined) return false;
    const binding = table.scopes[0]!.names.get(name);
    if (binding !== undefined && table.bindings[binding]!.isExported) return true;
    return table.named(name).some(({ role }) => role === "exports");
  }

  /** Resolves a module name, also as it was before files were moved. */
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

/**
 * Returns the module that a file re-exports a name from; `undefined` where it is the file's own.
 */
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
