/**
 * What browsers are told with every answer: load nothing but from here, run nothing that is written into a page, guess no types,
 * tell no other site where the person comes from, and let nobody put the page into a frame of theirs.
 *
 * Styles may stand in elements, since the editor computes them; its workers may be made of text, and its fonts and pictures be
 * in its style sheets. `host` is that of the request, such as `127.0.0.1:8080`: old browsers do not count the socket as one's own.
 */
export function securityHeaders(host: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { "Content-Security-Policy": policy, ...always };
}

/** The part of {@link securityHeaders} that also those get who are refused. */
export const always: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
