import type { Diagnostic } from "../text/index.ts";

/**
 * A syntax error: something unexpected, something missing (an empty range), or a violated rule in a
 * text that does parse. `misplaced` is the rule where `return`, `yield`, `await`, `break` and
 * `continue` may stand: no text behind one of them puts it right.
 */
export type SyntaxDiagnostic = Diagnostic<"unexpected" | "missing" | "invalid" | "misplaced">;
