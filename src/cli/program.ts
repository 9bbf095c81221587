import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { type ExitCode, exitCodeMeanings, exitCodes } from "./exit-codes.ts";
import { packageVersion } from "./package-version.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs the command line. Commands are loaded when they are run, so that help and mistakes are quick.
 *
 * Rejects with a `CommandFailure` or whatever else a command throws.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.done;
  let complaint = "";
  const program = new Command("emend")
    .description(
      "Completes code from your own workspace, with no model server and no key, and edits it with any chat model.",
    )
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help, also of a command")
    .showSuggestionAfterError()
    // Options of `plan continue` are its own, and not those of `plan`.
    .enablePositionalOptions()
    .addHelpText(
      "after",
      `\nExit codes:\n${exitCodeTable()}\n\nEMEND_CACHE_DIR names another folder for what is kept, EMEND_STATE_DIR for what emend undo needs; EMEND_DEBUG=1 shows stack traces.`,
    );
  const output = {
    writeOut: (text: string) => terminal.out(text),
    writeErr: (text: string) => {
      complaint += text;
    },
  };
  program.configureOutput(output).exitOverride();

  program
    .command("complete <FILE:LINE:COL>")
    .description("print a place in a file with the text that may go there, and how sure that is")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--stdin", "read the text of the file, not saved yet, from standard input", false)
    .option("--all", "print the alternatives too", false)
    .option("--explain", "say where each part comes from, what the model was shown, and each step", false)
    .option("--model <name>", modelHelp, oneMore)
    .option("--trust", trustHelp, false)
    .option("--workspace <dir>", "learn this folder; the file's git repository or project unless told")
    .option("--max-lines <n>", "the most lines to insert; 1 unless told or a model is named", wholeNumber)
    .option(
      "--min-probability <p>",
      "offer whatever is at least this likely, from 0 to 1; what is worth it unless told",
      share,
    )
    .option("--no-cache", "neither read nor write what is kept of the workspace")
    .addHelpText(
      "after",
      "\nLines and columns count from 1; columns count UTF-16 units, as editors do, and column 1 is before the first.\nThe text to insert is dim in colours, and between « and » without.\nWhen the model has nothing to say it prints why, and the exit code is 0.",
    )
    .action(async (place: string, options) => {
      const { complete } = await import("./complete.ts");
      const untold = { workspace: undefined, minProbability: undefined, maxLines: undefined, model: undefined };
      exitCode = await complete(place, { ...untold, ...options }, terminal);
    });
  program
    .command("next [PLACE]")
    .description(
      "say what you will edit next, after what you edited last: here or in another file, with no model at all",
    )
    .option(
      "--history <what>",
      "what you edited last: the file of a unified diff that is made already, - for standard input, or git for what differs from the last commit, as unless told",
    )
    .option("--watch", "follow what you save, and print the next edit after each save, until Ctrl-C", false)
    .option("--apply", "write it; `emend undo` takes it back", false)
    .option("--chain", "all that is one thing with it, such as the rest of a rename, checked together", false)
    .option("--all", "list further places too", false)
    .option("--explain", "say each step, and what was withheld and why", false)
    .option("--model <name>", nextModelHelp, oneMore)
    .option("--format <name>", nextFormatHelp)
    .addOption(new Option("--eagerness <how>", eagernessHelp).choices(["quiet", "normal", "eager"]))
    .option(
      "--workspace <dir>",
      "the folder to look at; that of the file, or this folder's git repository or project, unless told",
    )
    .option("--json", "print one JSON object, also for errors; with --watch one a line", false)
    .option("--trust", trustHelp, false)
    .addHelpText(
      "after",
      "\nPLACE is FILE:LINE:COL or FILE:LINE, where your cursor is; the place that was edited last unless told.\nThe change is printed as a diff that `git apply` takes. When nothing follows it prints why, and the exit code is 0.",
    )
    .action(async (place: string | undefined, options) => {
      const { next } = await import("./next.ts");
      const untold = { history: undefined, model: undefined, format: undefined, eagerness: undefined };
      exitCode = await next(place, { workspace: undefined, ...untold, ...options }, terminal);
    });
  program
    .command("record [FILE]")
    .description("record what you edit in a workspace to a file of your own, for `emend replay`, until Ctrl-C")
    .option("--out <file>", "the recording, a new file; session.edits.json here unless told")
    .option(
      "--workspace <dir>",
      "the folder to follow; that of FILE, or this folder's git repository or project, unless told",
    )
    .addHelpText(
      "after",
      "\nWith FILE only that file is recorded. Each save is an edit, as small as can be.\nFiles that keep secrets are not recorded, and what looks like a key in others is hidden. Nothing leaves your machine.",
    )
    .action(async (file: string | undefined, options) => {
      const { record } = await import("./record.ts");
      exitCode = await record(file, { out: undefined, workspace: undefined, ...options }, terminal);
    });
  program
    .command("replay <RECORDING>")
    .description(
      "go through a recorded session of edits, and say what would have been suggested, and whether that is what came",
    )
    .option("--origins <list>", "who suggests, with commas between: example, name, fix, impact, model; all unless told")
    .option("--model <name>", nextModelHelp, oneMore)
    .option("--format <name>", nextFormatHelp)
    .addOption(new Option("--eagerness <how>", eagernessHelp).choices(["quiet", "normal", "eager"]))
    .option("--explain", "say of each answer the steps, and what was withheld and why", false)
    .option("--json", "print one JSON object, also for errors", false)
    .action(async (recording: string, options) => {
      const { replay } = await import("./replay.ts");
      exitCode = await replay(
        recording,
        { origins: undefined, model: undefined, format: undefined, eagerness: undefined, ...options },
        terminal,
      );
    });
  program
    .command("edit [FILE...]")
    .description("change files as an instruction says: asks a chat model, shows the change, and writes it if you want")
    .option("-m, --message <text>", "the instruction, in any language; - reads it from standard input")
    .option("--model <name>", editModelHelp, oneMore)
    .option(
      "--read <file>",
      "show this file to the model too, without letting it change; given again, the next one too",
      oneMore,
    )
    .option("--prompt", "print what to paste into any chat, and ask no model", false)
    .option("--copy", "copy to the clipboard what --prompt prints, instead", false)
    .option("--answer <file>", "take this answer of a chat instead of asking a model; - reads it from standard input")
    .option("--check <command>", "run this on each change; where it fails, what it says goes back to the model")
    .option("--no-check", "run no check, whatever the configuration says")
    .option(
      "--max-retries <n>",
      "how often the model may be asked to mend its answer, from 0 to 10; 3 unless told",
      retries,
    )
    .option("--at <lines>", regionHelp, oneMore)
    .addOption(
      new Option("--guide <when>", "with --at: hold new text to the language's grammar; auto does where that can be")
        .choices(["auto", "off", "always"])
        .default("auto"),
    )
    .option("--explain", "with --at: say what was refused of what the model wanted, and what could stand there", false)
    .option("--format <name>", formatHelp)
    .option("--no-formatter", "leave the changed lines as they are written")
    .option(
      "--root <dir>",
      "the folder that paths are told from; the first file's git repository or project unless told",
    )
    .option("--trust", "let the workspace's configuration and formatter run code, and choose servers", false)
    .option("-y, --yes", "write without a question", false)
    .option("--dry-run", "write nothing, and do not ask", false)
    .option("--json", "print one JSON object, also for errors", false)
    .addHelpText(
      "after",
      `\nFiles that are not there yet are made; in an empty folder none need be named.\nThe diff goes to standard output, all else to standard error. Without --yes nothing is written unless you say so;\nwhere nobody can be asked, the exit code is ${exitCodes.notWritten}. \`emend undo\` takes a change back.`,
    )
    .action(async (files: readonly string[], options) => {
      const { edit } = await import("./edit.ts");
      const untold = { message: undefined, read: undefined, root: undefined, model: undefined, format: undefined };
      const more = { maxRetries: undefined, answer: undefined, at: undefined };
      // An option that can be given and forbidden is true where nobody says anything.
      const check = options.check === true ? undefined : options.check;
      exitCode = await edit(files, { ...untold, ...more, ...options, check }, terminal);
    });
  program
    .command("apply <ANSWER>")
    .description(
      "make the edits of an answer, in whichever format it is, in the files that it names; - is standard input",
    )
    .option(
      "--root <dir>",
      "the folder that the answer's paths are in; this folder's git repository or project unless told",
    )
    .option("--format <name>", formatHelp)
    .option("-y, --yes", "write without a question", false)
    .option("--dry-run", "write nothing, and do not ask", false)
    .option("--json", "print one JSON object, also for errors", false)
    .action(async (answer: string, options) => {
      const { apply } = await import("./apply.ts");
      exitCode = await apply(answer, { root: undefined, format: undefined, ...options }, terminal);
    });
  program
    .command("impact [RANGE]")
    .description("say what a change may affect, and which of that it has not touched")
    .option("--staged", "the change in the index, instead of the whole work tree", false)
    .option("--diff <file>", "the change of this unified diff, made to the files as they are; - reads standard input")
    .option("--all", "list also what is possible but not likely", false)
    .option("--explain <FILE:LINE>", "say all that is known of the block on this line")
    .option("--min-likelihood <p>", "the least likelihood of what is to be done, from 0 to 1; 0.35 unless told", share)
    .option("--max-hops <n>", "how many steps a change is followed; 3 unless told", wholeNumber)
    .addOption(new Option("--fail-on <what>", failOnHelp).choices(["missed"]))
    .option("--json", "print one JSON object, also for errors", false)
    .option("--sarif", "print a log of SARIF 2.1.0, for code hosts", false)
    .option("--dot", "print a graph in the DOT language", false)
    .option("--html", "print a page with the list and the graph", false)
    .option("--workspace <dir>", "the folder to look at; this folder's git repository or project unless told")
    .addHelpText(
      "after",
      "\nRANGE is as in `git diff`: A for what changed since A, A..B, or A...B for what B changed since it parted from A.\nWithout one, it is what differs from the last commit, files that git does not track included.",
    )
    .action(async (range: string | undefined, options) => {
      const { impact } = await import("./impact.ts");
      const untold = { diff: undefined, explain: undefined, failOn: undefined, workspace: undefined };
      exitCode = await impact(range, { minLikelihood: undefined, maxHops: undefined, ...untold, ...options }, terminal);
    });
  const plan = boundingPlan(program.command("plan [INSTRUCTION]"))
    .enablePositionalOptions()
    .description("carry a change through the whole workspace: by rules, by a model if you name one, the rest as a list")
    .option("--at <FILE:LINE>", "begin with the instruction at the block on this line")
    .option(
      "--seed <what>",
      "begin with a change: working-tree (unless told), a RANGE as in `git diff`, a file with a diff",
    )
    .option("--fix", "begin with what the oracles find now", false)
    .option(
      "--findings <file>",
      "begin with the errors in an output that was kept, or in standard input for -; tsc:FILE says how it is read",
    )
    .option(
      "--oracle <command>",
      "a command that judges the workspace, such as 'npx tsc --noEmit'; given again, the next one too",
      oneMore,
    )
    .option(
      "--fleet <file>",
      "plan in each repository that this file lists, a folder or a URL on a line; by workers where REDIS_URL is set",
    )
    .option("--concurrency <n>", "with --fleet and without workers: plans at once; 2 unless told", wholeNumber)
    .addOption(
      new Option("--resume", "go on with the last plan, as `emend plan continue` does").conflicts([
        ...["at", "seed", "fix", "findings", "oracle", "fleet"],
      ]),
    )
    .addHelpText(
      "after",
      `\nIt is carried out in a copy of the workspace. The diff goes to standard output, all else to standard error.\nThe exit code is ${exitCodes.obligations} where steps are left to you. \`emend undo\` takes back what was written.`,
    )
    .action(async (instruction: string | undefined, options) => {
      const seeds = { at: undefined, seed: undefined, findings: undefined };
      const untold = { ...seeds, oracle: undefined, workspace: undefined, ...untoldBounds };
      if (options.fleet !== undefined) {
        const { planFleet } = await import("./plan-fleet.ts");
        exitCode = await planFleet(instruction, { ...untold, concurrency: undefined, ...options }, terminal);
        return;
      }
      const { continuePlan, plan } = await import("./plan.ts");
      if (options.resume) {
        if (instruction !== undefined)
          throw new InvalidArgumentError("--resume takes no instruction: the plan has its own.");
        exitCode = await continuePlan({ ...untoldPlan, ...untoldBounds, done: undefined, ...options }, terminal);
      } else exitCode = await plan(instruction, { ...untold, ...options }, terminal);
    });
  const untoldPlan = { workspace: undefined, plan: undefined };
  const planCommands = [
    writingPlan(plan),
    writingPlan(namingPlan(boundingPlan(plan.command("continue"))))
      .description("go on with a plan: after a kill, or after steps were done by hand")
      .option("--done <step>", "nothing has to change at this step; given again, the next one too", moreSteps)
      .option("--fleet", "with all plans of the last `emend plan --fleet`, where they were left", false)
      .option("--concurrency <n>", "with --fleet and without workers: plans at once; 2 unless told", wholeNumber)
      .action(async (options) => {
        if (options.fleet) {
          const { continueFleet } = await import("./plan-fleet.ts");
          const untold = { ...untoldPlan, done: undefined, concurrency: undefined };
          exitCode = await continueFleet({ ...untold, ...options }, terminal);
          return;
        }
        const { continuePlan } = await import("./plan.ts");
        exitCode = await continuePlan({ ...untoldPlan, ...untoldBounds, done: undefined, ...options }, terminal);
      }),
    writingPlan(namingPlan(plan.command("reject <STEP>")))
      .description("take a step back, and plan what followed from it anew")
      .option("--reason <text>", "why, for the journal")
      .action(async (step: string, options) => {
        const { rejectPlanStep } = await import("./plan.ts");
        exitCode = await rejectPlanStep(planLimit(step), { ...untoldPlan, reason: undefined, ...options }, terminal);
      }),
    writingPlan(namingPlan(plan.command("answer <STEP> [FILE]")))
      .description("take in what a chat said of a step, from a file or from standard input, and go on")
      .action(async (step: string, file: string | undefined, options) => {
        const { answerPlanStep } = await import("./plan.ts");
        exitCode = await answerPlanStep(planLimit(step), { ...untoldPlan, file, ...options }, terminal);
      }),
    writingPlan(namingPlan(plan.command("apply")))
      .description("write what a plan came to, where that was not written yet")
      .action(async (options) => {
        const { applyPlanned } = await import("./plan.ts");
        exitCode = await applyPlanned({ ...untoldPlan, ...options }, terminal);
      }),
    readingPlan(namingPlan(plan.command("show")))
      .description("print the steps of a plan, or show it as a page")
      .option("--html [file]", "as a page with the graph and the diffs: into this file, or printed")
      .option("--step <n>", "one step alone, with its diff", planLimit)
      .option("--prompt", "with --step, what to paste into any chat for it", false)
      .option("--copy", "copy to the clipboard what --prompt prints, instead", false)
      .action(async (options) => {
        const { showPlan } = await import("./plan-show.ts");
        exitCode = await showPlan({ ...untoldPlan, html: undefined, step: undefined, ...options }, terminal);
      }),
    readingPlan(plan.command("list"))
      .description("print the plans of the workspace, the last one last")
      .action(async (options) => {
        const { listKnownPlans } = await import("./plan-show.ts");
        exitCode = await listKnownPlans({ workspace: undefined, ...options }, terminal);
      }),
  ];
  program
    .command("worker")
    .description("carry out what `emend plan --fleet` queues on the Redis that REDIS_URL names, until it is stopped")
    .option("--concurrency <n>", "plans at once; 1 unless told", wholeNumber)
    .option(
      "--takeover-after <seconds>",
      "after so long without a word from a worker its plans are given to others; 60 unless told",
      seconds,
    )
    .action(async (options) => {
      const { worker } = await import("./worker.ts");
      exitCode = await worker({ concurrency: undefined, takeoverAfter: undefined, ...options }, terminal);
    });
  program
    .command("undo [DIR]")
    .description("take back what `edit` or `apply` wrote last, byte for byte")
    .option("--list", "say what was written, and take nothing back", false)
    .option("--steps <n>", "take back so many edits, the last one first; 1 unless told", wholeNumber)
    .option(
      "--id <n>",
      "take back the edit of this number in the list; to take back an undo makes the edit again",
      entryNumber,
    )
    .option("--json", "print one JSON object, also for errors", false)
    .action(async (folder: string | undefined, options) => {
      const { undo } = await import("./undo.ts");
      exitCode = await undo(folder, { steps: undefined, id: undefined, ...options }, terminal);
    });
  program
    .command("fill <FILE>")
    .description("have a model fill a hole of a file with what the grammar of its language lets stand there")
    .requiredOption("--at <LINE:COL>", "the hole, or LINE:COL-LINE:COL for text that is replaced")
    .option(
      "--holes <places>",
      "further holes, written so, with commas between; they are filled in their order in the file",
    )
    .option("--model <name>", fillModelHelp, oneMore)
    .option("--max-tokens <n>", "the most tokens of a filling, of about four bytes each; 200 unless told", tokens)
    .option("--grammar <name>", grammarHelp)
    .option("--members", "hold names behind a dot to the members that types have; TypeScript and JavaScript", false)
    .option("--explain", "say what was refused of what the model wanted, and what could stand there", false)
    .option("--write", "write the file; `emend undo` takes it back", false)
    .option("--json", "print one JSON object, also for errors", false)
    .option("--trust", trustHelp, false)
    .option("--no-cache", "neither read nor write what is kept of the workspace")
    .addHelpText(
      "after",
      "\nThe file goes to standard output with the filling in colour, and between « and » without; all else to standard error.\nWhatever the model says, the filled file is whole by the grammar; the file itself is left as it is without --write.",
    )
    .action(async (file: string, options) => {
      const { fill } = await import("./fill.ts");
      const untold = { holes: undefined, model: undefined, maxTokens: undefined, grammar: undefined };
      exitCode = await fill(file, { ...untold, ...options }, terminal);
    });
  program
    .command("check <FILE> [MIDDLE]")
    .description("say whether a file, or a text in the middle of it, is whole, can be completed, or never will be")
    .option("--at <LINE:COL>", "judge what goes here, or in place of LINE:COL-LINE:COL")
    .option("--grammar <name>", grammarHelp)
    .option("--json", "print one JSON object, also for errors", false)
    .addHelpText(
      "after",
      `\nWith - the middle comes from standard input; without, it is what stands in the range.\nThe exit code is ${exitCodes.done} for whole, ${exitCodes.unfinished} for what can be completed, ${exitCodes.refused} for what cannot.`,
    )
    .action(async (file: string, middle: string | undefined, options) => {
      const { check } = await import("./check.ts");
      exitCode = await check(file, middle, { at: undefined, grammar: undefined, ...options }, terminal);
    });
  const grammar = program
    .command("grammar")
    .description(
      "compile a grammar of yours, export one for servers that constrain by themselves, list those that ship",
    );
  grammar
    .command("compile <FILE>")
    .description("check a grammar (.grammar, .ebnf, .gbnf, .lark, or tree-sitter's grammar.json) and make its tables")
    .option("-o, --output <file>", "write the tables here")
    .option("--json", "print one JSON object, also for errors", false)
    .action(async (file: string, options) => {
      const { compileGrammarFile } = await import("./grammar.ts");
      exitCode = await compileGrammarFile(file, { output: undefined, ...options }, terminal);
    });
  grammar
    .command("export <GRAMMAR>")
    .description("print a grammar, a file or one that ships, in another notation")
    .addOption(new Option("--to <notation>", "the notation").choices(["gbnf", "lark", "ebnf"]).makeOptionMandatory())
    .action(async (name: string, options) => {
      const { exportGrammar } = await import("./grammar.ts");
      exitCode = await exportGrammar(name, options, terminal);
    });
  grammar
    .command("list")
    .description("print the grammars that ship")
    .option("--json", "print one JSON object, also for errors", false)
    .action(async (options) => {
      const { listGrammars } = await import("./grammar.ts");
      exitCode = await listGrammars(options, terminal);
    });
  program
    .command("learn [DIR]")
    .description("learn a workspace ahead, so that completing in it is quick from the first time on")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--no-cache", "neither read nor write what is kept of the workspace")
    .action(async (folder: string | undefined, options) => {
      const { learn } = await import("./learn.ts");
      exitCode = await learn(folder, options, terminal);
    });
  program
    .command("status [DIR]")
    .alias("doctor")
    .description("say what was learnt of a workspace, what is skipped and why, and try the models it is set to use")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--model <name>", "try this model instead; several with commas, or given again", oneMore)
    .option("--trust", trustHelp, false)
    .action(async (folder: string | undefined, options) => {
      const { status } = await import("./status.ts");
      exitCode = await status(folder, { model: undefined, ...options }, terminal);
    });
  const config = program
    .command("config [DIR]")
    .description("print the settings that hold in a workspace, and where each came from")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--trust", trustHelp, false)
    .action(async (folder: string | undefined, options) => {
      const { config } = await import("./config.ts");
      exitCode = await config(folder, options, terminal);
    });
  config
    .command("schema")
    .description("print the JSON schema of a configuration file, for editors")
    .action(async () => {
      const { configSchema } = await import("./config.ts");
      exitCode = configSchema(terminal);
    });
  program
    .command("lsp")
    .description("serve an editor with ghost text, over the Language Server Protocol")
    .option("--stdio", "speak over standard input and output, as without any option", false)
    .option("--node-ipc", "speak over the channel of a process forked by Node", false)
    .option("--socket <port>", "speak over a socket that the editor listens on", port)
    .option("--pipe <name>", "speak over a named pipe that the editor listens on")
    .option("--model <name>", modelHelp, oneMore)
    .option("--trust", trustHelp, false)
    // Clients of VS Code add it; the same number comes with their first message.
    .addOption(new Option("--clientProcessId <pid>").hideHelp())
    .action(async (options) => {
      const { lsp } = await import("./lsp.ts");
      exitCode = await lsp({ socket: undefined, pipe: undefined, model: undefined, ...options }, terminal);
    });
  program
    .command("serve [DIR]")
    .description("show a folder on a page in your browser, with ghost text, next edits, edits and plans")
    .option("--port <n>", "the port of this machine; a free one unless told", port)
    .option("--no-open", "print the page's address, and leave the browser alone")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--model <name>", modelHelp, oneMore)
    .option("--trust", trustHelp, false)
    // For those who work on the page.
    .addOption(new Option("--page <dir>").hideHelp())
    .addHelpText(
      "after",
      "\nThe page is served to this machine only. Its address holds a secret: who knows it may read and write the folder.\nCtrl-C ends.",
    )
    .action(async (folder: string | undefined, options) => {
      const { serve } = await import("./serve.ts");
      exitCode = await serve(folder, { port: undefined, model: undefined, page: undefined, ...options }, terminal);
    });
  for (const command of [...program.commands, ...config.commands, ...grammar.commands, ...planCommands])
    command.exitOverride().configureOutput(output).helpOption("-h, --help", "print help");

  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    const { CommandFailure } = await import("./failure.ts");
    const known = program.commands.some((command) => [command.name(), ...command.aliases()].includes(args[0] ?? ""));
    const hint = `Try \`emend ${known ? `${args[0]} ` : ""}--help\`.`;
    const message = sentenceOf(complaint === "" ? error.message : complaint);
    throw new CommandFailure("usage", `${message} ${hint}`, { exitCode: exitCodes.usage });
  }
  return exitCode;
}

