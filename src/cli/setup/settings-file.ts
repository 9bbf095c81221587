import { copyFile, readFile, readlink, realpath, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  configFileNames,
  editSettingsText,
  holdsSettings,
  printKey,
  type SettingEdit,
  settingInText,
} from "../../config/index.ts";
import { fileRefusal, isMissing, printFileRefusal, systemCode } from "../../edit/node/index.ts";
import type { TrustReport } from "../../server/index.ts";
import { makeFolder, replaceFile } from "../../workspace/node/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";

/** The file of a folder that settings go to. */
export interface SettingsFile {
  /** Absolute. */
  readonly path: string;
  /** Whether it is code, or a `package.json`, and so is edited by a person alone. */
  readonly isCode: boolean;
  /** Empty where there is no file yet. */
  readonly text: string;
}

/**
 * The settings file of a folder: the one that counts, or else the `emend.config.json` to be made.
 * Throws a {@link CommandFailure} where it is JSON that is broken. Rejects with the disk's error.
 */
export async function findSettingsFile(folder: string): Promise<SettingsFile> {
  for (const name of configFileNames) {
    const path = join(folder, name);
    const text = await tryRead(path);
    if (text === undefined) continue;
    const isCode = !name.endsWith(".json");
    if (!isCode) edited(path, text, []);
    return { path, isCode, text };
  }
  const packagePath = join(folder, "package.json");
  const packageText = await tryRead(packagePath);
  if (packageText !== undefined && holdsSettings(packageText)) {
    return { path: packagePath, isCode: true, text: packageText };
  }
  return { path: join(folder, configFileNames[0]!), isCode: false, text: "" };
}

/** Those of the settings that a file does not hold yet. */
export function missingSettings(
  { text, isCode }: SettingsFile,
  settings: readonly SettingEdit[],
): readonly SettingEdit[] {
  return isCode ? settings : settings.filter(({ path, value }) => !isSame(settingInText(text, path), value));
}

/** The text of a file of JSON after {@link writeSettings}. */
export function previewSettings({ path, text }: SettingsFile, settings: readonly SettingEdit[]): string {
  return edited(path, text, settings);
}

/**
 * Writes settings into a file of JSON: whole or not at all, with its old text beside it as `.old`.
 * What was written, and what it replaced, is recorded in the folder of Emend's state, for
 * {@link takeOutSettings}. Throws a {@link CommandFailure} where the file has hard links or cannot
 * be written, and rejects with the disk's error.
 */
export async function writeSettings(
  { path, text }: SettingsFile,
  settings: readonly SettingEdit[],
  stateFolder: string,
): Promise<void> {
  const after = edited(path, text, settings);
  const target = await targetOf(path);
  const records = await readRecords(stateFolder);
  const earlier = records[path] ?? emptyRecord(text);
  const isWritten = (one: SettingEdit) => settings.some((other) => isSame(one.path, other.path));
  const written = settings.map(({ path: names, value }) => {
    const known = earlier.settings.find((one) => isSame(one.path, names));
    return { path: names, value, before: known === undefined ? settingInText(text, names) : known.before };
  });
  const kept = earlier.settings.filter((one) => !isWritten(one));
  await writeRecords(stateFolder, { ...records, [path]: { ...earlier, settings: [...kept, ...written] } });
  await replaceSettings(path, after, { target, keepsOld: text !== "" });
}

/** Whether the text of a settings file has neither settings nor comments. */
function isBlank(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text);
}

/** The folders in `trust` of the text of a settings file. */
function trustedIn(text: string): readonly unknown[] {
  const trusted = settingInText(text, ["trust"]);
  return Array.isArray(trusted) ? trusted : [];
}

/** What {@link takeOutSettings} did, by the keys as written. */
export interface TakenOut {
  readonly restored: readonly string[];
  /** Changed in the file since, and left as they are. */
  readonly left: readonly string[];
  /** Whether the file was made for the settings, and is deleted with them. */
  readonly isRemoved: boolean;
}

