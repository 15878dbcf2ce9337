import { ServiceError } from "../serviceError.js";

/** What the service's log says of a problem. No loss and no body may be in it, and some errors quote what they are about. */
export function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What is wrong with an event may be its loss. The audit names it.
  if (error instanceof ServiceError)
    return error.message.replace(/(cannot be replayed|does not follow from the log): .*/s, "$1; tsallis audit says why");
  const { name, message, stack = "" } = error;
  const frames = stack.slice(stack.indexOf("\n    at "));
  // The parser of JSON quotes the text.
  return `${error instanceof SyntaxError ? name : `${name}: ${message}`}${frames}`;
}
