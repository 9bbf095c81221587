import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { packageVersion } from "./package-version.ts";
import { type ExitCode, exitCodeMeanings, exitCodes } from "./terminal/exit-codes.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * Runs the command line. Commands are loaded when they run, so that help and usage errors are
 * quick. Rejects with a `CommandFailure` or whatever else a command throws.
 */
export async function run(args: readonly string[], outside: Terminal): Promise<ExitCode> {
  let terminal = outside;
  let exitCode: ExitCode = exitCodes.done;
  let errorOutput = "";
  const program = new Command("emend")
    .description(
      "Completes code with a model learnt from your workspace, without a server or key, and edits it with any chat model.",
    )
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print the help of a command")
    .showSuggestionAfterError()
    // Options after `plan continue` belong to that command, not to `plan`.
    .enablePositionalOptions()
    .addHelpText(
      "after",
      `\nExit codes:\n${exitCodeTable()}\n\nEnvironment: EMEND_CACHE_DIR sets the folder of caches, EMEND_STATE_DIR that of the edit journal and plans.\nPAGER names the program that shows a plan's diff where it is longer than the terminal; default: less -FRX.\nEMEND_DEBUG=1 prints stack traces.`,
    );
  /** An action whose exit code is that of the program. */
  const ending =
    (command: (...args: Parameters<Parameters<Command["action"]>[0]>) => Promise<ExitCode>) =>
    async (...args: Parameters<typeof command>) => {
      exitCode = await command(...args);
    };
  const output = {
    writeOut: (text: string) => terminal.out(text),
    writeErr: (text: string) => {
      errorOutput += text;
    },
  };
  program.configureOutput(output).exitOverride();
  program.hook("preAction", async () => {
    const { hideKeys, maskedTerminal } = await import("./terminal/masked-terminal.ts");
    terminal = maskedTerminal(terminal);
    hideKeys(terminal);
  });

  program
    .command("complete <FILE:LINE:COL>")
    .description("print a completion for a place in a file, and its likelihood")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--stdin", "read the unsaved text of the file from standard input", false)
    .option("--all", "print the alternatives too", false)
    .option("--explain", "print where each token comes from, the prompt, and a trace with times", false)
    .option("--model <name>", modelHelp, collect)
    .option("--trust", trustHelp, false)
    .option("--workspace <dir>", "the workspace folder; default: the file's git repository or project")
    .option(
      "--max-lines <n>",
      "the most lines to insert; default: 1, with named models the setting complete.maxLines",
      wholeNumber,
    )
    .option(
      "--min-probability <p>",
      "the least likelihood of a completion, from 0 to 1; default: what is worth a person's attention",
      share,
    )
    .option("--no-cache", "do not use the cached index of the workspace")
    .addHelpText(
      "after",
      "\nLines and columns count from 1; columns count UTF-16 code units, as editors do.\nThe text to insert is dim with colours, otherwise between « and ».\nWithout a completion the reason is printed, and the exit code is 0.",
    )
    .action(
      ending(async (place, options) => (await import("./complete/complete.ts")).complete(place, options, terminal)),
    );
  program
    .command("next [PLACE]")
    .description("suggest the next edit after your recent edits, here or in another file; works without a model")
    .option(
      "--history <what>",
      "your recent edits: the file of a unified diff that is already applied, - for standard input, or git for the changes since the last commit; default: git",
    )
    .option("--watch", "watch the workspace, and print the next edit after each save, until Ctrl-C", false)
    .option("--apply", "write the edit; `emend undo` restores the files", false)
    .option("--chain", "include all edits of the same change, such as the rest of a rename, checked together", false)
    .option("--all", "list further locations too", false)
    .option("--explain", "print a trace, and the suggestions that were filtered out, with reasons", false)
    .option("--model <name>", nextModelHelp, collect)
    .option("--format <name>", nextFormatHelp)
    .addOption(new Option("--eagerness <how>", eagernessHelp).choices(["quiet", "normal", "eager"]))
    .option(
      "--workspace <dir>",
      "the workspace folder; default: the git repository or project of the file or of this folder",
    )
    .option("--json", "print one JSON object, also for errors; with --watch one per line", false)
    .option("--trust", trustHelp, false)
    .addHelpText(
      "after",
      "\nPLACE is the cursor, as FILE:LINE:COL or FILE:LINE; default: the end of the last edit.\nThe edit is printed as a diff for `git apply`. Without a suggestion the reason is printed, and the exit code is 0.",
    )
    .action(ending(async (place, options) => (await import("./next/next.ts")).next(place, options, terminal)));
  program
    .command("record [FILE]")
    .description("record your edits in a workspace to a local file for `emend replay`, until Ctrl-C")
    .option("--out <file>", "the new file for the recording; default: session.edits.json in this folder")
    .option(
      "--workspace <dir>",
      "the workspace folder; default: the git repository or project of FILE or of this folder",
    )
    .addHelpText(
      "after",
      "\nWith FILE only that file is recorded. Each save is recorded as a minimal edit.\nFiles with secrets are not recorded, and keys in other files are masked. Nothing leaves your machine.",
    )
    .action(ending(async (file, options) => (await import("./next/record.ts")).record(file, options, terminal)));
  program
    .command("replay <RECORDING>")
    .description("replay a recorded session, and compare the suggestion after each edit with the edits that followed")
    .option(
      "--origins <list>",
      "the providers to use, separated by commas: example, name, fix, impact, model; default: all",
    )
    .option("--model <name>", nextModelHelp, collect)
    .option("--format <name>", nextFormatHelp)
    .addOption(new Option("--eagerness <how>", eagernessHelp).choices(["quiet", "normal", "eager"]))
    .option(
      "--explain",
      "print a trace of each request, and the suggestions that were filtered out, with reasons",
      false,
    )
    .option("--json", "print one JSON object, also for errors", false)
    .action(
      ending(async (recording, options) => (await import("./next/replay.ts")).replay(recording, options, terminal)),
    );
  program
    .command("edit [FILE...]")
    .description("change files by an instruction: requests a chat model, shows the diff, and writes it if you confirm")
    .option("-m, --message <text>", "the instruction, in any language; - reads standard input")
    .option("--model <name>", editModelHelp, collect)
    .option("--read <file>", "a file for the prompt that is not changed; may be repeated", collect)
    .option("--prompt", "print the prompt, to paste into any chat, instead of requesting a model", false)
    .option("--copy", "copy the prompt to the clipboard instead of printing it", false)
    .option(
      "--answer <file>",
      "apply the answer of a chat from this file instead of requesting a model; - reads standard input",
    )
    .option(
      "--verify <command>",
      "a command that verifies each change; where it fails, the model gets its output and repairs the change",
    )
    .option("--no-verify", "run no verification command, even if one is configured")
    .option("--max-retries <n>", "how often the model may repair its answer, from 0 to 10; default: 3", retries)
    .option("--at <lines>", regionHelp, collect)
    .addOption(
      new Option("--guide <when>", "with --at: constrain new text by the language's grammar; auto does so where it can")
        .choices(["auto", "off", "always"])
        .default("auto"),
    )
    .option("--explain", "with --at: print what the grammar refused of the model's text, and what it expected", false)
    .option("--format <name>", formatHelp)
    .option("--no-formatter", "do not format the changed lines with the project's formatter")
    .option("--root <dir>", "the workspace folder; default: the first file's git repository or project")
    .option("--trust", "trust the workspace: its configuration may choose servers, and its formatter may run", false)
    .option("-y, --yes", "write without asking", false)
    .option("--dry-run", "only show the changes", false)
    .option("--json", "print one JSON object, also for errors", false)
    .addHelpText(
      "after",
      `\nNamed files that do not exist may be created; in an empty folder no file need be named.\nThe diff goes to standard output, all else to standard error. Without --yes you are asked before writing;\nwithout a terminal nothing is written, and the exit code is ${exitCodes.notWritten}. \`emend undo\` restores the files.`,
    )
    .action(async (files: readonly string[], options) => {
      const { edit } = await import("./edit/edit.ts");
      // An option with a `--no-` form is true where neither is given.
      const verify = options.verify === true ? undefined : options.verify;
      exitCode = await edit(files, { ...options, verify }, terminal);
    });
  program
    .command("apply <ANSWER>")
    .description(
      "apply the edits of a chat's answer, in any edit format, to the files that it names; - reads standard input",
    )
    .option("--root <dir>", "the folder of the answer's paths; default: this folder's git repository or project")
    .option("--format <name>", formatHelp)
    .option("--search", "look in the whole workspace for the functions or classes that a plain answer contains", false)
    .option("-y, --yes", "write without asking", false)
    .option("--dry-run", "only show the changes", false)
    .option("--json", "print one JSON object, also for errors", false)
    .action(ending(async (answer, options) => (await import("./edit/apply.ts")).apply(answer, options, terminal)));
  program
    .command("impact [RANGE]")
    .description("print what a change may affect, and which affected blocks it leaves unchanged")
    .option("--staged", "the staged change instead of the whole work tree", false)
    .option("--diff <file>", "the change of a unified diff that is not applied yet; - reads standard input")
    .option("--all", "list unlikely effects too", false)
    .option("--explain <FILE:LINE>", "print all effects on the block on this line")
    .option(
      "--min-likelihood <p>",
      "the least likelihood of an effect to be listed as to do, from 0 to 1; default: 0.35",
      share,
    )
    .option("--max-hops <n>", "the most steps from the change to an effect; default: 3", wholeNumber)
    .addOption(new Option("--fail-on <what>", failOnHelp).choices(["missed"]))
    .option("--json", "print one JSON object, also for errors", false)
    .option("--sarif", "print a SARIF 2.1.0 log, for code hosts", false)
    .option("--dot", "print a graph in the DOT language", false)
    .option("--html", "print an HTML page with the list and the graph", false)
    .option("--workspace <dir>", "the workspace folder; default: this folder's git repository or project")
    .option("--trust", "trust the workspace: filters of its git configuration (clean, smudge) may run", false)
    .addHelpText(
      "after",
      "\nRANGE is as in `git diff`: A for the changes since A, A..B, or A...B for the changes of B since its merge base with A.\nDefault: the changes since the last commit, untracked files included.",
    )
    .action(ending(async (range, options) => (await import("./impact/impact.ts")).impact(range, options, terminal)));
  const plan = boundingPlan(program.command("plan [INSTRUCTION]"))
    .enablePositionalOptions()
    .description(
      "propagate a change through the whole workspace: by rules, by a model if you name one, and list what is left",
    )
    .option("--at <FILE:LINE>", "start with the instruction at the block on this line")
    .option(
      "--seed <what>",
      "start with a change: working-tree, a RANGE as in `git diff`, or the file of a diff; default: working-tree",
    )
    .option("--fix", "start with the diagnostics that the verification commands report now", false)
    .option(
      "--findings <file>",
      "start with the errors in a saved output; - reads standard input, tsc:FILE sets the format",
    )
    .option(
      "--verify <command>",
      "a command that verifies the workspace, such as 'npx tsc --noEmit'; may be repeated",
      collect,
    )
    .option(
      "--fleet <file>",
      "plan in each repository of this list, a folder or URL per line; by workers if REDIS_URL is set",
    )
    .option("--concurrency <n>", "with --fleet, without workers: plans at once; default: 2", wholeNumber)
    .addOption(
      new Option("--resume", "continue the last plan, like `emend plan continue`").conflicts([
        ...["at", "seed", "fix", "findings", "verify", "fleet"],
      ]),
    )
    .addHelpText(
      "after",
      `\nThe plan runs in a copy of the workspace. The diff goes to standard output, all else to standard error.\nThe exit code is ${exitCodes.obligations} if steps are left to you. \`emend undo\` restores the written files.`,
    )
    .action(async (instruction: string | undefined, options) => {
      if (instruction !== undefined && !args.includes("--")) {
        const { checkMistypedSubcommand } = await import("./plan/mistyped-subcommand.ts");
        const names = { subcommands: planCommands.map(nameOf), commands: program.commands.map(nameOf) };
        checkMistypedSubcommand(instruction, names);
      }
      if (options.fleet !== undefined) {
        const { planFleet } = await import("./plan/plan-fleet.ts");
        exitCode = await planFleet(instruction, options, terminal);
        return;
      }
      const { continuePlan, plan } = await import("./plan/plan.ts");
      if (options.resume) {
        if (instruction !== undefined)
          throw new InvalidArgumentError(
            "--resume takes no instruction: the plan has one already. Leave the instruction out.",
          );
        exitCode = await continuePlan(options, terminal);
      } else exitCode = await plan(instruction, options, terminal);
    });
  const planCommands = [
    writingPlan(plan),
    writingPlan(namingPlan(boundingPlan(plan.command("continue"))))
      .description("continue a plan: after an interruption, or after you did steps by hand")
      .option("--done <step>", "mark this step as done without a change; may be repeated", collectSteps)
      .option("--fleet", "continue all plans of the last `emend plan --fleet`", false)
      .option("--concurrency <n>", "with --fleet, without workers: plans at once; default: 2", wholeNumber)
      .action(async (options) => {
        if (options.fleet) {
          const { continueFleet } = await import("./plan/plan-fleet.ts");
          exitCode = await continueFleet(options, terminal);
          return;
        }
        const { continuePlan } = await import("./plan/plan.ts");
        exitCode = await continuePlan(options, terminal);
      }),
    writingPlan(namingPlan(plan.command("reject <STEP>")))
      .description("undo a step, and plan again what followed from it")
      .option("--reason <text>", "the reason, for the journal")
      .action(
        ending(async (step, options) =>
          (await import("./plan/plan.ts")).rejectPlanStep(planLimit(step), options, terminal),
        ),
      ),
    writingPlan(namingPlan(plan.command("answer <STEP> [FILE]")))
      .description("apply a chat's answer for a step, from a file or standard input, and continue")
      .action(
        ending(async (step, file, options) =>
          (await import("./plan/plan.ts")).answerPlanStep(planLimit(step), { file, ...options }, terminal),
        ),
      ),
    writingPlan(namingPlan(plan.command("apply")))
      .description("write the changes of a plan that are not written yet")
      .action(ending(async (options) => (await import("./plan/plan.ts")).applyPlanned(options, terminal))),
    readingPlan(namingPlan(plan.command("show")))
      .description("print the steps of a plan, or its HTML page")
      .option("--html [file]", "an HTML page with the graph and the diffs: written to this file, or printed")
      .option("--step <n>", "only this step, with its diff", planLimit)
      .option("--prompt", "with --step: print its prompt, to paste into any chat", false)
      .option("--copy", "copy the prompt to the clipboard instead of printing it", false)
      .action(ending(async (options) => (await import("./plan/plan-show.ts")).showPlan(options, terminal))),
    readingPlan(plan.command("list"))
      .description("print the plans of the workspace, the newest last")
      .action(ending(async (options) => (await import("./plan/plan-show.ts")).listKnownPlans(options, terminal))),
  ];
  program
    .command("worker")
    .description("run the plans that `emend plan --fleet` queues on the Redis of REDIS_URL, until Ctrl-C")
    .option("--concurrency <n>", "plans at once; default: 1", wholeNumber)
    .option(
      "--takeover-after <seconds>",
      "seconds without a heartbeat of a worker after which others take over its plans; default: 60",
      seconds,
    )
    .action(ending(async (options) => (await import("./plan/worker.ts")).worker(options, terminal)));
  program
    .command("undo [DIR]")
    .description("undo the last written edit: restores its files byte for byte")
    .option("--list", "list the written edits, and undo nothing", false)
    .option("--steps <n>", "the number of edits to undo, the last one first; default: 1", wholeNumber)
    .option("--id <n>", "undo the edit with this number in the list; undoing an undo restores the edit", entryNumber)
    .option("--json", "print one JSON object, also for errors", false)
    .action(ending(async (folder, options) => (await import("./edit/undo.ts")).undo(folder, options, terminal)));
  program
    .command("fill <FILE>")
    .description("fill a hole in a file with a model, constrained by the grammar of its language")
    .requiredOption("--at <LINE:COL>", "the hole, or LINE:COL-LINE:COL to replace text")
    .option("--holes <places>", "further holes, separated by commas; all are filled in the order of the file")
    .option("--model <name>", fillModelHelp, collect)
    .option("--max-tokens <n>", "the most tokens of a filling, of about four bytes each; default: 200", tokens)
    .option(
      "--read-timeout <seconds>",
      "the most seconds for parsing the text with its grammar; default: 10",
      fractionalSeconds,
    )
    .option(
      "--search-timeout <seconds>",
      "the most seconds for searching the likeliest text of a hole; default: 20",
      fractionalSeconds,
    )
    .option("--grammar <name>", grammarHelp)
    .option("--members", "restrict names after a dot to the members of types; TypeScript and JavaScript only", false)
    .option("--explain", "print what the grammar refused of the model's text, and what it expected", false)
    .addOption(
      new Option("--out <place>", "print the whole filled file to standard output (-), also to a terminal").choices([
        "-",
      ]),
    )
    .option("--write", "write the file; `emend undo` restores it", false)
    .option("--json", "print one JSON object, also for errors", false)
    .option("--trust", trustHelp, false)
    .option("--no-cache", "do not use the cached index of the workspace")
    .addHelpText(
      "after",
      "\nTo a terminal the command prints the change as a diff; to a file or a pipe, and with --out -, the filled file, with the filling in colour or between « and ». All else goes to standard error.\nThe result always parses with the grammar. The file itself is only changed with --write.",
    )
    .action(ending(async (file, options) => (await import("./grammar/fill.ts")).fill(file, options, terminal)));
  program
    .command("check <FILE> [-]")
    .description(
      "check whether a file, or a text in the middle of it, is complete, can be completed, or is refused by the grammar",
    )
    .option("--at <LINE:COL>", "check the text for this hole, or in place of LINE:COL-LINE:COL")
    .option("--grammar <name>", grammarHelp)
    .option("--json", "print one JSON object, also for errors", false)
    .addHelpText(
      "after",
      `\nWith - the middle is read from standard input. Without it, the middle is the text of the range.\nThe exit code is ${exitCodes.done} if complete, ${exitCodes.unfinished} if it can be completed, ${exitCodes.refused} if it cannot.`,
    )
    .action(
      ending(async (file, middle, options) =>
        (await import("./grammar/check.ts")).check(file, middle, options, terminal),
      ),
    );
  const grammar = program
    .command("grammar")
    .description(
      "compile your own grammars, export grammars for servers with constrained decoding, list the built-in ones",
    );
  grammar
    .command("compile <FILE>")
    .description(
      "check a grammar (.grammar, .ebnf, .gbnf, .lark, or tree-sitter's grammar.json) and compile its tables",
    )
    .option("-o, --output <file>", "the file for the compiled tables")
    .option("--json", "print one JSON object, also for errors", false)
    .action(
      ending(async (file, options) =>
        (await import("./grammar/grammar.ts")).compileGrammarFile(file, options, terminal),
      ),
    );
  grammar
    .command("export <GRAMMAR>")
    .description("print a grammar, a file or a built-in one, in another notation")
    .addOption(new Option("--to <notation>", "the notation").choices(["gbnf", "lark", "ebnf"]).makeOptionMandatory())
    .action(
      ending(async (name, options) => (await import("./grammar/grammar.ts")).exportGrammar(name, options, terminal)),
    );
  grammar
    .command("list")
    .description("print the built-in grammars")
    .option("--json", "print one JSON object, also for errors", false)
    .action(ending(async (options) => (await import("./grammar/grammar.ts")).listGrammars(options, terminal)));
  program
    .command("learn [DIR]")
    .description("learn a workspace in advance, so that the first completion is fast")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--no-cache", "do not use the cached index of the workspace")
    .action(ending(async (folder, options) => (await import("./learn.ts")).learn(folder, options, terminal)));
  program
    .command("status [DIR]")
    .alias("doctor")
    .description("print what was learnt of a workspace and what was skipped, and try the configured models")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--model <name>", "try this model instead; separate several by commas, or repeat the option", collect)
    .option("--edit-model <name>", "try this model for edits, too, as `edit.model`", collect)
    .option("--trust", trustHelp, false)
    .action(ending(async (folder, options) => (await import("./status.ts")).status(folder, options, terminal)));
  program
    .command("setup")
    .description("find a model server, try its models, and write the settings that use them")
    .option(
      "--server <url>",
      "look at this address instead of the usual ports of this machine; may be repeated",
      collect,
    )
    .option("--workspace [dir]", "write the file of the workspace instead of your own; default: the current one")
    .option(
      "-y, --yes",
      "use the best model of each server on this machine, and write your own file without asking",
      false,
    )
    .option(
      "--hosted <model>",
      "set up a company's model instead: mistral, openai, anthropic, deepseek, google, or a model of theirs; you are told what it gets, and asked",
    )
    .option("--next", "use a model that chats for next edits, too; without it you are asked")
    .option("--reset", "take out again what setup has written", false)
    .option("--json", "print one JSON object, also for errors", false)
    .option("--trust", trustHelp, false)
    .addHelpText(
      "after",
      `\nLooks at 127.0.0.1: llama.cpp at 8012, 8080 and 9931, Ollama at 11434 or OLLAMA_HOST, LM Studio at 1234, vLLM at 8000.\nOnly what answers as such a server is sent more than GET requests. Other machines are contacted only if you confirm.\nEnds with a completion in your code. Without a server the exit code is 0; without your confirmation nothing is written, and it is ${exitCodes.notWritten}.`,
    )
    .action(ending(async (options) => (await import("./setup/setup.ts")).setup(options, terminal)));
  program
    .command("trust [DIR]")
    .description("trust a workspace permanently: its settings may choose servers and run commands")
    .option("--remove", "take the folder out of the trusted ones", false)
    .option("--json", "print one JSON object, also for errors", false)
    .action(ending(async (folder, options) => (await import("./setup/trust.ts")).trust(folder, options, terminal)));
  const config = program
    .command("config [DIR]")
    .description("print the settings of a workspace, and the origin of each")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--trust", trustHelp, false)
    .action(ending(async (folder, options) => (await import("./config.ts")).config(folder, options, terminal)));
  config
    .command("schema")
    .description("print the JSON schema of a configuration file, for editors")
    .action(ending(async () => (await import("./config.ts")).configSchema(terminal)));
  program
    .command("lsp")
    .description("run the language server for an editor: ghost text, next edits, edits and plans")
    .option("--stdio", "communicate over standard input and output (default)", false)
    .option("--node-ipc", "communicate over the IPC channel of a process forked by Node", false)
    .option("--socket <port>", "communicate over a socket that the editor listens on", port)
    .option("--pipe <name>", "communicate over a named pipe that the editor listens on")
    .option("--model <name>", modelHelp, collect)
    .option("--trust", trustHelp, false)
    // Clients of VS Code add it; `initialize` contains the same number.
    .addOption(new Option("--clientProcessId <pid>").hideHelp())
    .action(ending(async (options) => (await import("./server/lsp.ts")).lsp(options, terminal)));
  program
    .command("serve [DIR]")
    .description("serve a folder as a page in your browser, with ghost text, next edits, edits and plans")
    .option("--port <n>", "the port; default: a free one", port)
    .option("--no-open", "print the page's URL without opening the browser")
    .option("--json", "print one JSON object, also for errors", false)
    .option("--model <name>", modelHelp, collect)
    .option("--trust", trustHelp, false)
    // For developing the page.
    .addOption(new Option("--page <dir>").hideHelp())
    .addHelpText(
      "after",
      "\nThe page is served to this machine only. Its URL contains a secret: everyone who has it can read and write the folder.\nStop with Ctrl-C.",
    )
    .action(ending(async (folder, options) => (await import("./server/serve.ts")).serve(folder, options, terminal)));
  for (const command of [...program.commands, ...config.commands, ...grammar.commands, ...planCommands])
    command.exitOverride().configureOutput(output).helpOption("-h, --help", "print help");

  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    // A command without its subcommand prints its help.
    if (error.code === "commander.help") {
      terminal.err(errorOutput);
      return exitCodes.usage;
    }
    const { CommandFailure } = await import("./terminal/failure.ts");
    const command = program.commands.find((one) => [one.name(), ...one.aliases()].includes(args[0] ?? ""));
    const hint = `Try \`emend ${command ? `${args[0]} ` : ""}--help\`.`;
    const message = renamedOptionIn(error, command) ?? sentenceOf(errorOutput === "" ? error.message : errorOutput);
    throw new CommandFailure("usage", `${message} ${hint}`, { exitCode: exitCodes.usage });
  }
  return exitCode;
}

