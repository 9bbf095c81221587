import type { IgnoreVerdict } from "./ignore-rules.ts";

/** Why a file or folder is not read. `--explain` and the log print it with {@link printSkipReason}. */
export type SkipReason =
  /** A rule of an ignore file excludes it, or a folder above it. */
  | { readonly kind: "ignored"; readonly rule: IgnoreVerdict }
  /** It holds keys or passwords, by its name, by a folder it lies in, or by what stands in it. `detail` says which. */
  | { readonly kind: "secret"; readonly by: "name" | "folder" | "content"; readonly detail: string }
  /** It is not text: by the ending of its name, or by its bytes. */
  | { readonly kind: "binary"; readonly by: "name" | "content"; readonly detail: string }
  /** It is text in another encoding, or broken text. */
  | { readonly kind: "not-utf-8"; readonly detail: string }
  /** A tool wrote it and will write it again: by its name, or by a remark at its top. */
  | { readonly kind: "generated"; readonly by: "name" | "content"; readonly detail: string }
  /** It was squeezed for machines. */
  | { readonly kind: "minified"; readonly detail: string }
  /** It is other people's code, copied in. */
  | { readonly kind: "vendored"; readonly folder: string; readonly detail: string }
  /** It is a folder that tools write to. */
  | { readonly kind: "output"; readonly folder: string; readonly detail: string }
  /** It belongs to the version control system. */
  | { readonly kind: "version-control" }
  | { readonly kind: "oversized"; readonly size: number; readonly maxBytes: number }
  /** A link that is not followed; `target` is absolute where it is known. */
  | { readonly kind: "link"; readonly why: LinkRefusal; readonly target?: string }
  /** A pipe, a socket or a device. */
  | { readonly kind: "special" }
  | { readonly kind: "no-permission" }
  /** It went away between being seen and being read. */
  | { readonly kind: "missing" }
  /** A folder where a file was asked for. */
  | { readonly kind: "folder" }
  | { readonly kind: "disk-failed"; readonly detail: string }
  | { readonly kind: "unknown-language" };

/** Why a link is not followed. `listed` means that its target has been listed under a path of its own. */
export type LinkRefusal = "outside" | "broken" | "loop" | "listed" | "refused-target";

/** One short line that says the reason, such as `ignored by .gitignore:3: *.log`. */
export function printSkipReason(reason: SkipReason): string {
  switch (reason.kind) {
    case "ignored":
      return `ignored by ${reason.rule.file}:${reason.rule.lineNumber}: ${reason.rule.pattern}`;
    case "secret":
    case "binary":
    case "generated":
      return `${reason.kind} by its ${reason.by}: ${reason.detail}`;
    case "not-utf-8":
      return `not UTF-8: ${reason.detail}`;
    case "minified":
    case "disk-failed":
      return `${reason.kind}: ${reason.detail}`;
    case "vendored":
    case "output":
      return `${reason.kind} folder ${reason.folder}: ${reason.detail}`;
    case "oversized":
      return `${reason.size} bytes, more than ${reason.maxBytes}`;
    case "link":
      return `link ${linkRefusals[reason.why]}${reason.target === undefined ? "" : `: ${reason.target}`}`;
    case "version-control":
      return "belongs to version control";
    case "special":
      return "neither file nor folder";
    case "no-permission":
      return "the system does not let us read it";
    case "missing":
      return "it is gone";
    case "folder":
      return "a folder, not a file";
    case "unknown-language":
      return "no language claims its name";
  }
}

const linkRefusals: Readonly<Record<LinkRefusal, string>> = {
  outside: "out of the workspace",
  broken: "to nothing",
  loop: "back to itself",
  listed: "to what is listed already",
  "refused-target": "to what is not read itself",
};
