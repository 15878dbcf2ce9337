/** The arm of the document's environment that a policy plays in a rotated one. An invalid arm stays unchanged, for the environment to refuse. */
export function plainArm(arm: number, rotation: number, arms: number): number {
  return Number.isInteger(arm) && arm >= 0 && arm < arms ? (arm + rotation) % arms : arm;
}
