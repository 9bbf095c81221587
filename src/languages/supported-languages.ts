import { languageTraits } from "../analysis/index.ts";
import { grammarOfLanguage } from "../grammar/index.ts";
import { hasTreeNames, nameResolution } from "../names/index.ts";
import { languages } from "../syntax/index.ts";
import { c, cpp } from "./c.ts";
import { csharp } from "./csharp.ts";
import { json, jsonc, sql, toml, yaml } from "./data.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import type { EngineSupport, LanguageSupport } from "./language-support.ts";
import { css, html, markdown, scss, svelte, vue } from "./markup.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { shellscript } from "./shell.ts";
import { javascript, javascriptreact, typescript, typescriptreact } from "./typescript.ts";

const engineSupport: Readonly<Record<string, EngineSupport>> = {
  ...{ typescript, typescriptreact, javascript, javascriptreact, vue, svelte },
  ...{ python, go, rust, java, c, cpp, csharp, ruby, php, shellscript },
  ...{ html, css, scss, markdown, json, jsonc, yaml, toml, sql },
};

/** The records of all languages of the registry, in its order. */
export const supportedLanguages: readonly LanguageSupport[] = languages.map((language) => {
  const { id } = language;
  const names = nameResolution(id);
  const grammar = grammarOfLanguage(id);
  return {
    ...engineSupport[id],
    language,
    traits: languageTraits(id),
    hasTreeNames: hasTreeNames(id),
    ...(names && { nameResolution: names }),
    ...(grammar && { grammar }),
  };
});

const byId = new Map(supportedLanguages.map((support) => [support.language.id, support]));

/** The record of a language by its id in the registry; `undefined` for an unknown one. */
export function languageSupport(id: string): LanguageSupport | undefined {
  return byId.get(id);
}
