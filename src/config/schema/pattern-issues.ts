import { parseModelName } from "../../model/index.ts";
import { languageById, languages } from "../../syntax/index.ts";
import { isGlob, tryPathGlobIssue } from "../../workspace/index.ts";

/**
 * What is wrong with a key of `folders`, with the form that works; `undefined` where it works.
 * Folders are globs from the workspace's root.
 */
export function tryFolderIssue(key: string): string | undefined {
  const issue = tryPathIssue(key, "A folder", "vendor");
  if (issue !== undefined) return issue;
  if (/^(?:\.?\/*|\.\/+)$/.test(key)) return "For the whole workspace write `**`.";
  return undefined;
}

/** As {@link tryFolderIssue} for a key of `fileTypes`: the ending of a name, or a glob. */
export function tryFileTypeIssue(key: string): string | undefined {
  const issue = tryPathIssue(key, "A file type", ".md");
  if (issue !== undefined) return issue;
  if (key.trim() === "") return "A file type is the ending of a name: write for example `.md`.";
  const language = languageById(key);
  const { extensions = [], filenames = [] } = language ?? {};
  const isEnding = [...extensions, ...filenames].some((name) => name.toLowerCase().endsWith(key.toLowerCase()));
  if (language === undefined || isEnding || extensions.length === 0) return undefined;
  return `No file's name ends with \`${key}\`, which is a language: write \`${extensions[0]}\`, or \`${key}\` in \`languages\`.`;
}

function tryPathIssue(key: string, what: string, example: string): string | undefined {
  if (/^[A-Za-z]:[\\/]/.test(key) || /^~(?:[\\/]|$)/.test(key)) {
    return `${what} is named from the workspace's root: write for example \`${example}\`.`;
  }
  const slashed = key.replaceAll("\\", "/");
  const form = slashed
    .replace(/^!/, "")
    .replace(/^\/+/, "")
    .replace(/\/{2,}/g, "/");
  if (/(?:^|\/)\.\.(?:\/|$)/.test(slashed)) {
    return `${what} is named from the workspace's root, without \`..\`: write for example \`${example}\`.`;
  }
  if (form === "" && slashed !== "") return "For the whole workspace write `**`.";
  if (slashed.startsWith("!")) return `A pattern with \`!\` does nothing: write \`${form}\` with the opposite value.`;
  if (slashed !== key) return `Names are separated by \`/\`: write \`${form}\`.`;
  if (!key.startsWith("/") && form !== key) return `A name between slashes is empty: write \`${form}\`.`;
  if (form !== key) return `${what} is named from the workspace's root without a slash in front: write \`${form}\`.`;
  return isGlob(key) ? tryPathGlobIssue(key) : undefined;
}

/**
 * As {@link tryFolderIssue} for a key of `languages`: the id of a language, which only the editor
 * may know, or `*`.
 */
export function tryLanguageIssue(key: string): string | undefined {
  if (key === "*" || languageById(key) !== undefined) return undefined;
  const bare = key.replace(/^(?:\*\*\/)?\*?\./, "").toLowerCase();
  const spelt = bare.replace(/[ _-]/g, "");
  const ending = editorLanguages.has(bare) ? undefined : `.${bare}`;
  const meant =
    languages.find(({ id, name }) => id === spelt || id === bare || name.toLowerCase() === bare) ??
    languageById(otherNames[bare] ?? "") ??
    languages.find(({ extensions }) => ending !== undefined && extensions.includes(ending));
  if (meant !== undefined) return `There is no language \`${key}\`. Did you mean \`${meant.id}\`?`;
  if (!isGlob(key) && !/[\\/]/.test(key)) return undefined;
  return `\`${key}\` is a pattern, and languages are named one by one, such as \`typescript\`; \`*\` stands for all others. For files write \`fileTypes\` or \`folders\`.`;
}

/** What languages are called besides their ids and endings. */
const otherNames: Readonly<Record<string, string>> = {
  golang: "go",
  shell: "shellscript",
  "shell script": "shellscript",
  node: "javascript",
  nodejs: "javascript",
  "objective c": "objective-c",
  text: "plaintext",
};

/** Endings of names that are ids of languages too, of editors or of their extensions. */
const editorLanguages: ReadonlySet<string> = new Set([
  ...["bats", "cake", "conf", "cfg", "editorconfig", "edn", "gradle", "har", "hcl", "ipynb", "log", "m", "mdx"],
  ...["proto", "svg", "targets", "text", "tfvars", "xsl"],
]);

/** As {@link tryFolderIssue} for a key of `models`: the whole name of a model. */
export function tryModelKeyIssue(key: string): string | undefined {
  const issue = parseModelName(key).issues[0];
  if (issue !== undefined) return issue.message;
  return key.includes("*") ? "A pattern names no model: write each model's whole name, as in `model`." : undefined;
}

/**
 * As {@link tryFolderIssue} for a header of `headers` and its value: with a character that HTTP
 * does not allow, no request can be sent.
 */
export function tryHeaderIssue(name: string, value: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return "A header's name has letters, digits and `-`: write for example `X-Team`.";
  }
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return undefined;
  return "A header's value is one line of Latin letters, digits and signs. Take out all other characters.";
}

/**
 * As {@link tryFolderIssue} for a folder of `trust`: an absolute path, or one from the person's
 * home.
 */
export function tryTrustIssue(folder: string): string | undefined {
  const slashed = folder.replaceAll("\\", "/");
  let end = slashed.length;
  while (slashed[end - 1] === "*" || slashed[end - 1] === "/") end--;
  const hasStars = slashed.slice(end).includes("*");
  const isAbsolute = /^(?:\/|~(?:\/|$)|[A-Za-z]:\/)/.test(slashed);
  if (hasStars && isAbsolute) {
    return `A folder is trusted with all below it: write \`${slashed.slice(0, end) || "/"}\`.`;
  }
  if (isAbsolute) return undefined;
  return `A folder is trusted by its absolute path: write for example \`~/${slashed.replace(/^\.\//, "") || "work"}\`.`;
}
