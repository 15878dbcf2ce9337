/** The default half-life, in rounds, of what the router's policy has learned. `npm run bench -- router` measured it. */
export const DEFAULT_HALF_LIFE = 700;