/** `error: unknown option '--jsn'\n(Did you mean --json?)` as a sentence on one line. */
function sentenceOf(complaint: string): string {
  const line = complaint
    .trim()
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ");
  const sentence = line.charAt(0).toUpperCase() + line.slice(1);
  return /[.?!)]$/.test(sentence) ? sentence : `${sentence}.`;
}

function exitCodeTable(): string {
  return Object.entries(exitCodeMeanings)
    .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
    .join("\n");
}

function wholeNumber(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > 100)
    throw new InvalidArgumentError("Give a number from 1 to 100.");
  return count;
}

const failOnHelp = `missed: exit with ${exitCodes.missed} when a block that is likely to be affected was not changed`;
const modelHelp =
  "the model that completes, whatever the configuration says; several in order of preference with commas, or given again";
const nextModelHelp =
  "the model that is asked where nothing follows from your edits, whatever the configuration says; none unless named";
const nextFormatHelp =
  "how that model is asked, such as zeta, sweep or chat; what it is known to be trained for unless told";
const eagernessHelp =
  "suggest as by itself, as next.eagerness says: quiet, normal or eager; all that is known unless told";
const editModelHelp =
  "the chat model that is asked, whatever the configuration says; several with commas, or given again, each where the one before does not answer";
const fillModelHelp =
  "the model that fills, whatever the configuration says; the first that can of several with commas, or given again";
