import type { Missing } from "../../core/call-sites/binding.ts";
import { type Checked, pickStep, type StepResult, textStep } from "../../host/prompts/step-input.ts";
import { checkAnswer } from "./answer-check.view.ts";
import type { Answers } from "./answers.ts";

/**
 * Asks for what the source does not say, one question after the other, and remembers it.
 * @returns false when the person left
 */
export async function askMissing(answers: Answers, missing: readonly Missing[]): Promise<boolean> {
  for (const [at, one] of missing.entries()) {
    const place = { title: "Estimate Energy", step: at + 1, totalSteps: missing.length };
    const result = await ask(one, place);
    if (result.kind !== "value") return false;
    await answers.set(one.key, result.value);
  }
  return true;
}

type Place = Parameters<typeof textStep>[0];

function ask(missing: Missing, place: Place): Promise<StepResult<string>> {
  const { question } = missing;
  if (missing.kind === "contract") return askContract(question, missing.names, place);
  const placeholder = missing.kind === "argument" ? exampleOf(missing.type) : "15000000, or 15 coins";
  return textStep(place, {
    prompt: `${question}. The answer is remembered in this workspace.`,
    placeholder,
    check: (text) => checked(missing, text.trim()),
  });
}

function checked(missing: Missing, value: string): Checked<string> {
  if (value === "") return { kind: "empty" };
  const { fault, understood } = checkAnswer(missing, value);
  if (fault !== undefined) return { kind: "wrong", message: fault };
  return { kind: "good", value, ...(understood === undefined ? {} : { message: understood }) };
}

async function askContract(question: string, names: readonly string[], place: Place): Promise<StepResult<string>> {
  const result = await pickStep(place, {
    placeholder: `${question} Choose one, or type an address. The answer is remembered in this workspace.`,
    items: [...new Set(names)].map((label) => ({ label })),
    typed: (text) => (text.trim() === "" || names.includes(text.trim()) ? undefined : { label: text.trim() }),
    mayPick: () => true,
  });
  return result.kind === "value" ? { kind: "value", value: result.value.label } : result;
}

function exampleOf(type: string): string {
  if (type.endsWith("]") || type.startsWith("(")) return 'as JSON, such as ["…", "…"]';
  if (type === "address") return "an account's name, or T…";
  return type.includes("int") ? "1000000" : type;
}
