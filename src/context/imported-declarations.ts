import { LRUCache } from "lru-cache";
import { hasScripts, type Language, languageById, plaintext } from "../languages/index.ts";
import { ModuleResolver } from "../names/index.ts";
import { groupBy, type TextRange } from "../text/index.ts";
import type { CodeIndex } from "./code-index.ts";
import { type Declaration, declarationsOf } from "./declarations.ts";
import {
  csharpTargets,
  goTargets,
  type ImportReader,
  includeTargets,
  javaTargets,
  membersOf,
  pythonTargets,
  rustTargets,
} from "./import-targets.ts";
import { type ModuleExports, type ScriptImport, scriptExportsOf, scriptImportsOf } from "./script-imports.ts";

/** The declarations of one file that another one imports. */
export interface ImportedFile {
  readonly path: string;
  /** The names that are wanted of it, in the order in which they stand in `text`. */
  readonly names: readonly string[];
  /** Signatures and documentation, in the order of the file. */
  readonly text: string;
  /** How many lines `text` has. */
  readonly lines: number;
}

/** A place that imports. */
export interface ImportingPlace {
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  readonly text: string;
  /** The cursor's offset: what is used near it comes first. */
  readonly offset: number;
}

/**
 * What a file imports from the workspace, as far as an index has it: for TypeScript, JavaScript,
 * Python, Go, Java, Rust, C#, C and C++.
 *
 * Imports and declarations are found from words and brackets, so that a file that is being written
 * can be read as well as any. What was found of a file is remembered with its text, for 200 files.
 */
export class ImportedDeclarations {
  readonly #index: CodeIndex;
  readonly #files = new LRUCache<string, ReadFile>({ max: maxFiles });
  readonly #modules: ModuleResolver;

  constructor(index: CodeIndex) {
    this.#index = index;
    this.#modules = new ModuleResolver({
      get layout() {
        return index.layout;
      },
      ...{ paths: () => index.paths, has: (path) => index.has(path), textOf: (path) => index.text(path) },
    });
  }

  /**
   * The declarations of imported names, one entry a file, in at most `maxLines` lines in all; empty
   * for other languages. Names that are used nearest to the cursor come first; one that does not
   * fit is left out, and shorter ones after it may still fit. Only the first 200,000 UTF-16 units
   * of the text are read.
   */
  find(whole: ImportingPlace, maxLines: number): ImportedFile[] {
    const place = { ...whole, text: whole.text.slice(0, maxText) };
    const { imports } = languageById(place.language) ?? plaintext;
    const wanted = imports === undefined ? this.#scriptNames(place) : this.#otherNames(place, readers[imports]);
    const ranked = wanted
      .map((name, order) => ({ ...name, order, distance: distanceOf(place, name.local) }))
      .sort((one, other) => one.distance - other.distance || one.order - other.order);

    const chosen = new Map<string, Map<number, Declaration>>();
    let room = maxLines;
    for (const { path, declarations } of ranked) {
      const fresh = declarations.filter((one) => !chosen.get(path)?.has(one.start));
      const lines = fresh.reduce((sum, { text }) => sum + lineCount(text), 0);
      if (lines > room) continue;
      room -= lines;
      const ofFile = chosen.get(path) ?? new Map<number, Declaration>();
      for (const one of fresh) ofFile.set(one.start, one);
      if (ofFile.size > 0) chosen.set(path, ofFile);
    }
    return Array.from(chosen, ([path, ofFile]) => {
      const sorted = [...ofFile.values()].sort((one, other) => one.start - other.start);
      const text = sorted.map((one) => one.text).join("");
      return { path, names: sorted.map(({ name }) => name), text, lines: lineCount(text) };
    });
  }

  #scriptNames({ path, language, text }: ImportingPlace): WantedName[] {
    if (!hasScripts(language)) return [];
    return scriptImportsOf(text).flatMap((one) => this.#ofModule(one, path, text));
  }

  #ofModule({ specifier, names }: ScriptImport, from: string, text: string): WantedName[] {
    const path = this.#modules.resolve(specifier, from);
    if (path === undefined || path === from) return [];
    return names.flatMap(({ imported, local }) => {
      if (imported !== "*") return this.#follow(path, imported, local, new Set());
      return membersOf(text, local).flatMap((name) => this.#follow(path, name, name, new Set()));
    });
  }

  /** Goes from module to module to where a name is declared. */
  #follow(path: string, name: string, local: string, seen: Set<string>): WantedName[] {
    const step = `${path}\n${name}`;
    if (seen.has(step) || seen.size >= maxSteps) return [];
    seen.add(step);
    const file = this.#read(path);
    if (file === undefined) return [];
    const exported = file.exports.names.get(name);
    if (exported?.from !== undefined) {
      const next = this.#modules.resolve(exported.from, path);
      return next === undefined || exported.local === "*" ? [] : this.#follow(next, exported.local, local, seen);
    }
    const inside = exported?.local ?? name;
    const declarations = file.declarations.filter((one) => one.name === inside);
    if (declarations.length > 0) return [{ path, local, declarations }];
    // A name may have been imported in order to be exported.
    const passed = file.imports.find(({ names }) => names.some((one) => one.local === inside));
    if (passed !== undefined) {
      const next = this.#modules.resolve(passed.specifier, path);
      const { imported } = passed.names.find((one) => one.local === inside)!;
      return next === undefined || imported === "*" ? [] : this.#follow(next, imported, local, seen);
    }
    for (const star of name === "default" ? [] : file.exports.stars) {
      const next = this.#modules.resolve(star, path);
      const found = next === undefined ? [] : this.#follow(next, name, local, seen);
      if (found.length > 0) return found;
    }
    return [];
  }

  #otherNames(place: ImportingPlace, reader: ImportReader): WantedName[] {
    const { path, text } = place;
    const found: WantedName[] = [];
    for (const { paths, names } of reader(this.#index, path, text)) {
      let left = names;
      for (const one of paths) {
        const declarations = this.#read(one)?.declarations ?? [];
        const byName = groupBy(declarations, ({ name }) => name);
        for (const [name, ofName] of byName) {
          const isWanted = left === undefined ? distanceOf(place, name) < unused : left.includes(name);
          if (isWanted) found.push({ path: one, local: name, declarations: ofName });
        }
        left = left?.filter((name) => !byName.has(name));
        if (left?.length === 0) break;
      }
    }
    return found;
  }

  #read(path: string): ReadFile | undefined {
    const indexed = this.#index.file(path);
    if (indexed === undefined) return undefined;
    const known = this.#files.get(path);
    if (known?.text === indexed.text) return known;
    const { text, language } = indexed;
    const read = {
      text,
      declarations: declarationsOf(text, language),
      imports: hasScripts(language) ? scriptImportsOf(text) : [],
      exports: hasScripts(language) ? scriptExportsOf(text) : { names: new Map(), stars: [] },
    };
    this.#files.set(path, read);
    return read;
  }
}

