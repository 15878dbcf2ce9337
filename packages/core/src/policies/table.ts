import type { Parameters } from "../parameters.js";
import { ADA2_TINF_PARAMETERS, Ada2TINF } from "./ada2TINF.js";
import { ADA_TINF_PARAMETERS, AdaTINF, type AdaTINFOptions } from "./adaTINF.js";
import type { FtrlOptions } from "./ftrlOptions.js";
import { HTINF, HTINF_PARAMETERS, type HTINFOptions } from "./htinf.js";
import { OPT_TINF_PARAMETERS, OptTINF } from "./optTINF.js";
import type { Policy } from "./policy.js";
import { UNIFORM_PARAMETERS, UniformPolicy } from "./uniform.js";

export interface PolicyEntry {
  readonly parameters: Parameters;
  readonly description: string;
  /** Makes the policy from completed options, arms among them. */
  create(options: FtrlOptions): Policy;
}

/** Every policy by the name that a spec gives. */
export const POLICIES: Readonly<Record<string, PolicyEntry>> = {
  htinf: {
    parameters: HTINF_PARAMETERS,
    description: "HTINF: alpha and sigma known; optimal in stochastic and adversarial worlds at once",
    create: (options) => new HTINF(options as HTINFOptions),
  },
  opttinf: {
    parameters: OPT_TINF_PARAMETERS,
    description: "OptTINF: nothing known; HTINF with alpha = 2 and sigma = 1",
    create: (options) => new OptTINF(options),
  },
  adatinf: {
    parameters: ADA_TINF_PARAMETERS,
    description: "AdaTINF: only the horizon known; minimax optimal",
    create: (options) => new AdaTINF(options as AdaTINFOptions),
  },
  ada2tinf: {
    parameters: ADA2_TINF_PARAMETERS,
    description: "Ada2TINF: nothing known, not even the horizon; minimax optimal",
    create: (options) => new Ada2TINF(options),
  },
  uniform: {
    parameters: UNIFORM_PARAMETERS,
    description: "uniform: the control; every arm with the same probability, for ever",
    create: ({ arms }) => new UniformPolicy({ arms }),
  },
};
