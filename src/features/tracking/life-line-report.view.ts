import type { LifeLine, LifeLineRow, LifeLineStep } from "../../webview-messages/life-line.ts";

/** The life as Markdown for a ticket or a chat. Texts of the chain are code or escaped: they can never become links. */
export function lifeLineReport(life: LifeLine): string {
  const { title, state, advice, rows, steps, proof } = life;
  return [
    `# ${plain(title)}`,
    `**${plain(state.text)}**${advice === null ? "" : `\n\n${plain(advice)}`}`,
    table(rows),
    "## Life",
    steps.map(stepText).join("\n"),
    ...(proof === null ? [] : [`## ${plain(proof.title)}`, plain(proof.sentence)]),
    ...(proof === null || proof.rows.length === 0 ? [] : [table(proof.rows)]),
  ]
    .join("\n\n")
    .concat("\n");
}

function stepText({ label, description, rows, txId }: LifeLineStep, index: number): string {
  const leads = txId === null ? "" : ` ${code(txId)}`;
  const details = rows.map(({ name, value, exact }) => `   - ${plain(name)}: ${exact ? code(value) : plain(value)}`);
  return [`${index + 1}. **${plain(label)}** · ${plain(description)}${leads}`, ...details].join("\n");
}

function table(rows: readonly LifeLineRow[]): string {
  const lines = rows.map(({ name, value, exact }) => `| ${plain(name)} | ${exact ? code(value) : plain(value)} |`);
  return ["| | |", "| --- | --- |", ...lines].join("\n");
}

function code(text: string): string {
  return `\`${text.replace(/[`|\s]+/g, " ")}\``;
}

/** Marks that could make a link, an image, HTML or a table's edge of a text are escaped; what reads as it is, stays. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|!#]/g, "\\$&");
}
