import type { KernelName } from "../../kernel/createKernel.js";
import type { Parameters } from "../../parameters.js";
import { ARMS } from "./arms.js";

/** What every FTRL policy takes beside the parameters of its spec. */
export interface FtrlOptions {
  arms: number;
  /** Forces a kernel. Left out, the number of arms decides; the law is the same. */
  kernel?: KernelName;
  /** A parameter of the spec that they all share: rounds after which a loss counts half. Left out, nothing is forgotten. */
  halfLife?: number;
}

export const FTRL_OPTIONS = {
  arms: ARMS,
  kernel: { type: "name", names: ["dense", "indexed"], optional: true, description: "forces a kernel" },
} as const satisfies Parameters;
