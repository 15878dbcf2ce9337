import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { expect, it } from "vitest";
import {
  BanditList,
  BanditView,
  DecisionProbabilities,
  DecisionView,
  Evaluation,
  History,
  RecentDecisions,
  Timeline,
} from "../../service/src/schemas.js";
import {
  emptyEvaluation,
  emptyHistory,
  emptyTimeline,
  SAMPLE_ALARMS,
  sampleDecision,
  sampleEvaluation,
  sampleHistory,
  sampleList,
  sampleProbabilities,
  sampleRecent,
  sampleTimeline,
  sampleView,
} from "./samples.js";

const NOW = Date.UTC(2026, 10, 16, 12);

it.each<[string, TSchema, unknown]>([
  ["list", BanditList, sampleList(NOW)],
  ["view", BanditView, sampleView(NOW)],
  ["view with alarms", BanditView, sampleView(NOW, { alarms: SAMPLE_ALARMS })],
  ["history", History, sampleHistory(NOW)],
  ["history of shares", History, sampleHistory(NOW, { shares: true })],
  ["history of nothing", History, emptyHistory()],
  ["evaluation", Evaluation, sampleEvaluation()],
  ["evaluation of nothing", Evaluation, emptyEvaluation()],
  ["timeline", Timeline, sampleTimeline(NOW)],
  ["timeline of nothing", Timeline, emptyTimeline(NOW)],
  ["last decisions", RecentDecisions, sampleRecent(NOW)],
  ["probabilities", DecisionProbabilities, sampleProbabilities()],
  ["decision", DecisionView, sampleDecision(NOW)],
])("the %s that the page is tested with is one that the service could send", (_, schema, sample) => {
  const [, errors] = Compile(schema).Errors(JSON.parse(JSON.stringify(sample)));
  expect(errors).toEqual([]);
});

it("a sample that the service could not send is seen", () => {
  expect(Compile(BanditView).Check({ ...sampleView(NOW), name: "<b>" })).toBe(false);
});
