import type { ComponentCode, ComponentCodeOptions } from "./component-code.ts";
import { svelteCode } from "./svelte-code.ts";
import { vueCode } from "./vue-code.ts";

type ComponentReader = (text: string, options: ComponentCodeOptions) => ComponentCode | undefined;

/** The readers of components by language, which are the compilers of Vue and Svelte. */
const openReader: Readonly<Record<string, () => Promise<ComponentReader>>> = {
  vue: async () => {
    const compiler = await import("@vue/compiler-dom");
    return (text, options) => vueCode(compiler, text, options);
  },
  svelte: async () => {
    const { parse } = await import("svelte/compiler");
    return (text, options) => svelteCode(parse, text, options);
  },
};

/** The parsers of component files. Each is loaded on demand. */
export class ComponentParsers {
  readonly #readers = new Map<string, ComponentReader>();

  /** Loads the parser of a language; nothing where it has none. Rejects where that fails. */
  async load(languageId: string): Promise<void> {
    const open = openReader[languageId];
    if (open !== undefined && !this.isLoaded(languageId)) this.#readers.set(languageId, await open());
  }

  /** Whether the parser of a language is loaded. */
  isLoaded(languageId: string): boolean {
    return this.#readers.has(languageId);
  }

  /**
   * Returns the code of a component file; `undefined` where the parser of its language is not
   * loaded. Never throws: of a broken template it has what can be read.
   */
  tryCode(languageId: string, text: string, options: ComponentCodeOptions = {}): ComponentCode | undefined {
    return this.#readers.get(languageId)?.(text, options);
  }
}
