/** The client: runs in Node and in browsers, and needs nothing but fetch. */
export type {
  Alarm,
  BanditList,
  BanditSummary,
  BanditView,
  Change,
  Counters,
  Decision,
  DecisionView,
  Document,
  Evaluation,
  EvaluationQuery,
  Feedback,
  FeedbackResult,
  History,
  NewBandit,
  NewDecision,
  Problem,
  RepairResult,
} from "../schemas.js";
export { type AskOptions, ClientError } from "./ask.js";
export {
  type Client,
  type ClientFeedbackResult,
  type ClientOptions,
  createClient,
  type Decided,
  type DecideOptions,
  type Fallback,
  type FallbackDecision,
  type ItemResult,
  type ServiceDecision,
} from "./createClient.js";