function nameOf(command: Command): string {
  return command.name();
}

/** Options that had another name, and the name of each. */
const renamedOptions: ReadonlyMap<string, string> = new Map([
  ["--oracle", "--verify"],
  ["--oracle-timeout", "--verify-timeout"],
  ["--check", "--verify"],
  ["--no-check", "--no-verify"],
]);

/** The message for an unknown option that `command` has under another name. */
function renamedOptionIn(error: CommanderError, command: Command | undefined): string | undefined {
  const option = error.code === "commander.unknownOption" ? /'(--[\w-]+)/.exec(error.message)?.[1] : undefined;
  const name = option && renamedOptions.get(option);
  return command?.options.some(({ long }) => long === name) ? `The option ${option} is now ${name}.` : undefined;
}

/** Formats `error: unknown option '--jsn'\n(Did you mean --json?)` as a sentence on one line. */
function sentenceOf(errorOutput: string): string {
  const line = errorOutput
    .trim()
    .replace(/^error: /, "")
    .replace(/\s+/g, (blank) => (blank.includes("\n") ? " " : blank));
  const sentence = line.charAt(0).toUpperCase() + line.slice(1);
  return /[.?!)]$/.test(sentence) ? sentence : `${sentence}.`;
}

function exitCodeTable(): string {
  return Object.entries(exitCodeMeanings)
    .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
    .join("\n");
}