/**
 * Takes the settings out again that {@link writeSettings} wrote into a file, or puts back what they
 * replaced; a file that was made for them goes, too. Throws as {@link writeSettings} does, and
 * rejects with the disk's error.
 */
export async function takeOutSettings({ path, text }: SettingsFile, stateFolder: string): Promise<TakenOut> {
  const { [path]: record, ...others } = await readRecords(stateFolder);
  if (record === undefined) return { restored: [], left: [], isRemoved: false };
  const isOurs = (one: WrittenSetting) => isUnchanged(one, text);
  const ours = record.settings.filter(isOurs);
  const edits = ours.map(({ path: names, before }) => ({ path: names, value: before }));
  const trusted = trustedIn(text);
  const stillTrusted = trusted.filter((folder) => record.trusted?.some((one) => one === folder) !== true);
  const isTrustOurs = stillTrusted.length < trusted.length;
  if (isTrustOurs) edits.push({ path: ["trust"], value: stillTrusted.length === 0 ? undefined : stillTrusted });
  const after = text === "" ? "" : edited(path, text, edits);
  const isRemoved = text !== "" && record.isNew && isBlank(after);
  if (isRemoved) await rm(path);
  else if (after !== text) await replaceSettings(path, after, { target: await targetOf(path), keepsOld: false });
  if ((await tryRead(`${path}.old`)) === after || record.isNew) await rm(`${path}.old`, { force: true });
  await writeRecords(stateFolder, others);
  const changed = record.settings.filter((one) => !isOurs(one) && settingInText(text, one.path) !== undefined);
  return {
    restored: [...ours.map((one) => printKey(one.path)), ...(isTrustOurs ? ["trust"] : [])],
    left: changed.map((one) => printKey(one.path)),
    isRemoved,
  };
}

/**
 * Whether {@link takeOutSettings} would change something: a setting in the file is the one that was
 * written. Rejects with the disk's error.
 */
export async function canTakeOutSettings({ path, text }: SettingsFile, stateFolder: string): Promise<boolean> {
  const { [path]: record } = await readRecords(stateFolder);
  if (record === undefined) return false;
  const isTrustOurs = trustedIn(text).some((folder) => record.trusted?.some((one) => one === folder) === true);
  return isTrustOurs || record.settings.some((one) => isUnchanged(one, text));
}

function isUnchanged({ path, value }: WrittenSetting, text: string): boolean {
  return isSame(settingInText(text, path), value);
}

function edited(path: string, text: string, settings: readonly SettingEdit[]): string {
  const answer = editSettingsText(text, settings);
  if (answer.kind === "edited") return answer.text;
  const message = `${path} can't be edited: ${answer.detail}. Repair it, and run the command again.`;
  throw new CommandFailure("broken-file", message, { exitCode: exitCodes.failed });
}

/**
 * The file to replace: that at the end of a link, as into a folder of dotfiles, also where it is
 * still to be made. Throws a {@link CommandFailure} where it has hard links.
 */
async function targetOf(path: string): Promise<string> {
  const target = await realpath(path)
    .catch(() => readlink(path).then((to) => resolve(dirname(path), to)))
    .catch(() => path);
  const nlink = (await stat(target).catch(() => undefined))?.nlink ?? 1;
  if (nlink <= 1) return target;
  const message = printFileRefusal(fileRefusal("hard-link", path, `${nlink}`));
  throw new CommandFailure("hard-link", message, { exitCode: exitCodes.failed });
}

async function replaceSettings(
  path: string,
  text: string,
  { target, keepsOld }: { readonly target: string; readonly keepsOld: boolean },
): Promise<void> {
  const failWith = (problem: string, remedy: string) => (cause: unknown) => {
    const message = `${problem} (${systemCode(cause)}). ${remedy}, and run the command again.`;
    throw new CommandFailure("not-writable", message, { exitCode: exitCodes.failed, cause });
  };
  for (const folder of new Set([dirname(path), dirname(target)])) {
    await makeFolder(folder).catch(failWith(`The folder ${folder} of your settings cannot be made`, "Make it"));
  }
  const write = async () => {
    const mode = (await stat(target).catch(() => undefined))?.mode;
    if (keepsOld) await copyFile(target, `${path}.old`);
    await replaceFile(target, text, mode);
  };
  await write().catch(failWith(`${path} cannot be written`, "Make it and its folder writable"));
}

