import assert from "node:assert/strict";
import type { Frame, FrameLocator, Page } from "playwright-core";
import type { FieldDraft } from "../../src/features/contracts/form-fields.ts";
import { COINS } from "../support/forms/typed-form.ts";
import { howOften } from "../support/random/how-often.ts";
import { timelinePage } from "./timeline-page.ts";

const MOST_KEYS = 2_000;
/** Longest text that is typed key by key, which takes long; longer ones are pasted. */
const LONGEST_TYPED = howOften(3, 40);

/** Returns the page of the argument form in front, once it shows a form. */
export async function argumentForm(page: Page, title: string): Promise<FrameLocator> {
  const form = timelinePage(page);
  await form.locator("h1", { hasText: title }).waitFor();
  return form;
}

/**
 * Fills in the form of a command by the labels of its fields, and submits it with the keyboard.
 *
 * @param from - account that signs; none for a constant call
 */
export async function submitForm(
  page: Page,
  title: string,
  values: Readonly<Record<string, string>>,
  from?: string,
): Promise<FrameLocator> {
  const form = await argumentForm(page, title);
  for (const [label, text] of Object.entries(values)) await form.getByLabel(label).first().fill(text);
  if (from !== undefined) await chooseSigner(form, from);
  await form.locator(".primary").focus();
  await page.keyboard.press("Enter");
  return form;
}

/** Chooses the account that signs, once the list has it. */
export async function chooseSigner(form: FrameLocator, name: string): Promise<void> {
  const option = form.locator('[data-key="field from"] option', { hasText: name });
  await option.waitFor({ state: "attached" });
  await form.locator('[data-key="field from"]').selectOption((await option.getAttribute("value")) ?? "");
}

/** Waits for the message below a field. */
export async function messageOf(form: FrameLocator, id: string, text: string | RegExp): Promise<void> {
  await form.locator(`[id="message-${id}"]`, { hasText: text }).waitFor();
}

/**
 * Fills in the arguments with the keyboard alone, from the first field on, and submits the form.
 *
 * @param form - frame of the form, or the page if it has the form itself
 * @param from - first letter of the account that signs
 */
export async function fillByKeyboard(
  page: Page,
  form: Frame | Page,
  drafts: readonly FieldDraft[],
  from?: string,
): Promise<void> {
  await form.locator('[data-field="a.0"] :focus').waitFor();
  const rows = new Map<string, number>();
  for (let keys = 0; keys < MOST_KEYS; keys++) {
    const [action = "", id = ""] = (await focusedKey(form)).split(" ");
    if (action === "act") return await page.keyboard.press("Enter");
    const draft = draftAt(drafts, id);
    if (id === "from" && from !== undefined) await page.keyboard.press(from);
    if (action === "field" && draft !== undefined) await enter(page, form, draft);
    if (action === "unit" && draft !== undefined && "unit" in draft) await page.keyboard.press(COINS.label.slice(0, 1));
    const added = rows.get(id) ?? 0;
    if (action === "add" && draft !== undefined && "items" in draft && added < draft.items.length) {
      rows.set(id, added + 1);
      await page.keyboard.press("Enter");
      await form.locator(`[data-field="${id}.${added}"] :focus`).waitFor();
    } else await page.keyboard.press("Tab");
  }
  assert.fail("the form has no end");
}

/** Enters the value of the focused field. A choice is selected by the first letter of its label. */
async function enter(page: Page, form: Frame | Page, draft: FieldDraft): Promise<void> {
  const text = "text" in draft ? draft.text : "json" in draft ? draft.json : JSON.stringify(textsOf(draft));
  const isChoice = await form.evaluate("document.activeElement.tagName === 'SELECT'");
  if (isChoice) await page.keyboard.press(text.slice(0, 1));
  else if (text.length > LONGEST_TYPED || /[^ -~]/.test(text)) await page.keyboard.insertText(text);
  else await page.keyboard.type(text);
}

type Texts = string | readonly Texts[];

/** Returns the texts of a list that the form shows as JSON. */
function textsOf(draft: FieldDraft): Texts {
  if ("items" in draft) return draft.items.map(textsOf);
  return "text" in draft ? draft.text : draft.json;
}

async function focusedKey(form: Frame | Page): Promise<string> {
  return await form.evaluate<string>("document.activeElement?.getAttribute('data-key') ?? ''");
}

function draftAt(drafts: readonly FieldDraft[], id: string): FieldDraft | undefined {
  const [, ...path] = id.split(".");
  if (path.length === 0) return undefined;
  let found: FieldDraft | undefined = { items: drafts };
  for (const at of path) found = found !== undefined && "items" in found ? found.items[Number(at)] : undefined;
  return found;
}
