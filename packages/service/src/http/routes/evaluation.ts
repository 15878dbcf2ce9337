import type { FastifyInstance } from "fastify";
import { TsallisError } from "tsallis";
import type { BanditQueue } from "../../bandit/banditQueue.js";
import { type Asked, evaluationAnswer } from "../../evaluation/evaluationAnswer.js";
import type { Insights } from "../../insight/insights.js";
import { BanditParameters, Evaluation, EvaluationQuery, PROBLEMS } from "../../schemas.js";
import type { RouteContext } from "../routeContext.js";

/** What the decisions so far say. */
export function addEvaluation(app: FastifyInstance, { registry, insights }: RouteContext): void {
  app.get<{ Params: { name: string }; Querystring: Asked }>(
    "/v1/bandits/:name/evaluation",
    {
      config: { role: "read" },
      schema: {
        operationId: "getEvaluation",
        summary: "What is saved, which arm is best, and may I stop? Answers that hold whenever one looks",
        params: BanditParameters,
        querystring: EvaluationQuery,
        response: { 200: Evaluation, ...PROBLEMS },
      },
    },
    async ({ params, query }) => evaluationOf(await registry.queue(params.name), insights, query),
  );
}

export async function evaluationOf(queue: BanditQueue, insights: Insights, asked: Asked): Promise<Evaluation> {
  requireIndex(asked.index);
  await queue.visit(asked.segment ?? "");
  // The alarm DRIFT decides how arms are compared.
  await insights.alarms(queue);
  const { state, presentDocument: document, learners } = queue.bandit;
  const probabilities = learners.get(asked.segment ?? "")?.probabilities() ?? null;
  return evaluationAnswer(state.evidence!, asked, { state, document, probabilities: probabilities === null ? null : [...probabilities] });
}

/** Also before there is anything that it could be applied to. */
function requireIndex(index: number | undefined): void {
  if (index === undefined || index > 1) return;
  const message = `index must be a number above 1, got ${index}; the losses may have no mean; the capped figures stand`;
  throw new TsallisError("ERR_PARAMETER", "index", index, message);
}
