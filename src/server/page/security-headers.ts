/**
 * The security headers of an answer: load only from this server, run no inline scripts, guess no
 * types, send no referrer, and allow no frames.
 *
 * Inline styles are allowed, since the editor computes them, as are workers from blobs, and fonts
 * and pictures in style sheets. `host` is that of the request, such as `127.0.0.1:8080`: for old
 * browsers `'self'` does not include WebSockets.
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

/** The part of {@link securityHeaders} that refused requests get too. */
export const always: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
