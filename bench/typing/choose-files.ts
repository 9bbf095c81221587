import { readSources, walkWorkspace } from "../../src/workspace/index.ts";
import { disk } from "../../src/workspace/node/index.ts";

/** A source file of a folder. */
export interface SourceFile {
  /** From the folder, with `/`. */
  readonly path: string;
  readonly language: string;
  readonly text: string;
}

/** A file is worth typing from so many UTF-16 units on, and up to so many. */
const typedLength = { min: 400, max: 4_000 };

/** Languages that are not typed for long. */
const prose: ReadonlySet<string> = new Set(["plaintext", "markdown", "json", "jsonc", "yaml", "toml"]);

/** All sources of a folder, as the tool reads them. */
export async function readFolder(root: string): Promise<SourceFile[]> {
  const paths: string[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: disk })) if (item.kind === "file") paths.push(item.path);
  const files: SourceFile[] = [];
  for await (const answer of readSources(root, paths, { fileSystem: disk })) {
    if (answer.kind === "source") files.push(answer);
  }
  return files;
}

/**
 * Files of code with at least so many characters together, evenly spread over all that are of a
 * size to be typed.
 */
export function chooseFiles(files: readonly SourceFile[], characters: number): SourceFile[] {
  const { min, max } = typedLength;
  const fitting = files.filter(
    ({ text, language }) => text.length >= min && text.length <= max && !prose.has(language),
  );
  const chosen: SourceFile[] = [];
  let left = characters;
  // Every so-manieth file, then those beside them, until there is enough.
  const step = Math.max(1, Math.floor(fitting.length / Math.ceil(characters / ((min + max) / 2))));
  for (let offset = 0; offset < step; offset += 1) {
    for (let index = offset; index < fitting.length && left > 0; index += step) {
      chosen.push(fitting[index]!);
      left -= fitting[index]!.text.length;
    }
  }
  return chosen;
}
