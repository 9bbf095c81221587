import { type FileRefusal, type FileRefusalKind, printFileRefusal } from "../../edit/node/index.ts";

/** Why a request of the page is not carried out. */
export interface PageRefusal {
  /** The status of HTTP that says so. */
  readonly status: number;
  /** A stable name. */
  readonly code: string;
  /** For people, with what they can do. */
  readonly message: string;
}

/** The refusal of a file, in terms of HTTP. */
export function refusalOfFile(refusal: FileRefusal): PageRefusal {
  return { status: statuses[refusal.kind], code: refusal.kind, message: printFileRefusal(refusal) };
}

const statuses: Readonly<Record<FileRefusalKind, number>> = {
  missing: 404,
  folder: 403,
  special: 403,
  outside: 403,
  "broken-link": 403,
  link: 403,
  secret: 403,
  "version-control": 403,
  binary: 415,
  "not-utf-8": 415,
  oversized: 413,
  "no-permission": 403,
  "read-only": 403,
  "no-folder": 403,
  exists: 412,
  "case-collision": 412,
  "same-file": 403,
  "half-character": 415,
  "disk-failed": 500,
};

/** The file is not what the page last knew of it. */
export function changedMeanwhile(path: string): PageRefusal {
  const message = `${path} has changed on the disk since it was opened. Open it again, or compare before you overwrite it.`;
  return { status: 412, code: "changed", message };
}

/** There is no room for a text. */
export function diskFull(path: string): PageRefusal {
  const message = `There is no room on the disk for ${path}, and what stands there is as it was. Make some, and save again.`;
  return { status: 507, code: "disk-full", message };
}

/** The request does not say what the file was when it was opened. */
export const noPrecondition: PageRefusal = {
  status: 428,
  code: "no-precondition",
  message: "Say with If-Match which text is replaced, or with If-None-Match: * that there is none yet.",
};
