/**
 * The elementary functions that the library computes with. They give the same bits on every engine, within 1 ulp of the correctly rounded value.
 *
 * @module
 */
export { atan } from "./elementary/atan.js";
export { cosPi } from "./elementary/cosPi.js";
export { exp } from "./elementary/exp.js";
export { expm1 } from "./elementary/expm1.js";
export { log } from "./elementary/log.js";
export { log1p } from "./elementary/log1p.js";
export { pow } from "./elementary/pow.js";
export { sinPi } from "./elementary/sinPi.js";
