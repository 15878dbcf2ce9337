import { digest } from "../log/digest.js";
import { genesis, type NewBandit } from "../log/storedEvent.js";
import type { Document } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import { BanditState } from "./banditState.js";
import { Learner } from "./learner.js";

/** A bandit in memory: its state, and the learners of the segments that are loaded. The document and the log determine it, to the last bit. */
export class Bandit {
  readonly name: string;
  readonly createdAt: number;
  /** As it was created: the policy and the seed hold for ever. */
  readonly document: Document;
  /** The hash before the first event. */
  readonly genesis: string;
  readonly state: BanditState;
  readonly learners = new Map<string, Learner>();

  constructor(created: NewBandit) {
    this.name = created.name;
    this.createdAt = created.createdAt;
    this.document = documentOf(created);
    this.genesis = genesis(created);
    this.state = new BanditState(this.document, { version: created.version, bits: created.bits }, this.genesis);
  }

  /** The document with everything that was changed since. */
  get presentDocument(): Document {
    const { windowSeconds, expired, holdout, arms, listed, evidence, unit } = this.state;
    const cap = evidence === null ? null : evidence.cap;
    return { ...this.document, arms: [...arms.values()].map(({ name }) => name), windowSeconds, expired, holdout, segments: [...listed], cap, unit };
  }

  /** Names the present settings: it changes with them, and with nothing else. */
  get revision(): string {
    return digest(JSON.stringify([this.presentDocument, this.state.status])).slice(0, 16);
  }

  /** The default segment begins with the bandit, and the others with their first decisions: a change of arms before its first decision is one for it too. */
  begin(): void {
    try {
      this.learners.set("", this.freshLearner(""));
    } catch (error) {
      throw damagedDocument(this.name, error);
    }
  }

  /** A learner for a segment of which the log says nothing yet. */
  freshLearner(segment: string): Learner {
    const learner = Learner.fresh(this.document, this.state.armNumbers, segment);
    const again = this.state.begunAgain.get(segment);
    if (again !== undefined) learner.reseed(this.document.seed, segment, again);
    return learner;
  }
}

/** A document that was complete when it was written. */
function documentOf({ name, document }: NewBandit): Document {
  try {
    const read = JSON.parse(document) as Document;
    const { arms, policy, seed, windowSeconds, holdout, segments } = read;
    if (Array.isArray(arms) && Array.isArray(segments) && typeof policy === "object" && [seed, windowSeconds, holdout].every(Number.isFinite))
      return read;
  } catch (error) {
    throw damagedDocument(name, error);
  }
  throw damagedDocument(name, new Error("a key is missing"));
}

function damagedDocument(name: string, cause: unknown): ServiceError {
  const message = `the document of ${name} is not as it was written: ${(cause as Error).message}; restore the store from a backup`;
  return new ServiceError("ERR_REPLAY", message, { cause });
}
