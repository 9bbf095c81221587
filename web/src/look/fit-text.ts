let family: string | undefined;
const context = document.createElement("canvas").getContext("2d")!;

/** How a text is cut: after its start, or before its end, as for the name of a file in a path. */
export type KeptPart = "start" | "end";

/** The width of a text in pixels, in a font as for {@link fitText}. */
export function textWidthOf(text: string, font: string): number {
  family ??= getComputedStyle(document.documentElement).getPropertyValue("--font");
  context.font = `${font} ${family}`;
  return context.measureText(text).width;
}

/**
 * Cuts a text so that it is at most `width` pixels wide, with an ellipsis where something is cut.
 * `font` is a CSS font without its family, which is the one of the page: `600 12px`.
 */
export function fitText(text: string, width: number, font: string, kept: KeptPart = "start"): string {
  const characters = [...text];
  const cutTo = (count: number) => {
    if (count === characters.length) return text;
    return kept === "start"
      ? `${characters.slice(0, count).join("")}…`
      : `…${characters.slice(characters.length - count).join("")}`;
  };
  let [fitting, most] = [0, characters.length];
  while (fitting < most) {
    const count = Math.ceil((fitting + most) / 2);
    if (textWidthOf(cutTo(count), font) <= width) fitting = count;
    else most = count - 1;
  }
  return cutTo(fitting);
}
