/**
 * Converts a Vue template into a script that uses the same names at the same offsets with the same
 * scopes: each element is a block, `v-for` and slots declare in it, and expressions are statements.
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
