import type { KernelName } from "../../kernel/createKernel.js";
import type { Parameters } from "../../parameters.js";
import { ARMS } from "./arms.js";

/** The options that every FTRL policy has besides the parameters of its spec. */
export interface FtrlOptions {
  arms: number;
  /** Forces a kernel. By default the number of arms decides; the law is the same. */
  kernel?: KernelName;
  /** A spec parameter that all of them share: rounds after which a loss counts half. Without it nothing is forgotten. */
  halfLife?: number;
}

export const FTRL_OPTIONS = {
  arms: ARMS,
  kernel: { type: "name", names: ["dense", "indexed"], optional: true, description: "forces a kernel" },
} as const satisfies Parameters;