const failOnHelp = `missed: exit with ${exitCodes.missed} if a likely affected block was not changed`;
const modelHelp =
  "the model for completions, overriding the configuration; separate several by commas, or repeat the option";
const nextModelHelp =
  "the model for edits that no other provider suggests, overriding the configuration; default: none";
const nextFormatHelp =
  "the prompt format of that model, such as zeta, sweep or chat; default: the one it was trained for";
const eagernessHelp =
  "suggest as an editor does automatically: quiet, normal or eager, as in next.eagerness; default: show the best suggestion";
const editModelHelp =
  "the chat model, overriding the configuration; several, separated by commas or repeated, are fallbacks";
const fillModelHelp =
  "the model for fillings, overriding the configuration; of several, separated by commas or repeated, the first that can fill";
const grammarHelp = "the file of a grammar, or the name of a built-in one; default: that of the file's language";
const regionHelp =
  "rewrite only this region of a single file: 10-14 for lines, 12:5-14:1 for a range, 12:5 for an insertion point; may be repeated";
const formatHelp = "the edit format of the answer; default: detected";
const trustHelp = "trust the workspace: its configuration may run code and choose servers";

/** Adds the options of all commands about the plans of a workspace. */
function readingPlan(command: Command): Command {
  return command
    .option("--workspace <dir>", "the workspace folder; default: this folder's git repository or project")
    .option("--json", "print one JSON object, also for errors", false);
}

