/** The arm of the document's environment that a policy plays in a rotated one. An arm that is none stays as it is, for the environment to refuse. */
export function plainArm(arm: number, rotation: number, arms: number): number {
  return Number.isInteger(arm) && arm >= 0 && arm < arms ? (arm + rotation) % arms : arm;
}
