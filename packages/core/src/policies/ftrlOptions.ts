import type { KernelName } from "../kernel/createKernel.js";
import type { Parameters } from "../parameters.js";
import { ARMS } from "./arms.js";

/** What every FTRL policy takes beside the parameters of its spec. */
export interface FtrlOptions {
  arms: number;
  /** Forces a kernel. Left out, the number of arms decides; the law is the same. */
  kernel?: KernelName;
}

export const FTRL_OPTIONS = {
  arms: ARMS,
  kernel: { type: "name", names: ["dense", "indexed"], optional: true, description: "forces a kernel" },
} as const satisfies Parameters;
