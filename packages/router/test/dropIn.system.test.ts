import { describe } from "vitest";
import { compareAll } from "./dropInCompare.js";

describe("the dispatcher does what a BalancedPool of undici 7 does", compareAll);
