import type { Language, Pair, StringRule } from "./languages.ts";

/** What may begin at a character: tried in order, the first that fits is taken. */
export type Trigger =
  | { readonly kind: "line-comment"; readonly open: string }
  | { readonly kind: "block-comment"; readonly pair: Pair }
  | { readonly kind: "literal"; readonly pattern: RegExp }
  | { readonly kind: "string"; readonly rule: StringRule }
  | { readonly kind: "heredoc"; readonly pattern: RegExp }
  | { readonly kind: "regex" }
  | { readonly kind: "percent" }
  | { readonly kind: "quote-run" }
  | { readonly kind: "expansion" }
  | { readonly kind: "case" }
  | { readonly kind: "jsx" }
  | { readonly kind: "island-end" }
  | { readonly kind: "line-end" }
  | { readonly kind: "open"; readonly close: number }
  | { readonly kind: "close"; readonly open: number };

/** A language's row in the form the scanner reads: what may begin at each ASCII character. */
export interface ScanRules {
  readonly language: Language;
  readonly triggers: readonly (readonly Trigger[] | undefined)[];
}

const known = new WeakMap<Language, ScanRules>();

/** The rules of a language, made once. */
export function scanRules(language: Language): ScanRules {
  let rules = known.get(language);
  if (rules === undefined) {
    rules = { language, triggers: triggersOf(language) };
    known.set(language, rules);
  }
  return rules;
}

function triggersOf(language: Language): (Trigger[] | undefined)[] {
  const triggers: (Trigger[] | undefined)[] = new Array(128).fill(undefined);
  const add = (characters: string, trigger: Trigger) => {
    for (const character of characters) {
      const code = character.charCodeAt(0);
      triggers[code] = [...(triggers[code] ?? []), trigger];
    }
  };
  const { quirks } = language;
  if (quirks.heredoc) add("\n", { kind: "line-end" });
  if (quirks.island) add(quirks.island[1][0]!, { kind: "island-end" });
  for (const pair of [...language.blockComments].sort((a, b) => b[0].length - a[0].length)) {
    add(pair[0][0]!, { kind: "block-comment", pair });
  }
  for (const open of language.lineComments) add(open[0]!, { kind: "line-comment", open });
  for (const [first, pattern] of quirks.literals ?? []) add(first, { kind: "literal", pattern: sticky(pattern) });
  if (quirks.quoteRuns) add('$"', { kind: "quote-run" });
  if (quirks.heredoc) add("<", { kind: "heredoc", pattern: sticky(quirks.heredoc) });
  if (quirks.shell) {
    add("$", { kind: "expansion" });
    add("ce", { kind: "case" });
  }
  for (const rule of language.strings) add(rule.open[0]!, { kind: "string", rule });
  if (quirks.regex) add("/", { kind: "regex" });
  if (quirks.percentLiterals) add("%", { kind: "percent" });
  if (quirks.jsx) add("<", { kind: "jsx" });
  for (const [open, close] of language.brackets) {
    add(open, { kind: "open", close: close.charCodeAt(0) });
    add(close, { kind: "close", open: open.charCodeAt(0) });
  }
  return triggers;
}

function sticky(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags}y`);
}
