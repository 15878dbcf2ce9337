import type { ServiceEvent } from "@tsallis/service";
import { shownPath } from "./shownPath.js";

const JSON_HEADER = "-H content-type:application/json";

/** What a service that has started tells people: where it is, and what to try. At most 80 characters wide, as far as names allow. */
export function serveText(url: string, store: string, needsKey: boolean, isDemo: boolean): string {
  const key = needsKey ? ' \\\n    -H "authorization: Bearer $KEY"' : "";
  const curl = (how: string, path: string, body: string) => `  curl${how} ${url}v1/bandits/${path} \\\n    ${JSON_HEADER}${key} -d '${body}'\n`;
  const keys = needsKey ? "needed; tsallis keys add makes one" : "none, so whoever is on this machine may do everything";
  const demo =
    "demo       a simulated client asks for 30 decisions per second of the bandit\n           payments, on four made-up providers; one gets slower after 3 minutes\n";
  return `dashboard  ${url}
store      ${/^\w+:\/\//.test(store) ? store : shownPath(store)}
keys       ${keys}
${isDemo ? demo : ""}
Try it, in another terminal:

${curl(" -X PUT", "first", '{"arms":["a","b","c"]}')}${curl("", "first/decisions", '{"id":"visit-1"}')}${curl("", "first/decisions/visit-1/feedback", '{"loss":4.2}')}
Ctrl-C stops it. Problems are told here; --json-log tells of every request.
`;
}

/** The line that people are shown for an event; most events are not worth one. */
export function serviceEventText({ event, message }: ServiceEvent): string | undefined {
  if (event === "problem") return `problem: ${message}`;
  if (event === "waiting") return `waiting for the store; ${message}; Ctrl-C ends it`;
  if (event === "stopped") return "stopped";
  return undefined;
}
