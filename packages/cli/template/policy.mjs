// A policy of your own, for tsallis run --import: the arm of the smallest mean so far, and now and then any arm.

class MyGreedy {
  round = 0;

  constructor(arms, epsilon) {
    this.arms = arms;
    this.epsilon = epsilon;
    this.spec = { policy: "my-greedy", epsilon }; // its name, and every parameter
    this.policyId = `my-greedy ${epsilon} of ${arms}`;
    this.plays = new Array(arms).fill(0);
    this.means = new Array(arms).fill(0);
  }

  /** Randomness comes from rng alone, so that a run can be repeated. */
  choose(rng) {
    const best = this.means.indexOf(Math.min(...this.means));
    const explores = rng.uniform() < this.epsilon;
    const arm = explores ? Math.floor(rng.uniform() * this.arms) : best;
    const probability = this.epsilon / this.arms + (arm === best ? 1 - this.epsilon : 0);
    return { policy: this.policyId, round: ++this.round, arm, probability, threshold: null };
  }

  /** Learns from a loss, which may come late; lower is better. */
  update({ arm }, loss) {
    this.plays[arm]++;
    this.means[arm] += (loss - this.means[arm]) / this.plays[arm];
  }

  /** Numbers by name that are recorded along with the regret. */
  details() {
    return {};
  }
}

export const policies = {
  "my-greedy": {
    description: "epsilon-greedy of my own",
    parameters: { epsilon: { type: "number", above: 0, atMost: 1, default: 0.1, description: "the share of rounds with any arm" } },
    needs: [],
    guarantee: null,
    create: ({ arms, epsilon }) => new MyGreedy(arms, epsilon),
  },
};