/** How much of a file that imports is read, in UTF-16 units. */
const maxText = 200_000;
const maxFiles = 200;
/** Through how many modules a name is followed. */
const maxSteps = 30;

interface ReadFile {
  readonly text: string;
  readonly declarations: readonly Declaration[];
  readonly imports: readonly ScriptImport[];
  readonly exports: ModuleExports;
}

interface WantedName {
  readonly path: string;
  /** What the name is called where it is used. */
  readonly local: string;
  readonly declarations: readonly Declaration[];
}

/** By what the imports of a language name. */
const readers: Readonly<Record<NonNullable<Language["imports"]>, ImportReader>> = {
  modules: pythonTargets,
  packages: goTargets,
  classes: javaTargets,
  paths: rustTargets,
  namespaces: csharpTargets,
  includes: includeTargets,
};

/** What {@link distanceOf} answers for a name that is not used at all. */
const unused = 3;

/**
 * How far from the cursor a name is used, in steps, so that it hardly changes while typing: near,
 * on the page, beyond.
 */
function distanceOf({ text, offset }: ImportingPlace, name: string): number {
  const before = offset - lastUse(text, name, offset);
  const after = firstUse(text, name, offset) - offset;
  const distance = Math.min(before, after);
  return distance < 800 ? 0 : distance < 4_000 ? 1 : Number.isFinite(distance) ? 2 : unused;
}

function lastUse(text: string, name: string, offset: number): number {
  for (let at = text.lastIndexOf(name, offset); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(name, at - 1)) {
    if (isWhole(text, { start: at, end: at + name.length })) return at;
  }
  return Number.NEGATIVE_INFINITY;
}

function firstUse(text: string, name: string, offset: number): number {
  for (let at = text.indexOf(name, offset); at >= 0; at = text.indexOf(name, at + 1)) {
    if (isWhole(text, { start: at, end: at + name.length })) return at;
  }
  return Number.POSITIVE_INFINITY;
}

function isWhole(text: string, { start, end }: TextRange): boolean {
  return !/[\w$]/.test(text[start - 1] ?? "") && !/[\w$]/.test(text[end] ?? "");
}

function lineCount(text: string): number {
  return text.split("\n").length - 1;
}
