import { confirmModal } from "../prompts/notify.ts";
import { textStep } from "../prompts/step-input.ts";

/** What has to be typed; nobody types it by mistake. */
const WORDS = "LOCK OUT";

/**
 * Explains that a change would leave nobody here who decides over the account, and lets it pass only when the person
 * types so.
 */
export async function typeLockOut(why: string): Promise<boolean> {
  const question = {
    title: "This change would lock you out. It is refused unless you type that you want it.",
    detail: why,
  };
  if (!(await confirmModal(question, "Type It…"))) return false;
  const typed = await textStep(
    { title: "Lock Out", step: 1, totalSteps: 1 },
    {
      prompt: `Type ${WORDS} to go on to the review. Escape changes nothing.`,
      placeholder: WORDS,
      check: (text) => {
        if (text.trim() === "") return { kind: "empty" };
        return text.trim() === WORDS
          ? { kind: "good", value: true, message: "The review comes next." }
          : { kind: "wrong", message: `This is not ${WORDS}.` };
      },
    },
  );
  return typed.kind === "value" && typed.value;
}