const grammarHelp = "a grammar's file, or one that ships; that of the file's language unless told";
const regionHelp =
  "rewrite these lines of the one file and nothing else: 10-14, or 12:5-14:1 for a stretch, 12:5 for a place; given again, the next ones too";
const formatHelp = "how the edits are written; found out unless told";
const trustHelp = "let the workspace's configuration run code and choose servers";

/** Adds what all commands take that are about the plans of a workspace. */
function readingPlan(command: Command): Command {
  return command
    .option("--workspace <dir>", "the folder to work on; this folder's git repository or project unless told")
    .option("--json", "print one JSON object, also for errors", false);
}

/** Adds who is asked in a plan, and how far it may go. */
function boundingPlan(command: Command): Command {
  return command
    .option(
      "--model <name>",
      "the chat model that is asked where no rule tells what to write; none unless told",
      oneMore,
    )
    .option("--oracle-timeout <seconds>", "how long one answer of an oracle may take; 600 unless told", planLimit)
    .option("--max-steps <n>", "the most blocks that are looked at; 500 unless told", planLimit)
    .option("--max-rounds <n>", "how often the oracles may send it on; 4 unless told", planLimit)
    .option("--max-tokens <n>", "the most tokens that models are shown and write, as estimated", planLimit)
    .option("--max-cost <amount>", "the most that models may cost, in the currency of their price", amount)
    .option(
      "--price <in/out>",
      "what a million tokens cost that models are shown, and that they write, such as 3/15; as configured unless told",
      price,
    );
}

