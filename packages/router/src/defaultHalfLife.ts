/** The half-life, in rounds, of what the router's policy has learned, for whoever does not say. Settled by `npm run bench -- router`. */
export const DEFAULT_HALF_LIFE = 700;
