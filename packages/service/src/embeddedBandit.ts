import type { Static, TSchema } from "typebox";
import type { BanditQueue } from "./bandit/banditQueue.js";
import { change, decide, erase, feedback } from "./bandit/requests.js";
import type { Asked } from "./evaluation/evaluationAnswer.js";
import { either } from "./http/routes/decisions.js";
import { evaluationOf } from "./http/routes/evaluation.js";
import { shapeCheck } from "./http/validator.js";
import { banditView, decisionAnswer, decisionView } from "./http/views.js";
import type { RunningBandits } from "./runBandits.js";
import {
  BanditParameters,
  type BanditView,
  Change,
  type Decision,
  DecisionParameters,
  type DecisionView,
  type Evaluation,
  EvaluationQuery,
  Feedback,
  type FeedbackResult,
  NewBandit,
  NewDecision,
  SegmentQuery,
} from "./schemas.js";

/**
 * A bandit that is asked in this process, without HTTP: the same rules, log and answers. What is wrong with a request rejects with the error that HTTP would
 * answer with. Calls of the same moment share a commit.
 */
export interface EmbeddedBandit<Arm extends string = string> {
  readonly name: string;
  /** Creates it; the same document again changes nothing. */
  create(document: NewBandit & { readonly arms: readonly Arm[] }): Promise<BanditView>;
  /** Which arm? The same id again gives the same decision. */
  decide(options?: NewDecision): Promise<Decision & { readonly arm: Arm }>;
  /** The loss, or the reward, of a decision. With the arm that was used it is refused if another one was decided. */
  feedback(decision: { readonly id: string; readonly arm?: Arm }, feedback: Feedback): Promise<FeedbackResult>;
  /** Its document, probabilities, counts and alarms. */
  view(options?: { readonly segment?: string }): Promise<BanditView>;
  /** Changes arms, window, holdout or state. */
  change(change: Change): Promise<BanditView>;
  /** A decision, its outcome, and why. */
  decision(id: string): Promise<DecisionView>;
  /** Erases the id of a decision from the log, which stays provable. Returns from how many events. */
  erase(id: string): Promise<number>;
  /** What is saved, which arm is best, and may I stop? */
  evaluation(query?: EvaluationQuery): Promise<Evaluation>;
}

/** `run` opens the store and runs its bandits, if that has not happened yet. */
export function embeddedBandit<Arm extends string>(run: () => Promise<RunningBandits>, name: string): EmbeddedBandit<Arm> {
  const loaded = async (): Promise<[queue: BanditQueue, running: RunningBandits]> => {
    const running = await run();
    return [await running.registry.queue(name), running];
  };
  const view = async ({ insights }: RunningBandits, queue: BanditQueue, segment = "") => banditView(queue, segment, await insights.alarms(queue));

  return {
    name,
    async create(document) {
      requireShape(NewBandit, document);
      requireShape(BanditParameters, { name });
      const running = await run();
      const { queue } = await running.registry.create(name, document);
      return view(running, queue);
    },
    async decide(options = {}) {
      requireShape(NewDecision, options);
      const [queue] = await loaded();
      const [made] = await queue.submit(decide([options]));
      if (made instanceof Error) throw made;
      return decisionAnswer(name, made!) as Decision & { readonly arm: Arm };
    },
    async feedback({ id, arm }, given) {
      const body = arm === undefined ? given : { ...given, arm };
      requireShape(DecisionParameters, { name, id });
      requireShape(Feedback, body);
      const [queue, { metrics }] = await loaded();
      const [result] = await queue.submit(feedback([{ id, feedback: either(body) }]));
      metrics.feedback(name, result instanceof Error ? "refused" : result!.status);
      if (result instanceof Error) throw result;
      return result!;
    },
    async view(options = {}) {
      requireShape(SegmentQuery, options);
      const [queue, running] = await loaded();
      await queue.visit(options.segment ?? "");
      return view(running, queue, options.segment);
    },
    async change(wanted) {
      requireShape(Change, wanted);
      const [queue, running] = await loaded();
      await queue.submit(change(wanted));
      return view(running, queue);
    },
    async decision(id) {
      requireShape(DecisionParameters, { name, id });
      const [queue] = await loaded();
      return decisionView(name, await queue.submit({ decisions: [id], segments: [], weight: 0, run: (pending) => pending.describe(id) }));
    },
    async erase(id) {
      requireShape(DecisionParameters, { name, id });
      const [queue] = await loaded();
      return queue.submit(erase(id));
    },
    async evaluation(query = {}) {
      requireShape(EvaluationQuery, query);
      const [queue, { insights }] = await loaded();
      return evaluationOf(queue, insights, { error: 0.05, tolerance: 0, ...query } as Asked);
    },
  };
}

const checks = new Map<TSchema, ReturnType<typeof shapeCheck>>();

/** The same shapes as over HTTP: not every caller has a compiler. */
function requireShape<Schema extends TSchema>(schema: Schema, value: unknown): asserts value is Static<Schema> {
  let problemOf = checks.get(schema);
  if (problemOf === undefined) {
    problemOf = shapeCheck(schema);
    checks.set(schema, problemOf);
  }
  const problem = problemOf(value);
  if (problem !== undefined) throw problem;
}
