import type { IgnoreVerdict } from "./ignore-tree.ts";

/**
 * Why a file or folder is not read. {@link printSkipReason} prints it, for `--explain` and the log.
 */
export type SkipReason =
  /** A rule of an ignore file excludes it or a folder above it. */
  | { readonly kind: "ignored"; readonly rule: IgnoreVerdict }
  /**
   * It holds keys or passwords, by its name, the name of a folder above it, or its text. `detail`
   * is the name or the mark.
   */
  | { readonly kind: "secret"; readonly by: "name" | "folder" | "content"; readonly detail: string }
  /** It is not text, by its extension or by its bytes. */
  | { readonly kind: "binary"; readonly by: "name" | "content"; readonly detail: string }
  /** It is text in another encoding, or invalid UTF-8. */
  | { readonly kind: "not-utf-8"; readonly detail: string }
  /** A tool generates it, by its name or by a comment at its top. */
  | { readonly kind: "generated"; readonly by: "name" | "content"; readonly detail: string }
  /** It is minified, see `tryMinified`. */
  | { readonly kind: "minified"; readonly detail: string }
  /** It is third-party code that was copied into the workspace. */
  | { readonly kind: "vendored"; readonly folder: string; readonly detail: string }
  /** It is a folder of build output or another tool's files. */
  | { readonly kind: "output"; readonly folder: string; readonly detail: string }
  /** It belongs to a version control system, such as `.git`. */
  | { readonly kind: "version-control" }
  | { readonly kind: "oversized"; readonly size: number; readonly maxBytes: number }
  /** A link that is not followed; `target` is absolute where it is known. */
  | { readonly kind: "link"; readonly refusal: LinkRefusal; readonly target?: string }
  /** A pipe, a socket or a device. */
  | { readonly kind: "special" }
  | { readonly kind: "no-permission" }
  /** It was removed between listing and reading. */
  | { readonly kind: "missing" }
  /** It is a folder, and a file was requested. */
  | { readonly kind: "folder" }
  | { readonly kind: "disk-failed"; readonly detail: string }
  | { readonly kind: "unknown-language" };

/**
 * Why a link is not followed. `listed`: its target is listed under its own path. `refused-target`:
 * the target is not read.
 */
export type LinkRefusal = "outside" | "broken" | "loop" | "listed" | "refused-target";

/** The reason in one short line, such as `ignored by .gitignore:3: *.log`. */
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
      return `link ${linkRefusals[reason.refusal]}${reason.target === undefined ? "" : `: ${reason.target}`}`;
    case "version-control":
      return "belongs to version control";
    case "special":
      return "neither file nor folder";
    case "no-permission":
      return "there is no permission to read it";
    case "missing":
      return "it is gone";
    case "folder":
      return "a folder, not a file";
    case "unknown-language":
      return "its language is unknown";
  }
}

const linkRefusals: Readonly<Record<LinkRefusal, string>> = {
  outside: "out of the workspace",
  broken: "to nothing",
  loop: "back to itself",
  listed: "to a path that is listed already",
  "refused-target": "to a path that is not read",
};
