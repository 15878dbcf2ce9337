// An environment of your own, for tsallis run --import. It says which distribution each loss has; tsallis draws the losses, the same for every policy, and knows their means.

export const environments = {
  "my-storms": {
    description: "every arm costs more in every second period",
    parameters: {
      alpha: { type: "number", above: 1, atMost: 2, description: "the moment order of the losses" },
      period: { type: "integer", atLeast: 1, default: 100, description: "the rounds of calm, and of the storm after it" },
      calm: { type: "distributions", minimum: 2, description: "the distribution of each arm while it is calm" },
      storm: { type: "distributions", minimum: 2, description: "the distribution of each arm in a storm" },
    },
    create({ period, calm, storm }) {
      if (storm.length !== calm.length) throw new Error(`storm must have ${calm.length} distributions, as calm has, got ${storm.length}`);
      return {
        arms: calm.length,
        /** The distribution of the loss of an arm (from 0) in a round (from 1). */
        distribution: (round, arm) => (Math.floor((round - 1) / period) % 2 === 0 ? calm : storm)[arm],
      };
    },
  },
};
