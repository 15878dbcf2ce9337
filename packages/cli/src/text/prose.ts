import { stripVTControlCharacters } from "node:util";

/** The width of a help that does not go to a terminal, in characters; Commander takes the same. */
const HELP_WIDTH = 80;

/** A line broken between words, with the later parts indented. A word that is too long stays whole. */
export function brokenLine(text: string, room: number, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)!} ${word}`;
    if (lines.length === 0 || stripVTControlCharacters(longer).length <= room) lines[Math.max(0, lines.length - 1)] = longer;
    else lines.push(indent + word);
  }
  return lines;
}

/** Text for a terminal of that many columns: prose is broken between words. Tables, and indented lines such as commands, stay as they are; so does everything in a pipe. */
export function wrappedProse(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  const line = (each: string) => (/^[\s│┌├└]/.test(each) ? [each] : brokenLine(each, columns, each.startsWith("- ") ? "  " : ""));
  return text.split("\n").flatMap(line).join("\n");
}

/** A command at the end of a message, to copy. */
const COMMAND = /^(.*?: )((?:npx |npm |tsallis ).*)$/;

/** A message for a terminal of that many columns: later lines are indented, and a command at its end has a line of its own, in one piece. */
export function wrappedMessage(message: string, columns: number | undefined): string {
  if (columns === undefined || message.length <= columns) return message;
  const [, words = message, command] = COMMAND.exec(message) ?? [];
  return [...brokenLine(words.trimEnd(), columns, "  "), ...(command === undefined ? [] : [`  ${command}`])].join("\n");
}

/** What stands below the options of a command: lines that follow one another are one paragraph, wrapped to the width of the terminal; indented lines stay as they are. */
export function helpText(text: string): string {
  const paragraphs = text.replace(/(?<=^|\n)(\S.*)\n(?=\S)/g, "$1 ");
  return wrappedProse(paragraphs, process.stdout.columns ?? HELP_WIDTH);
}
