import { Reading, type ReadOracle } from "./oracle-reading.ts";
import { outputLines } from "./output-lines.ts";

/**
 * Reads the output of several tools in one, such as that of a script which runs a type checker, a linter and tests: each
 * reader is given what those before it left unread, and one that finds nothing leaves all of it to the next.
 */
export function readInTurn(readers: readonly ReadOracle[]): ReadOracle {
  return (output) => {
    const reading = new Reading();
    let rest = output;
    for (const read of readers) {
      const part = read(rest);
      if (part.findings.length === 0) continue;
      for (const found of part.findings) reading.add(found);
      reading.isCut ||= part.isCut;
      rest = part.unread.join("\n");
    }
    for (const line of outputLines(rest)) reading.leave(line);
    return reading.end();
  };
}
