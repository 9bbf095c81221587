import type { Options } from "prettier";
import { languageById } from "../../languages/index.ts";
import type { CodeStyle } from "./code-style.ts";

/** Formats code. */
export interface CodeFormatter {
  /** Whether it formats a language, by its id. */
  knows(language: string): boolean;
  /** Formats whole statements in a style; `undefined` where they cannot be parsed. */
  format(code: string, language: string, style: CodeStyle): Promise<string | undefined>;
}

/** Prettier's parser of a language, where it is TypeScript or JavaScript. */
function tryParser(language: string): string | undefined {
  const script = languageById(language)?.script;
  return script && (script.startsWith("ts") ? "babel-ts" : "babel");
}

/**
 * Returns Prettier as a formatter of JavaScript and TypeScript. It is loaded on first use; `format`
 * rejects where that fails, and resolves to `undefined` for other languages and code that cannot be
 * parsed.
 */
export function prettierFormatter(): CodeFormatter {
  let loading: ReturnType<typeof load> | undefined;
  return {
    knows: (language) => tryParser(language) !== undefined,
    async format(code, language, style) {
      const parser = tryParser(language);
      if (parser === undefined) return undefined;
      loading ??= load();
      const { format, plugins } = await loading;
      const options: Options = {
        ...style.options,
        ...{ parser, plugins, printWidth: style.width, semi: style.semicolons, singleQuote: style.singleQuotes },
        ...(style.indent === "tab" ? { useTabs: true } : { tabWidth: style.indent }),
        trailingComma: style.trailingCommas,
        arrowParens: style.arrowParentheses ? "always" : "avoid",
        bracketSpacing: style.bracketSpacing,
      };
      return format(code, options).catch(() => undefined);
    },
  };
}

async function load() {
  const [{ format }, babel, estree] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/babel"),
    import("prettier/plugins/estree"),
  ]);
  return { format, plugins: [babel, estree] };
}
