/** How much work a test does: the first number in `npm test`, the second in `npm run soak`, which runs the files that import this one. */
export function soak<Size>(bounded: Size, long: Size): Size {
  return process.env.SOAK === undefined ? bounded : long;
}
