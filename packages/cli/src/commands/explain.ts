import type { RunCommand } from "../command.ts";
import { inputText, readAbi } from "../input.ts";
import { explainText, printExplained } from "./explain-text.ts";

export const runExplain: RunCommand = async (invocation, { terminal }) => {
  const text = await inputText(invocation, terminal);
  const explained = await explainText(text, await readAbi(invocation, terminal));
  const { whole, findings } = explained;
  const result = {
    whole: { ...whole, verdict: { ...whole.verdict } },
    findings: findings.map((it) => ({ ...it, verdict: { ...it.verdict }, start: { ...it.start }, end: { ...it.end } })),
  };
  return { result, text: printExplained(explained) };
};
