import { templateScript } from "./vue-template.ts";

/** The script of a component file. */
export interface ComponentScript {
  /** As long as the file, with blanks in place of everything else, so that offsets are the same. */
  readonly text: string;
  readonly kind: "ts" | "tsx";
}

/** Whether a language's files are components with scripts in tags: Vue and Svelte. */
export function isComponentLanguage(languageId: string): boolean {
  return languageId === "vue" || languageId === "svelte";
}

/**
 * Yields the scripts of a component file as one text, the most complete reading first: with the
 * template where it uses the script's names, as in Vue's `<script setup>`; then without it.
 *
 * Source: Vue, [single-file components](https://vuejs.org/api/sfc-spec.html).
 */
export function* componentScripts(languageId: string, text: string): Generator<ComponentScript> {
  const scripts: { readonly start: number; readonly end: number }[] = [];
  let kind: ComponentScript["kind"] = "ts";
  let isSetup = false;
  for (const match of text.matchAll(script)) {
    const start = match.index + match[0].length;
    const close = text.indexOf("</script", start);
    if (close < 0 || (scripts.at(-1)?.end ?? 0) > start) continue;
    scripts.push({ start, end: close });
    if (/\blang=["']?[tj]sx/.test(match[1]!)) kind = "tsx";
    if (/\bsetup\b/.test(match[1]!)) isSetup = true;
  }
  const parts = scripts.map(({ start, end }) => ({ start, text: text.slice(start, end) }));
  const template = languageId === "vue" && isSetup ? templateOf(text) : undefined;
  if (template !== undefined) {
    const shown = { start: template.start, text: templateScript(text.slice(template.start, template.end)) };
    yield { text: blankBut(text, [...parts, shown]), kind };
  }
  yield { text: blankBut(text, parts), kind };
}

const script = /^[ \t]*<script\b((?:"[^"]*"|'[^']*'|[^<>"'])*)>/gm;

/**
 * The range between the outermost tags of an HTML template; `undefined` where there is none, or
 * where it is in another language.
 */
function templateOf(text: string): { readonly start: number; readonly end: number } | undefined {
  const open = /^<template\b((?:"[^"]*"|'[^']*'|[^<>"'])*)>/m.exec(text);
  const end = text.lastIndexOf("</template>");
  if (open === null || /\blang=/.test(open[1]!)) return undefined;
  const start = open.index + open[0].length;
  return end < start ? undefined : { start, end };
}

/** Returns blanks as long as a text, with its line breaks and with parts in their places. */
function blankBut(text: string, parts: readonly { readonly start: number; readonly text: string }[]): string {
  const sorted = [...parts].sort((one, other) => one.start - other.start);
  let made = "";
  for (const part of sorted) made += blank(text.slice(made.length, part.start)) + part.text;
  return made + blank(text.slice(made.length));
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}
