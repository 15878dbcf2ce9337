import { Argument, type Command } from "@commander-js/extra-typings";
import { print } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
Completes commands, options, experiments, policies after --policy, and files. Generate it again after an update.

Examples:
  $ tsallis completion bash > ~/.local/share/bash-completion/completions/tsallis
  $ tsallis completion zsh > ~/.zfunc/_tsallis
  $ tsallis completion fish > ~/.config/fish/completions/tsallis.fish
`;

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .summary("print a completion script for a shell")
    .description("Print a completion script for a shell.")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"] as const))
    .addHelpText("after", helpText(HELP))
    .action((shell) => completion(shell, program));
}

async function completion(shell: "bash" | "zsh" | "fish", program: Command): Promise<void> {
  const { builtInNames } = await import("@tsallis/lab");
  const { POLICIES } = await import("tsallis");
  const { completionScript } = await import("../text/completion.js");
  await print(completionScript(shell, program, { experiments: builtInNames(), policies: Object.keys(POLICIES) }));
}
