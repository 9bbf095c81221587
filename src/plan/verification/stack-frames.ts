import type { FindingPlace } from "./finding.ts";

/**
 * The places in a stack trace, in the order of the text: frames of Node
 * (`at name (path:line:column)`, `❯ path:line:column`) and of Python (`File "path", line 3` and
 * pytest's `path:3: in name`). Frames in the code of Node, of Python and of installed packages are
 * left out. Lines and columns count from 0.
 */
export function stackFrames(stack: string): readonly FindingPlace[] {
  const frames: FindingPlace[] = [];
  for (const line of stack.split("\n")) {
    const match =
      /^\s*at (?:async )?(?:.*?\()?(?:file:\/\/(?=\/))?([^()\s][^()]*?):(\d+):(\d+)\)?\s*$/.exec(line) ??
      /^\s*❯ (?:.* )?(\S+?):(\d+):(\d+)\s*$/.exec(line) ??
      /^\s*File "(.+?)", line (\d+)/.exec(line) ??
      /^(\S.*?\.pyx?):(\d+): /.exec(`${line} `);
    if (match === null) continue;
    const [, path = "", row, column] = match;
    if (
      /^node:|[/\\]node_modules[/\\]|^node_modules[/\\]|^<|^internal[/\\]|[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python\d/.test(
        path,
      )
    )
      continue;
    frames.push({
      path: path.replaceAll("\\", "/"),
      line: Number(row) - 1,
      ...(column !== undefined && { column: Number(column) - 1 }),
    });
  }
  return frames;
}

/**
 * Splits frames into the first one in the file `path`, which the stack may write in another form,
 * and those in other files.
 */
export function splitFrames(
  frames: readonly FindingPlace[],
  path: string,
): { readonly own: FindingPlace | undefined; readonly others: readonly FindingPlace[] } {
  const file = path.replaceAll("\\", "/");
  const isOwn = (frame: FindingPlace) => endsWithPath(frame.path, file) || endsWithPath(file, frame.path);
  return { own: frames.find(isOwn), others: frames.filter((frame) => !isOwn(frame)) };
}

function endsWithPath(long: string, short: string): boolean {
  return long === short || long.endsWith(`/${short.replace(/^\.\//, "")}`);
}
