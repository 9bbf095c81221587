export { disk, toPortablePath } from "./disk.ts";
export {
  type GitAnswer,
  type GitOptions,
  gitDiff,
  gitHead,
  gitRoot,
  gitStatus,
  gitTracked,
  isInsideGit,
} from "./git.ts";
export { systemClock } from "./system-clock.ts";
export { watchDisk } from "./watch-disk.ts";
