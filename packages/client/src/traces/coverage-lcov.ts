import { branchesOf, lineCounts, type SourceCoverage } from "./coverage-report.ts";

/** Returns the coverage of files in the format of lcov, which most coverage services and editors read. */
export function lcovText(files: readonly SourceCoverage[]): string {
  return files.map(lcovRecord).join("");
}

function lcovRecord(file: SourceCoverage): string {
  const { path, functions } = file;
  const lines = [...lineCounts(file)].sort(([one], [other]) => one - other);
  const outcomes = branchesOf(file).flatMap(({ outcomes: both, count }, block) =>
    both.map((it, side) => ({
      line: both[0].start.line + 1,
      block,
      side,
      taken: count === 0 ? "-" : it.count,
      count: it.count,
    })),
  );
  const names = functions.map(({ name, contract, ...it }) => ({
    ...it,
    name: contract === undefined ? name : `${contract}.${name}`,
  }));
  const text = [
    "TN:",
    `SF:${path}`,
    ...names.map(({ name, start }) => `FN:${start.line + 1},${name}`),
    ...names.map(({ name, count }) => `FNDA:${count},${name}`),
    `FNF:${names.length}`,
    `FNH:${names.filter(({ count }) => count > 0).length}`,
    ...outcomes.map(({ line, block, side, taken }) => `BRDA:${line},${block},${side},${taken}`),
    `BRF:${outcomes.length}`,
    `BRH:${outcomes.filter(({ count }) => count > 0).length}`,
    ...lines.map(([line, count]) => `DA:${line},${count}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(([, count]) => count > 0).length}`,
    "end_of_record",
  ];
  return `${text.join("\n")}\n`;
}
