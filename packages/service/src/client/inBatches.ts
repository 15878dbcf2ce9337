import type { Problem } from "../schemas.js";
import { type Asking, type AskOptions, ask, type ClientError, clientError, isProblem } from "./ask.js";

/** Something that a batch is about. */
export interface Item {
  readonly id: string;
}

const MOST_ITEMS = 1_000;

/** Sends items, 1,000 at a time, as the field of this name. Resolves to what was answered to each, or why it was refused, in order. */
export async function inBatches<Answer extends Item>(
  asking: Asking,
  question: AskOptions & { readonly path: readonly string[]; readonly timeoutMs: number },
  field: "decisions" | "feedback",
  items: readonly Item[],
  isItem: (value: unknown) => value is Answer,
): Promise<(Answer | { readonly id: string; readonly error: ClientError })[]> {
  const results: (Answer | { id: string; error: ClientError })[] = [];
  for (let from = 0; from < items.length; from += MOST_ITEMS) {
    const batch = items.slice(from, from + MOST_ITEMS);
    const isAnswer = (value: unknown): value is Record<string, readonly (Answer | { readonly error: Problem })[]> => {
      const answers = (value as Record<string, unknown> | null)?.[field];
      return Array.isArray(answers) && answers.length === batch.length && answers.every((one) => isItem(one) || isProblem(one?.error));
    };
    const answers = (await ask(asking, { ...question, body: { [field]: batch }, isAnswer }))[field]!;
    for (const [i, answer] of answers.entries())
      results.push("error" in answer ? { id: batch[i]!.id, error: clientError(answer.error as Problem, null) } : answer);
  }
  return results;
}
