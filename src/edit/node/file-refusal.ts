/** Why a file is not read for an edit, or not written. */
export type FileRefusalKind =
  /** There is nothing at the path. */
  | "missing"
  | "folder"
  /** A pipe, a socket or a device. */
  | "special"
  /** The path leads out of the workspace, by itself or through a link. */
  | "outside"
  /** A link to nothing, or to itself. */
  | "broken-link"
  /** A link where only a file is possible: one that is to be moved. */
  | "link"
  | "secret"
  /** It is listed by an ignore file for models. */
  | "ignored"
  /** It belongs to git or another version control system. */
  | "version-control"
  | "binary"
  | "not-utf-8"
  | "oversized"
  | "no-permission"
  | "read-only"
  /** Its parent path is not a folder. */
  | "no-folder"
  /** A file exists where one is to be created or moved to. */
  | "exists"
  /** A file exists whose name differs only in upper and lower case. */
  | "case-collision"
  /** Two paths lead to the same file. */
  | "same-file"
  /** It has hard links, which would keep the old text when a new file replaces it. */
  | "hard-link"
  /** The new text has a lone surrogate, which cannot be encoded. */
  | "half-character"
  | "disk-failed";

/** A file that is not read or written, with texts for a person. */
export interface FileRefusal {
  readonly kind: FileRefusalKind;
  /** The path as requested. */
  readonly path: string;
  /** What is wrong: a clause without a full stop. */
  readonly message: string;
  /** What a person can do about it: a sentence. */
  readonly cure: string;
}

/**
 * Creates a refusal of `path`; `detail`, whose meaning depends on the kind, is inserted into its
 * message.
 */
export function fileRefusal(kind: FileRefusalKind, path: string, detail = ""): FileRefusal {
  const [message, cure] = texts[kind](detail);
  return { kind, path, message, cure };
}

/** Prints a refusal in one line, such as `a.ts is read-only. Make it writable first.` */
export function printFileRefusal({ path, message, cure }: FileRefusal): string {
  return `${path} ${message}. ${cure}`;
}

const texts: Readonly<Record<FileRefusalKind, (detail: string) => readonly [message: string, cure: string]>> = {
  missing: () => ["is not there", "Check its name; paths start at the workspace's root."],
  folder: () => ["is a folder", "Name the files in it."],
  special: () => ["is neither a file nor a folder", "Only files can be edited."],
  outside: (target) => [
    `leads out of the workspace${target && `, to ${target}`}`,
    "Edit it from a workspace that holds it.",
  ],
  "broken-link": () => ["is a link that leads nowhere", "Repair or remove the link."],
  link: () => ["is a link and cannot be moved", "Move what it leads to, or make a new link."],
  secret: (by) => [`is secret by ${by}`, "Secret files are never read and never written; edit it by hand."],
  ignored: (rule) => [
    `is kept from models by ${rule}`,
    "Change that rule to have it read and edited, or edit it by hand.",
  ],
  "version-control": (folder) => [`belongs to ${folder}`, "Use the version control system's own commands."],
  binary: (detail) => [`is not text: ${detail}`, "Only text can be edited."],
  "not-utf-8": (detail) => [`is not UTF-8: ${detail}`, "Convert it to UTF-8 first, for instance with iconv."],
  oversized: (detail) => [`is too large: ${detail}`, "Split it, or edit it by hand."],
  "no-permission": () => ["cannot be opened: permission denied", "Give yourself the permission to read and write it."],
  "read-only": () => ["is read-only", "Make it writable first, for instance with chmod u+w."],
  "no-folder": (path) => [`cannot be made, since ${path} is no folder`, "Choose another place."],
  exists: () => ["exists already", "Edit it, or choose another name."],
  "case-collision": (name) => [`differs from ${name} by upper and lower case only`, "Choose another name."],
  "hard-link": (names) => [
    `has ${names} names on the disk (hard links), and only this one would get the new text`,
    "Make it a file of its own first: copy it, and move the copy into its place.",
  ],
  "same-file": (other) => [`is the same file as ${other}`, "Name it by one path only."],
  "half-character": () => ["would hold half a character (a lone surrogate)", "Ask for the edit again."],
  "disk-failed": (detail) => [`could not be opened: ${detail}`, "Try again when the disk answers."],
};
