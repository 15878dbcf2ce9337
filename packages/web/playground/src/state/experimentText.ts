import type { Race } from "../engine/race.js";

/** A race as an experiment document: YAML whose values are JSON, which `tsallis run` takes and which prints the same run hashes as the page. */
export function experimentText(name: string, { world, policies, seeds, rounds }: Race): string {
  const lines = policies.map(({ label, spec }) => `  ${JSON.stringify(label)}: ${JSON.stringify(spec)}`);
  return `# From the playground. The same digits: npx tsallis run ${name}.yaml
name: ${name}
horizon: ${rounds}
seeds: ${seeds}
runHash: true
environments:
  world: ${JSON.stringify(world)}
policies:
${lines.join("\n")}
`;
}
