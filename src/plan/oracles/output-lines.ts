/**
 * Control sequences of terminals: colours, cursor movements, titles and links. Source: ECMA-48,
 * sections 5.3 to 5.6.
 */
const terminalControls = new RegExp(
  [
    "\\u001b\\[[0-?]*[ -/]*[@-~]",
    "\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)",
    "\\u001b[ -/]*[0-~]",
    "\\u0007",
  ].join("|"),
  "g",
);

/** Longer lines, in characters, are not written for people; patterns are not tried on the rest. */
const longestLine = 20_000;

/** `text` without the control sequences of a terminal. */
export function withoutControls(text: string): string {
  return text.includes("\u001b") || text.includes("\u0007") ? text.replace(terminalControls, "") : text;
}

/**
 * The lines of an output as a terminal shows them: without colours and without text that a carriage
 * return overwrites. Lines of more than 20,000 characters are cut and end with `…`.
 */
export function outputLines(output: string): readonly string[] {
  if (output === "") return [];
  return withoutControls(output)
    .split("\n")
    .map((line) => {
      const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
      const shown = bare.slice(bare.lastIndexOf("\r") + 1);
      return shown.length > longestLine ? `${shown.slice(0, longestLine)} …` : shown;
    });
}
