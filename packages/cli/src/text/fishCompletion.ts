import type { Completable } from "./completable.js";

/** A script for fish. */
export function fishCompletion(commands: readonly Completable[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== "");
  return `function __tsallis_at
    set -l command ''
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case ${paths.map(quoted).join(" ")}
                set command "$command $word"
        end
    end
    test "$command" = "$argv[1]"
end
complete -c tsallis -e
complete -c tsallis -f
${commands.flatMap(lines).join("\n")}
`;
}

function lines({ path, commands, options, values }: Completable): string[] {
  const at = `complete -c tsallis -n ${quoted(`__tsallis_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, summary }) => `${at} -a ${quoted(name)} -d ${quoted(summary)}`),
    ...(values.words.length > 0 ? [`${at} -a ${quoted(values.words.join(" "))}`] : []),
    ...(values.files ? [`${at} -F`] : []),
    ...options.map(({ flags, description, values: given }) => {
      const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const value = given === null ? "" : `${given.files ? " -r -F" : " -x"}${given.words.length > 0 ? ` -a ${quoted(given.words.join(" "))}` : ""}`;
      return `${at} ${names.join(" ")}${value} -d ${quoted(description)}`;
    }),
  ];
}

/** Text as fish reads it back. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
