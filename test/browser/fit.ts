import type { Frame, Page } from "playwright-core";

/** A window of 1920 × 1080, everything in it twice as large. */
export const TWICE = { width: 960, height: 540 };
/** As much as a person has who enlarges nothing. */
export const ONCE = { width: 1920, height: 1080 };

/** Time in which the workbench redraws a resized window; ms. */
const DRAWN_WITHIN_MS = 5_000;

/** Returns the elements of pages, dialogs, inputs and notifications that are cut off or overflow; one line each. */
export async function misfitsOf(page: Page): Promise<readonly string[]> {
  const end = Date.now() + DRAWN_WITHIN_MS;
  let found = await misfitsNow(page);
  while (found.length > 0 && Date.now() < end) found = await misfitsNow(page);
  return found;
}

async function misfitsNow(page: Page): Promise<readonly string[]> {
  const frames = page.frames().filter((frame) => frame !== page.mainFrame() && frame.url().includes("fake.html"));
  const pages = await Promise.all(frames.map((frame) => misfitsIn(frame, PAGE).catch(() => [])));
  return [...(await misfitsIn(page.mainFrame(), WINDOW)), ...pages.flat()];
}

const misfitsIn = async (frame: Frame, where: object): Promise<readonly string[]> =>
  await frame.evaluate<string[]>(`(${MISFITS})(${JSON.stringify(where)})`);

/** Of a page of ours everything has to fit, but for the beginning of a text that an example shows. */
const PAGE = { boxes: "html", texts: "body :not(.example-text)" };
/** Of the workbench what shows our words: rows and toasts end in an ellipsis, as everywhere in the editor. */
const WINDOW = {
  boxes: ".monaco-dialog-box, .quick-input-widget, .notification-toast",
  texts:
    ".monaco-dialog-box .monaco-button, .dialog-message-text, .dialog-message-detail, .notification-toast .monaco-button",
};

/** Runs in the page: boxes have to lie in the window, and no text may be wider than what it is in. */
const MISFITS = `({ boxes, texts }) => {
  const found = [];
  const isShown = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getBoundingClientRect().width > 0;
  const name = (it) => it.tagName.toLowerCase() + "." + it.className + ": " + it.textContent.trim().slice(0, 80);
  const scrolls = (it) => it !== null && (/auto|scroll/.test(getComputedStyle(it).overflowX) || scrolls(it.parentElement));
  for (const box of document.querySelectorAll(boxes)) {
    if (!isShown(box)) continue;
    const { left, top, right, bottom } = box.getBoundingClientRect();
    const isPage = box === document.documentElement;
    if (left < -1 || right > innerWidth + 1 || (!isPage && (top < -1 || bottom > innerHeight + 1))) found.push("out of the window: " + name(box));
    if (isPage && box.scrollWidth > box.clientWidth) found.push("the page is wider than the window: " + box.scrollWidth + " > " + box.clientWidth);
  }
  for (const it of document.querySelectorAll(texts)) {
    const own = [...it.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!own || !isShown(it) || scrolls(it)) continue;
    const style = getComputedStyle(it);
    if (style.position === "absolute" && style.clipPath !== "none") continue;
    if (style.display !== "inline" && it.scrollWidth > it.clientWidth + 1) found.push("cut: " + name(it));
    else if (it.getBoundingClientRect().right > innerWidth + 1) found.push("sticks out: " + name(it));
  }
  return found;
}`;
