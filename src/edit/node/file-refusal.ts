/** Why a file is not read for an edit, or not written. */
export type FileRefusalKind =
  /** There is nothing at the path. */
  | "missing"
  | "folder"
  /** A pipe, a socket or a device. */
  | "special"
  /** The path leads out of the workspace, by itself or by a link. */
  | "outside"
  /** A link to nothing, or back to itself. */
  | "broken-link"
  /** A link where only a file can be: one that is to be moved. */
  | "link"
  | "secret"
  /** It belongs to git, or another system of its kind. */
  | "version-control"
  | "binary"
  | "not-utf-8"
  | "oversized"
  | "no-permission"
  | "read-only"
  /** It is to be put in what is no folder. */
  | "no-folder"
  /** There is a file already where one is to be put. */
  | "exists"
  /** There is a file already whose name differs by upper and lower case only. */
  | "case-collision"
  /** Two paths lead to one file. */
  | "same-file"
  /** The new text has half a character, which no file can hold. */
  | "half-character"
  | "disk-failed";

/** A file that is not read or written, in words for a person. */
export interface FileRefusal {
  readonly kind: FileRefusalKind;
  /** As it was asked for. */
  readonly path: string;
  /** What speaks against it: a clause without a full stop. */
  readonly message: string;
  /** What a person can do about it: a sentence. */
  readonly cure: string;
}

/** A refusal of `path`; `detail` is what its words need to know. */
export function fileRefusal(kind: FileRefusalKind, path: string, detail = ""): FileRefusal {
  const [message, cure] = words[kind](detail);
  return { kind, path, message, cure };
}

/** One line, such as `a.ts is read-only. Make it writable first.` */
export function printFileRefusal({ path, message, cure }: FileRefusal): string {
  return `${path} ${message}. ${cure}`;
}

const words: Readonly<Record<FileRefusalKind, (detail: string) => readonly [message: string, cure: string]>> = {
  missing: () => ["is not there", "Check its name; paths start at the workspace's root."],
  folder: () => ["is a folder", "Name the files in it."],
  special: () => ["is neither a file nor a folder", "Only files can be edited."],
  outside: (target) => [
    `leads out of the workspace${target && `, to ${target}`}`,
    "Edit it from a workspace that holds it.",
  ],
  "broken-link": () => ["is a link that leads nowhere", "Mend the link, or remove it."],
  link: () => ["is a link and cannot be moved", "Move what it leads to, or make a new link."],
  secret: (by) => [`is secret by ${by}`, "Secret files are never read and never written; edit it by hand."],
  "version-control": (folder) => [`belongs to ${folder}`, "Use the version control system's own commands."],
  binary: (detail) => [`is not text: ${detail}`, "Only text can be edited."],
  "not-utf-8": (detail) => [`is not UTF-8: ${detail}`, "Convert it to UTF-8 first, for instance with iconv."],
  oversized: (detail) => [`is too large: ${detail}`, "Split it, or edit it by hand."],
  "no-permission": () => ["may not be opened by you", "Give yourself the permission to read and write it."],
  "read-only": () => ["is read-only", "Make it writable first, for instance with chmod u+w."],
  "no-folder": (path) => [`cannot be made, since ${path} is no folder`, "Choose another place."],
  exists: () => ["is there already", "Edit it, or choose another name."],
  "case-collision": (name) => [`differs from ${name} by upper and lower case only`, "Choose another name."],
  "same-file": (other) => [`is the same file as ${other}`, "Name it by one path only."],
  "half-character": () => ["would hold half a character (a lone surrogate)", "Ask for the edit again."],
  "disk-failed": (detail) => [`could not be opened: ${detail}`, "Try again when the disk answers."],
};