/** A setting that was written, and what it replaced. */
interface WrittenSetting extends SettingEdit {
  readonly before: unknown;
}

/** What was written into a file. */
interface FileRecord {
  /** Whether the file was made for it. */
  readonly isNew: boolean;
  readonly settings: readonly WrittenSetting[];
  /** The folders that were added to `trust`. */
  readonly trusted?: readonly string[];
}

/** By the absolute paths of files. */
type Records = Readonly<Record<string, FileRecord>>;

function emptyRecord(text: string): FileRecord {
  return { isNew: text === "", settings: [] };
}

async function readRecords(stateFolder: string): Promise<Records> {
  const path = join(stateFolder, "setup.json");
  try {
    return JSON.parse((await tryRead(path)) ?? "{}") as Records;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `${path}, the record of what setup wrote, is broken. Remove it; --reset then finds nothing.`;
    throw new CommandFailure("broken-file", message, { exitCode: exitCodes.failed, cause });
  }
}

async function writeRecords(stateFolder: string, records: Records): Promise<void> {
  await makeFolder(stateFolder);
  await replaceFile(join(stateFolder, "setup.json"), `${JSON.stringify(records, null, 2)}\n`);
}

async function tryRead(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    // Also where a file has the name of the folder, which writing reports.
    if (isMissing(error)) return undefined;
    if (systemCode(error) !== "EISDIR") throw error;
    const message = `${path} is a folder, and has to be a file. Remove or rename it, and run the command again.`;
    throw new CommandFailure("broken-file", message, { exitCode: exitCodes.failed, cause: error });
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whose decision it is to trust a folder. */
interface TrustFolderOptions {
  readonly userFolder: string;
  /** The folder of Emend's state where it is a step of setup, whose reset takes it back. */
  readonly setupState?: string;
}

/**
 * Adds a folder to `trust` in the user's own settings file. A file that is code is not edited: the
 * report has the line to add. Throws a `CommandFailure` where the file is broken, has hard links or
 * cannot be written, and rejects with the disk's error.
 */
export async function trustFolder(root: string, { userFolder, setupState }: TrustFolderOptions): Promise<TrustReport> {
  const { path, text, isCode } = await findSettingsFile(userFolder);
  if (isCode) return { kind: "by-hand", file: path, line: `trust: ${JSON.stringify([root])}` };
  const after = edited(path, text, [{ path: ["trust"], value: [...trustedIn(text), root] }]);
  const target = await targetOf(path);
  if (setupState !== undefined) {
    const records = await readRecords(setupState);
    const earlier = records[path] ?? emptyRecord(text);
    const trusted = [...(earlier.trusted ?? []), root];
    await writeRecords(setupState, { ...records, [path]: { ...earlier, trusted } });
  }
  await replaceSettings(path, after, { target, keepsOld: text !== "" });
  return { kind: "trusted", file: path };
}

/**
 * Takes a folder out of `trust` in the user's own settings file; a file without anything else goes,
 * too. Returns the path of the file;
 * `undefined` where the folder is not there as it is, or the file is code. Throws as
 * {@link trustFolder} does.
 */
export async function untrustFolder(
  root: string,
  { userFolder }: Pick<TrustFolderOptions, "userFolder">,
): Promise<string | undefined> {
  const { path, text, isCode } = await findSettingsFile(userFolder);
  const trusted = isCode ? [] : trustedIn(text);
  const kept = trusted.filter((one) => one !== root);
  if (kept.length === trusted.length) return undefined;
  const value = kept.length === 0 ? undefined : kept;
  const after = edited(path, text, [{ path: ["trust"], value }]);
  if (isBlank(after)) await rm(path);
  else await replaceSettings(path, after, { target: await targetOf(path), keepsOld: true });
  return path;
}
