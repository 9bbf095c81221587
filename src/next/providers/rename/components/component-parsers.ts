import type { parse as parseSvelte } from "svelte/compiler";
import type { ComponentCode, ComponentCodeOptions } from "./component-code.ts";
import { svelteCode } from "./svelte-code.ts";
import { type VueCompiler, vueCode } from "./vue-code.ts";

/** Whether a language's files are components with scripts in tags: Vue and Svelte. */
export function isComponentLanguage(languageId: string): boolean {
  return languageId === "vue" || languageId === "svelte";
}

/**
 * The parsers of component files, which are the compilers of Vue and Svelte. Each is loaded on
 * demand.
 */
export class ComponentParsers {
  #vue: VueCompiler | undefined;
  #parseSvelte: typeof parseSvelte | undefined;

  /** Loads the parser of a language; nothing where it has none. Rejects where that fails. */
  async load(languageId: string): Promise<void> {
    if (languageId === "vue") this.#vue ??= await import("@vue/compiler-dom");
    if (languageId === "svelte") this.#parseSvelte ??= (await import("svelte/compiler")).parse;
  }

  /** Whether the parser of a language is loaded. */
  isLoaded(languageId: string): boolean {
    return (languageId === "vue" ? this.#vue : this.#parseSvelte) !== undefined;
  }

  /**
   * Returns the code of a component file; `undefined` where the parser of its language is not
   * loaded. Never throws: of a broken template it has what can be read.
   */
  tryCode(languageId: string, text: string, options: ComponentCodeOptions = {}): ComponentCode | undefined {
    if (languageId === "vue") return this.#vue && vueCode(this.#vue, text, options);
    return this.#parseSvelte && svelteCode(this.#parseSvelte, text, options);
  }
}
