/** The code of the system for an error or its cause, empty where there is none, and the port. */
export function systemFailure(error: unknown): { readonly code: string; readonly port: number | undefined } {
  let cause = error;
  for (let depth = 0; depth < 5 && typeof cause === "object" && cause !== null; depth++) {
    const { code, port, cause: next, errors } = cause as Readonly<Record<string, unknown>>;
    // Of several addresses that were tried, the failure of the first is enough.
    const first = Array.isArray(errors) ? systemFailure(errors[0]) : undefined;
    if (typeof code === "string") return { code, port: typeof port === "number" ? port : first?.port };
    if (first !== undefined && first.code !== "") return first;
    cause = next;
  }
  return { code: "", port: undefined };
}
