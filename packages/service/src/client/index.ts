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
  ErrorBody,
  Evaluation,
  Feedback,
  FeedbackResult,
  History,
  NewBandit,
  NewDecision,
} from "../schemas.js";
export { ClientError } from "./ask.js";
export {
  type Client,
  type ClientFeedbackResult,
  type ClientOptions,
  createClient,
  type Decided,
  type DecideOptions,
  type FallbackDecision,
  type ItemResult,
  type ServiceDecision,
} from "./createClient.js";