/** Adds the options for the model and the limits of a plan. */
function boundingPlan(command: Command): Command {
  return command
    .option("--model <name>", "the chat model for steps that no rule can write; default: none", collect)
    .option(
      "--verify-timeout <seconds>",
      "the most seconds for one run of a verification command; default: 600",
      planLimit,
    )
    .option("--max-steps <n>", "the most steps of the plan; default: 500", planLimit)
    .option("--max-rounds <n>", "the most rounds of verification and repair; default: 4", planLimit)
    .option("--max-tokens <n>", "the most tokens that models read and write, estimated", planLimit)
    .option("--max-cost <amount>", "the highest cost of models, in the currency of --price", amount)
    .option(
      "--price <in/out>",
      "the price of a million input and output tokens, such as 3/15; default: as configured",
      price,
    );
}

/** Adds the options of all commands that write the result of a plan. */
function writingPlan(command: Command): Command {
  return readingPlan(command)
    .option("-y, --yes", "write without asking", false)
    .option("--dry-run", "only show the changes", false)
    .option("--branch <name>", "commit the changes on a new branch instead of writing your files")
    .option("--trust", trustHelp, false);
}

function namingPlan(command: Command): Command {
  return command.option("--plan <name>", "the name of a plan from `emend plan list`; default: the last one");
}

