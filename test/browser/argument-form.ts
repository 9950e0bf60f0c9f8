import type { FrameLocator, Page } from "playwright-core";
import { timelinePage } from "./timeline-page.ts";

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
