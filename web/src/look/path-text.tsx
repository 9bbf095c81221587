import type { JSX } from "preact";

/**
 * A path on one line. Where the path is too long, its folders are cut before the name of the file.
 */
export function PathText({ path }: { readonly path: string }): JSX.Element {
  const nameStart = path.lastIndexOf("/") + 1;
  return (
    <span class="path" title={path}>
      <span class="one-line path-folders">{path.slice(0, nameStart)}</span>
      <span class="one-line">{path.slice(nameStart)}</span>
    </span>
  );
}
