import type { DiffManner } from "./artifact-diff.ts";

/** A task of the paper, as far as the artifact does not tell it. */
export interface CodePlanTask {
  readonly id: "ext1" | "ext2" | "t1" | "t2" | "t3";
  readonly title: string;
  readonly extension: ".py" | ".cs";
  /** Of a task whose repository is not in the artifact. */
  readonly commits?: { readonly repo: string; readonly before: string; readonly after: string };
  /** How the differences of its files are scored. */
  readonly manner: DiffManner;
  /** What is to be done, where the first edits alone do not say it; in words of ours. */
  readonly instruction?: string;
  /** What the paper's tool found, from the artifact's lists of its best run. */
  readonly paper: {
    readonly run: string;
    readonly matched: number;
    readonly targets: number;
    readonly spurious: number;
  };
  /**
   * The first edits: blocks by path and name, a pattern of the source's text, or files that the
   * target adds.
   */
  readonly seeds: {
    readonly blocks?: readonly (readonly [path: string, name: string])[];
    /**
     * Blocks whose text before the edit matches this: what the instruction of a migration is about.
     */
    readonly pattern?: RegExp;
    /** Whether whole files that the target adds are given. */
    readonly newFiles?: boolean;
  };
}

/** The five tasks whose repositories are public. */
export const tasks: readonly CodePlanTask[] = [
  {
    id: "t1",
    title: "T-1 openai/whisper",
    extension: ".py",
    manner: "plain",
    commits: { repo: "openai/whisper", before: "255887f", after: "43940fc" },
    paper: { run: "codeplan", matched: 8, targets: 10, spurious: 0 },
    seeds: { blocks: [["whisper/utils.py", "SubtitlesWriter.iterate_result"]] },
  },
  {
    id: "t2",
    title: "T-2 facebookresearch/audiocraft",
    extension: ".py",
    manner: "plain",
    commits: { repo: "facebookresearch/audiocraft", before: "7cee852", after: "4eb194f" },
    paper: { run: "codeplan", matched: 4, targets: 4, spurious: 0 },
    seeds: { blocks: [["audiocraft/models/loaders.py", "load_mbd_ckpt"]] },
  },
  {
    id: "t3",
    title: "T-3 microsoft/JARVIS",
    extension: ".py",
    manner: "plain",
    commits: { repo: "microsoft/JARVIS", before: "f1ad4a6", after: "833d0d7" },
    paper: { run: "codeplan", matched: 11, targets: 11, spurious: 0 },
    seeds: { blocks: [["server/awesome_chat.py", "send_request"]] },
  },
  {
    id: "ext1",
    title: "Ext-1 reactive-streams-dotnet",
    extension: ".cs",
    manner: "without-blanks-and-signs",
    instruction:
      "The tests move from NUnit to xUnit. What was written to the console goes to the `ITestOutputHelper` that xUnit gives to the constructor of a class with tests: keep it in a field `_output`, and hand it on to whatever writes or makes a `TestEnvironment`. Ignored and failed tests are told by `TckAssert`.",
    paper: { run: "codeplan", matched: 64, targets: 64, spurious: 0 },
    seeds: { newFiles: true, pattern: /\bConsole\s*\.\s*Write/ },
  },
  {
    id: "ext2",
    title: "Ext-2 das-qna-api",
    extension: ".cs",
    manner: "without-blanks-and-usings",
    instruction:
      "Move from Newtonsoft.Json to System.Text.Json: `JsonSerializer` in place of `JsonConvert`, `JsonNode`, `JsonObject` and `JsonArray` in place of `JToken`, `JObject` and `JArray`.",
    paper: { run: "codeplan_iter_2", matched: 40, targets: 46, spurious: 6 },
    seeds: { pattern: /\bJsonConvert\s*\.|\bJObject\s*\.|\bnew\s+JValue\b/ },
  },
];
