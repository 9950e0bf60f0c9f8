import { codeInTable, inlineCode, markdownTable, markdownText } from "@finality/tron/format";
import type { LifeLine, LifeLineRow, LifeLineStep } from "../../webview-messages/life-line.ts";

/** The life as Markdown for a ticket or a chat. Texts of the chain are code or escaped: they can never become links. */
export function lifeLineReport(life: LifeLine): string {
  const { title, state, advice, rows, steps, proof } = life;
  return [
    `# ${markdownText(title)}`,
    `**${markdownText(state.text)}**${advice === null ? "" : `\n\n${markdownText(advice)}`}`,
    table(rows),
    "## Life",
    steps.map(stepText).join("\n"),
    ...(proof === null ? [] : [`## ${markdownText(proof.title)}`, markdownText(proof.sentence)]),
    ...(proof === null || proof.rows.length === 0 ? [] : [table(proof.rows)]),
  ]
    .join("\n\n")
    .concat("\n");
}

function stepText({ label, description, rows, txId }: LifeLineStep, index: number): string {
  const leads = txId === null ? "" : ` ${inlineCode(txId)}`;
  const details = rows.map(
    ({ name, value, exact }) => `   - ${markdownText(name)}: ${exact ? inlineCode(value) : markdownText(value)}`,
  );
  return [`${index + 1}. **${markdownText(label)}** · ${markdownText(description)}${leads}`, ...details].join("\n");
}

function table(rows: readonly LifeLineRow[]): string {
  return markdownTable(
    rows.map(({ name, value, exact }) => [markdownText(name), exact ? codeInTable(value) : markdownText(value)]),
  );
}