const untoldBounds = {
  ...{ model: undefined, oracleTimeout: undefined, maxSteps: undefined, maxRounds: undefined },
  ...{ maxTokens: undefined, maxCost: undefined, price: undefined },
};

/** Adds what all commands take that write what a plan came to. */
function writingPlan(command: Command): Command {
  return readingPlan(command)
    .option("-y, --yes", "write without a question", false)
    .option("--dry-run", "write nothing, and do not ask", false)
    .option("--branch <name>", "commit it on a new branch, and leave your files as they are")
    .option("--trust", trustHelp, false);
}

function namingPlan(command: Command): Command {
  return command.option("--plan <name>", "a plan of `emend plan list`; the last one unless told");
}

function planLimit(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 1e9)
    throw new InvalidArgumentError("Give a whole number from 1 on.");
  return number;
}

function amount(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number < Number.POSITIVE_INFINITY))
    throw new InvalidArgumentError("Give an amount of money without its currency, such as 2 or 0.5.");
  return number;
}

/** Reads `3/15`. */
function price(value: string): { readonly input: number; readonly output: number } {
  const [, input, output] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(value) ?? [];
  if (input !== undefined) return { input: Number(input), output: Number(output) };
  throw new InvalidArgumentError("Give two amounts for a million tokens, shown and written, such as 3/15.");
}

function moreSteps(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, planLimit(value)];
}

/** Collects what an option says each time it is given. */
function oneMore(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function retries(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 0 || count > 10)
    throw new InvalidArgumentError("Give a number from 0 to 10.");
  return count;
}

function tokens(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > 100_000)
    throw new InvalidArgumentError("Give a number from 1 to 100000.");
  return count;
}

function entryNumber(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("Give a number of `emend undo --list`.");
  return number;
}

function seconds(value: string): number {
  const count = Number(value);
  if (!(count >= 1 && count <= 3600)) throw new InvalidArgumentError("Give a number of seconds from 1 to 3600.");
  return count;
}

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw new InvalidArgumentError("Give a number from 1 to 65535.");
  return number;
}

function share(value: string): number {
  const number = Number(value);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError("Give a number from 0 to 1.");
  return number;
}
