/** The parts of a page. */
export interface HtmlPageParts {
  /** Plain text, not escaped. */
  readonly title: string;
  /** CSS and JavaScript without `<`, `>` and `&`, so that they are the same in HTML and XML. */
  readonly style: string;
  readonly script: string;
  /** The content of `<body>`, well-formed as XML. */
  readonly body: string;
  /** The interval in seconds at which the page reloads; default: never. */
  readonly reloadSeconds?: number | undefined;
}

/**
 * A self-contained page that may load nothing: no library, no network, no other file. The title is
 * escaped; style, script and body are inserted as they are. It is also well-formed as XML.
 */
export function htmlPage({ title, style, script, body, reloadSeconds }: HtmlPageParts): string {
  const reload = reloadSeconds === undefined ? "" : `\n<meta http-equiv="refresh" content="${reloadSeconds}" />`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'" />${reload}
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
}

/** A text of at most `most` UTF-16 units, cut at its end. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** A text of at most `most` UTF-16 units, cut at its beginning. */
export function cutLeft(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(1 - most)}`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for HTML and XML; characters that XML does not allow are replaced by U+FFFD. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, "\ufffd");
}
