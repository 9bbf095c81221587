/** Colours and movements of the cursor, and titles and links of terminals. Source: ECMA-48, sections 5.3 to 5.6. */
const terminalControls = new RegExp(
  [
    "\\u001b\\[[0-?]*[ -/]*[@-~]",
    "\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)",
    "\\u001b[ -/]*[0-~]",
    "\\u0007",
  ].join("|"),
  "g",
);

/** A line of more characters is no line that a tool writes for people; patterns are not tried on it. */
const longestLine = 20_000;

/** `text` without colours and other controls of a terminal. */
export function withoutControls(text: string): string {
  return text.includes("\u001b") || text.includes("\u0007") ? text.replace(terminalControls, "") : text;
}

/**
 * The lines of an output as one would see them in a terminal: without colours, without what a carriage return has
 * overwritten, and with a mark where a line is cut at 20,000 characters.
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
