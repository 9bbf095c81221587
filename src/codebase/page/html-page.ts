/** What a page is made of. */
export interface HtmlPageParts {
  /** As people read it. */
  readonly title: string;
  /**
   * CSS and JavaScript in which no `<`, `>` or `&` stands, so that they mean the same in HTML and
   * XML.
   */
  readonly style: string;
  readonly script: string;
  /** The text between `<body>` and `</body>`, well-formed as XML. */
  readonly body: string;
  /** After so many seconds the page is loaded again; default: never. */
  readonly reloadSeconds?: number | undefined;
}

/**
 * A page that needs nothing else and may ask for nothing else: no library, no network, no file
 * beside it. It is well-formed as XML, too.
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

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text as HTML and XML have it; characters that XML does not know become a sign for them. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, "\ufffd");
}
