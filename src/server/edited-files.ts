import { joinPath } from "../codebase/index.ts";
import { formatOfAnswer, pathsOfAnswer } from "../edit/index.ts";
import { languageOf } from "../syntax/index.ts";
import { toFileUri } from "./file-uri.ts";
import type { OpenDocuments } from "./open-documents.ts";
import { requestFailed, wrongParams } from "./request-error.ts";
import type { WorkspaceSession } from "./session/index.ts";
import type { Placed, SessionSet } from "./session-set.ts";

/** A document that may be changed. */
export interface EditedFile extends Placed {
  readonly uri: string;
  readonly text: string;
  readonly language: string;
}

/** The documents of one session that may be changed, and where others of it would be. */
export interface EditedFiles {
  readonly session: WorkspaceSession;
  /** The first is the one that ranges speak of. None where all of them are to be made. */
  readonly files: readonly EditedFile[];
  /** The paths of files that are asked for, and are not there yet. */
  readonly newPaths: readonly string[];
}

/** Where documents are found. */
export interface EditedFilesParts {
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
}

/** The documents that are asked about, with the texts that the editor shows, or else the disk has. Those that are not there may be made. */
export async function openEditedFiles(
  uris: readonly string[] | undefined,
  parts: EditedFilesParts,
): Promise<EditedFiles> {
  const asked = uris ?? lookedAt(parts);
  if (asked.length === 0) throw wrongParams("No document is open. Name those that may be changed, in `uris`.");
  return readAll(asked, { ...parts, leavesOut: false });
}

/** The document that ranges speak of, which has to be there. */
export function rangedFile({ files, newPaths }: EditedFiles, uris: readonly string[] | undefined): EditedFile {
  const [first] = files;
  if (first === undefined || (uris !== undefined && first.uri !== uris[0])) {
    throw wrongParams(`${newPaths[0]} is not there yet, so it has no lines to name. Leave them out.`);
  }
  return first;
}

/**
 * The documents that an answer names by itself, in the folder of the document that was looked at last; that one where the
 * answer names none. Those that are not there may be made by it.
 */
export async function openAnsweredFiles(answer: string, parts: EditedFilesParts): Promise<EditedFiles> {
  const looked = lookedAt(parts);
  const { session } = looked.length > 0 ? parts.sessions.place(looked[0]!) : { session: parts.sessions.all[0] };
  const format = formatOfAnswer(answer);
  const paths = format.kind === "format" ? pathsOfAnswer(answer, format.name) : [];
  if (paths.length === 0 || session?.root === undefined) return openEditedFiles(undefined, parts);
  const { root } = session;
  const uris = paths.map((path) => {
    // Steps upwards are taken here, so that whoever places the document sees where they lead.
    const uri = new URL(toFileUri(path.startsWith("/") ? path : joinPath(root, path))).href;
    if (parts.sessions.place(uri).session === session) return uri;
    throw wrongParams(`The answer names ${path}, which lies outside of ${root}. Nothing is changed there.`);
  });
  return readAll(uris, { ...parts, leavesOut: true });
}

/** Where a path of a session is. */
export function uriIn({ session, files }: EditedFiles, path: string): string {
  return files.find((file) => file.path === path)?.uri ?? toFileUri(joinPath(session.root ?? "", path));
}

function lookedAt({ documents }: EditedFilesParts): readonly string[] {
  return documents.all.slice(-1).map(({ document }) => document.uri);
}

async function readAll(
  uris: readonly string[],
  /** `leavesOut`: what can neither be read nor made is left out, and the answer that names it is told so. */
  { documents, sessions, leavesOut }: EditedFilesParts & { readonly leavesOut: boolean },
): Promise<EditedFiles> {
  const { session, path: first } = sessions.place(uris[0]!);
  const files: EditedFile[] = [];
  const newPaths = new Set<string>();
  for (const uri of uris) {
    const placed = sessions.place(uri);
    const { path } = placed;
    if (files.some((file) => file.path === path && file.session === placed.session)) continue;
    if (placed.session !== session) {
      throw wrongParams(`${path} lies in another workspace folder than ${first}. Change them one after the other.`);
    }
    const open = documents.get(uri)?.document;
    const text = open?.text ?? withoutMark(await session.tryReadFile(placed));
    const verdict = await session.accessTo(placed, text ?? "");
    if (verdict.kind === "secret") throw requestFailed(`${path} may hold secrets, and is shown to no model.`);
    if (verdict.kind === "ignored")
      throw requestFailed(`${path} is ignored (${verdict.by}), and is shown to no model.`);
    if (text === undefined) {
      if (await session.mayBeMade(placed)) newPaths.add(path);
      else if (!leavesOut)
        throw requestFailed(`${path} is neither open nor a text file on the disk, and cannot be made.`);
      continue;
    }
    const language = open?.language ?? languageOf(path, /^[^\r\n]{0,300}/.exec(text)![0]).id;
    files.push({ ...placed, uri, text, language });
  }
  return { session, files, newPaths: [...newPaths] };
}

/** Editors do not count a byte order mark as text. */
export function withoutMark(text: string | undefined): string | undefined {
  return text?.replace(/^\uFEFF/, "");
}
