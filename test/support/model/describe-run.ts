import type { ModelRun } from "./run-schedules.ts";

/** What a run was, and how to see a failure again, in a shorter schedule. */
export function describeRun({ schedules, counts, broken }: ModelRun, seed: number): string {
  const reached = Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));
  const summary = `seed ${seed}: ${schedules} schedules, ${stepsOf(counts)} steps`;
  if (broken === undefined) return `${summary}\n${reached.map(([name, times]) => `${name} ${times}`).join(", ")}`;
  const again = `node test/support/model/play-schedules.ts --seed ${seed} --path ${broken.path} --shrink`;
  return [summary, broken.message, JSON.stringify(broken.schedule), `To see it again, shorter: ${again}`].join("\n");
}

/** How many steps were made. */
export function stepsOf(counts: ModelRun["counts"]): number {
  return sum(Object.entries(counts).flatMap(([name, times]) => (name.startsWith("step ") ? [times] : [])));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, it) => total + it, 0);
}
