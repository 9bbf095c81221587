import { spawn } from "node:child_process";

/**
 * Has the system open an address in the person's browser. Resolves with why that is not known to have happened, in a few words for people,
 * or with `undefined`; rejects never.
 *
 * The address goes to the program as one argument, and no shell reads it.
 */
export async function openBrowser(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [program, ...args] = programs[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { env: environment, stdio: "ignore", detached: true });
    child.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ENOENT" ? `there is no ${program} on this system` : error.message);
    });
    child.on("close", (exitCode) => {
      resolve(exitCode === 0 ? undefined : `${program} ended with ${exitCode ?? "a signal"}`);
    });
    // A browser that is started this way may run on for hours, and end as it likes.
    setTimeout(() => resolve(undefined), troubleMs).unref();
    child.unref();
  });
}

/** A program that opens nothing says so within so long, in milliseconds. */
const troubleMs = 10_000;

/** What opens an address, by system. On Windows `start` is a word of the shell; this is what it calls. */
const programs: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
