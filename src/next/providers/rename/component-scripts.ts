/** The script of a component file. */
interface ComponentScript {
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
 * Everything else is blank, so that offsets stay.
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

/**
 * Converts a Vue template into a script that uses the same names at the same offsets with the same
 * scopes: each element is a block, `v-for` and slots declare in it, and expressions are statements.
 * A slot whose attribute has fewer than four characters (`#td`) has no room to declare anything.
 *
 * `<b v-for="x in list">{{ x }}</b>` becomes `{ ;let  x = list ; ;( x ); ; }`.
 */
export function templateScript(template: string): string {
  const made = template.replace(/[^\r\n]/g, " ").split("");
  const put = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) if (made[at + i] !== "\n" && made[at + i] !== "\r") made[at + i] = text[i]!;
  };
  for (const match of template.matchAll(piece)) {
    const at = match.index;
    const { expression, close, closed, open, opened, attributes } = match.groups!;
    if (expression !== undefined) {
      if (expression.trim() !== "") put(at, `;(${expression});`);
    } else if (close !== undefined) {
      if (isComponent.test(closed!)) put(at, `; ${closed}`);
      else put(at, ";");
      put(at + match[0].length - 1, "}");
    } else if (open !== undefined) {
      put(at, isComponent.test(opened!) ? `{${opened}` : "{");
      for (const attribute of attributes!.matchAll(attributeOf))
        putAttribute(at + open.length + attribute.index, attribute, put);
      const end = at + match[0].length - 1;
      const isClosed = match[0].endsWith("/>");
      if (isClosed) put(end - 1, ";");
      put(end, isClosed || hasNoEnd.test(opened!) ? "}" : ";");
    }
  }
  return made.join("");
}

type Put = (at: number, text: string) => void;

/** Writes an attribute whose value is script; other attributes are text. */
function putAttribute(at: number, attribute: RegExpMatchArray, put: Put): void {
  const { name, assign, value } = attribute.groups!;
  if (value === undefined || value.trim() === "") return;
  const equals = at + name!.length;
  const start = equals + assign!.length;
  if (name === "v-for") {
    const [, list, one, bare, word] =
      /^(\s*\(([^()]*)\)|\s*([^\s]+|\{[^}]*\}|\[[^\]]*\]))\s+(in|of)\s/.exec(value) ?? [];
    if (list === undefined) return;
    const rest = value.slice(list.length);
    put(at, ";let");
    put(start, bare === undefined ? `${" ".repeat(list.indexOf("("))}[${one}]` : list);
    put(start + list.length, rest.replace(word!, " =").replace(/^(\s*)\s=/, "$1= "));
    put(start + value.length, ";");
  } else if (/^(?:#|v-slot)/.test(name!)) {
    // The values of a slot are declared; an attribute name shorter than `;let` is left out.
    if (equals - at < 4) return;
    put(at, ";let");
    put(start, value);
    put(start + value.length, ";");
  } else if (/^(?:@|v-on)/.test(name!)) {
    put(equals, `;${" ".repeat(assign!.length - 2)}{${value}}`);
  } else if (/^(?::|v-)/.test(name!)) put(equals, `;${" ".repeat(assign!.length - 2)}(${value})`);
}

/** A comment, an expression in the text, the end of an element, or its beginning. */
const piece =
  /<!--[\s\S]*?(?:-->|$)|\{\{(?<expression>(?:(?!\{\{)[\s\S])*?)\}\}|(?<close><\/(?<closed>[\w$.-]+)\s*>)|(?<open><(?<opened>[A-Za-z][\w$.-]*))(?![\w$.-])(?<attributes>(?:"[^"]*"|'[^']*'|[^<>"'])*)>/g;
const attributeOf = /(?<name>[^\s=>/"']+)(?:(?<assign>\s*=\s*["'])(?<value>(?<=")[^"]*|(?<=')[^']*))?/g;
/** Elements that refer to a component of the script. Lower-case names are HTML elements. */
const isComponent = /^[A-Z][\w$]*(?:\.[\w$]+)*$/;
/** Elements without an end. Source: HTML, void elements. */
const hasNoEnd = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