/** Parses `3/15`. */
function price(value: string): { readonly input: number; readonly output: number } {
  const [, input, output] = /^\s*(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/.exec(value) ?? [];
  if (input !== undefined) return { input: Number(input), output: Number(output) };
  throw new InvalidArgumentError("Give the price of a million input and output tokens, such as 3/15.");
}

function collectSteps(value: string, before: readonly number[] = []): readonly number[] {
  return [...before, planLimit(value)];
}

/** Collects the values of an option that may be repeated. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A parser of the numbers that pass `isValid`; for others it throws `message`. */
function numberThat(isValid: (value: number) => boolean, message: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (isValid(value)) return value;
    throw new InvalidArgumentError(message);
  };
}

/** A parser of whole numbers from `from` to `to`. */
function wholeFrom(from: number, to: number, message = `Give a number from ${from} to ${to}.`) {
  return numberThat((value) => Number.isInteger(value) && value >= from && value <= to, message);
}

const planLimit = wholeFrom(1, 1e9, "Give a whole number from 1 on.");
const wholeNumber = wholeFrom(1, 100);
const retries = wholeFrom(0, 10);
const tokens = wholeFrom(1, 100_000);
const entryNumber = wholeFrom(1, Number.POSITIVE_INFINITY, "Give a number of `emend undo --list`.");
const port = wholeFrom(1, 65_535);
const amount = numberThat(
  (value) => value > 0 && value < Number.POSITIVE_INFINITY,
  "Give an amount without a currency, such as 2 or 0.5.",
);
const seconds = numberThat((value) => value >= 1 && value <= 3600, "Give a number of seconds from 1 to 3600.");
/** A time that may be shorter than a second. */
const fractionalSeconds = numberThat(
  (value) => value > 0 && value <= 3_600,
  "Give a number of seconds above 0, up to 3600.",
);
const share = numberThat((value) => value >= 0 && value <= 1, "Give a number from 0 to 1.");
