import { LossSketch } from "./lossSketch.js";

/** Arms of a cell that are kept one by one, in the order in which they came; the rest are counted together. */
const MOST_ARMS = 64;
/** The number under which the rest are. No arm has it. */
export const REST = -1;

/** What an arm did in a stretch of time. */
export class ArmCell {
  /** Decisions of the policy, and of the holdout. */
  decisions = 0;
  holdout = 0;
  expired = 0;
  losses = new LossSketch();

  constructor(readonly name: string) {}

  merge({ decisions, holdout, expired, losses }: ArmCell): void {
    this.decisions += decisions;
    this.holdout += holdout;
    this.expired += expired;
    this.losses.merge(losses);
  }
}

type Written = [number: number, name: string, decisions: number, holdout: number, expired: number, losses: number[]];

/** What happened in a stretch of time, arm by arm. */
export class HistoryCell {
  readonly arms = new Map<number, ArmCell>();
  /** The last probabilities that were logged in it, of the default segment, by the arms' numbers. */
  probabilities: readonly (readonly [number: number, probability: number])[] | null = null;

  /** `at`: its beginning, in milliseconds since 1970. */
  constructor(readonly at: number) {}

  arm(number: number, name: string): ArmCell {
    const place = this.arms.has(number) || this.arms.size < MOST_ARMS ? number : REST;
    let arm = this.arms.get(place);
    if (arm === undefined) {
      arm = new ArmCell(place === REST ? "" : name);
      this.arms.set(place, arm);
    }
    return arm;
  }

  merge(other: HistoryCell): void {
    for (const [number, arm] of other.arms) this.arm(number, arm.name).merge(arm);
    this.probabilities = other.probabilities ?? this.probabilities;
  }

  toText(): string {
    const arms = [...this.arms].map(
      ([number, { name, decisions, holdout, expired, losses }]): Written => [number, name, decisions, holdout, expired, losses.toList()],
    );
    return JSON.stringify({ arms, probabilities: this.probabilities });
  }

  static fromText(at: number, text: string): HistoryCell {
    const { arms, probabilities } = JSON.parse(text) as { arms: Written[]; probabilities: HistoryCell["probabilities"] };
    const cell = new HistoryCell(at);
    cell.probabilities = probabilities;
    for (const [number, name, decisions, holdout, expired, losses] of arms) {
      const arm = new ArmCell(name);
      Object.assign(arm, { decisions, holdout, expired, losses: LossSketch.fromList(losses) });
      cell.arms.set(number, arm);
    }
    return cell;
  }
}
