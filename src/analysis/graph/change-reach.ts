import { isScript, type ModuleFiles, ModuleResolver, mayDeclareForAll, moduleNamesIn } from "../../names/index.ts";
import { getOrInsert } from "../../text/index.ts";
import type { ChangedText } from "../../workspace/index.ts";
import { mayResolveTo } from "./file-state.ts";

/** Input of {@link scriptsInReach}. */
export interface ChangeReachRequest {
  readonly changed: ReadonlyMap<string, ChangedText>;
  /** The scripts of the workspace before the change, by path. */
  readonly scripts: ReadonlyMap<string, string>;
  /** The texts of files that configure scripts, by path. */
  readonly configs: ReadonlyMap<string, string>;
  /** Lets timers, signals and I/O run. */
  yieldThread(): Promise<void>;
}

/**
 * The scripts that a change of scripts may affect, by imports: those that import a changed one,
 * directly or through others, and the same of the classes and interfaces that a changed one extends
 * or implements; and the scripts that a changed one imports itself. `undefined` where all may be
 * affected, because a changed script declares names without an import.
 *
 * What is left out: what depends on a function only because that function is called differently by
 * a changed one.
 */
export async function scriptsInReach(request: ChangeReachRequest): Promise<ReadonlySet<string> | undefined> {
  const { changed, scripts, configs, yieldThread } = request;
  const texts = [...changed].flatMap(([path, { before, after }]) =>
    [before, after].flatMap((text) => (text !== undefined && isScript(path) ? [{ path, text }] : [])),
  );
  if (texts.some(({ path, text }) => mayDeclareForAll(path, text))) return undefined;
  const resolver = new ModuleResolver(filesOf(scripts, configs));
  const importers = new Map<string, Set<string>>();
  const unresolved = new Map<string, Set<string>>();
  let done = 0;
  for (const [path, text] of scripts) {
    if (++done % scriptsPerSlice === 0) await yieldThread();
    for (const specifier of moduleNamesIn(text)) {
      const target = resolver.resolve(specifier, path);
      if (target !== undefined) getOrInsert(importers, target, () => new Set()).add(path);
      else getOrInsert(unresolved, specifier, () => new Set()).add(path);
    }
  }
  const importsOf = (path: string, text: string) =>
    moduleNamesIn(text).flatMap((specifier) => resolver.resolve(specifier, path) ?? []);
  const reach = new Set<string>();
  const pending = [...changed.keys()].filter(isScript);
  for (const { path, text } of texts) {
    const imported = importsOf(path, text);
    pending.push(...basesOf(text, imported, { scripts, importsOf }));
    for (const one of imported) if (isScript(one)) reach.add(one);
  }
  const followed = new Set<string>();
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (followed.has(path)) continue;
    followed.add(path);
    if (scripts.has(path)) reach.add(path);
    pending.push(...(importers.get(path) ?? []));
    // A file that is added is what names mean that could not be resolved before.
    if (scripts.has(path)) continue;
    for (const [specifier, by] of unresolved) if (mayResolveTo(specifier, path)) pending.push(...by);
  }
  return reach;
}

const scriptsPerSlice = 50;

/**
 * The scripts that may declare what a text extends or implements: of the `imported` ones and those
 * that they export again, the ones that contain such a name, and the same of what these extend.
 */
function basesOf(
  text: string,
  imported: readonly string[],
  {
    scripts,
    importsOf,
  }: {
    readonly scripts: ReadonlyMap<string, string>;
    readonly importsOf: (path: string, text: string) => readonly string[];
  },
): readonly string[] {
  const bases = new Set<string>();
  const pending = [{ names: baseNames(text), files: imported }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one.names.length === 0) continue;
    const names = new RegExp(`\\b(?:${one.names.join("|")})\\b`);
    for (const path of one.files) {
      const found = scripts.get(path);
      if (found === undefined || bases.has(path)) continue;
      const declares = names.test(found);
      if (!declares && !/\bexport\s*\*/.test(found)) continue;
      bases.add(path);
      const inherited = declares ? [...new Set([...one.names, ...baseNames(found)])] : one.names;
      pending.push({ names: inherited, files: importsOf(path, found) });
    }
  }
  return [...bases];
}

function baseNames(text: string): readonly string[] {
  const lists = text.matchAll(/\b(?:extends|implements)\s+([^{]{1,500})/g);
  return [...new Set(Array.from(lists, ([, list]) => list!.match(/[A-Za-z_]\w*/g) ?? []).flat())];
}

function filesOf(scripts: ReadonlyMap<string, string>, configs: ReadonlyMap<string, string>): ModuleFiles {
  return {
    layout: 0,
    *paths() {
      yield* scripts.keys();
      yield* configs.keys();
    },
    has: (path) => scripts.has(path) || configs.has(path),
    textOf: (path) => scripts.get(path) ?? configs.get(path),
  };
}
