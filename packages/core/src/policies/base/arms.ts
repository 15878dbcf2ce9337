import type { Parameter } from "../../parameters.js";

/** The number of arms, a parameter of every policy's constructor. */
export const ARMS = { type: "integer", atLeast: 1, atMost: 2147483647, description: "number of arms" } as const satisfies Parameter;
