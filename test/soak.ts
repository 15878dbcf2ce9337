/** How much of something a test does: the first in `npm test`, the second by `npm run soak`, which runs the files that ask here. */
export function soak<Size>(bounded: Size, long: Size): Size {
  return process.env.SOAK === undefined ? bounded : long;
}
