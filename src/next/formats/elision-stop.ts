import { isElision } from "../../formats/index.ts";
import { Lines } from "../../text/index.ts";
import type { ReadEnd } from "../next-edit-format.ts";
import type { NextEditScene } from "../next-edit-scene.ts";
import type { LinesEnd } from "../stream-diff.ts";

/**
 * Passes the lines of an answer on up to the first that stands for lines which it leaves out, such as `// ... rest unchanged`, and cuts it there: taken as it is, that line would
 * come in the place of all that it stands for.
 *
 * A line that the scene's file has too is code, whatever it looks like.
 */
export class ElisionStop {
  /** Why the answer was cut, if it was. */
  end: Extract<ReadEnd, { kind: "unreadable" }> | undefined;
  readonly #scene: Pick<NextEditScene, "text" | "path">;

  constructor(scene: Pick<NextEditScene, "text" | "path">) {
    this.#scene = scene;
  }

  /** The lines, with how they end. */
  async *lines(lines: AsyncGenerator<string, LinesEnd>): AsyncGenerator<string, LinesEnd> {
    try {
      for (;;) {
        const next = await lines.next();
        if (next.done) return next.value;
        if (this.#standsForOthers(next.value)) {
          const said = JSON.stringify(next.value.trim());
          this.end = {
            kind: "unreadable",
            message: `The answer says ${said} in the place of lines that it leaves out.`,
          };
          return "cut";
        }
        yield next.value;
      }
    } finally {
      await lines.return("cut");
    }
  }

  #standsForOthers(line: string): boolean {
    const { text, path } = this.#scene;
    if (!isElision(line, path)) return false;
    const known = Lines.of(text);
    const said = line.trim();
    for (let i = 0; i < known.count; i++) if (known.text(i).trim() === said) return false;
    return true;
  }
}
