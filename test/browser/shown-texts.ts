import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";

const root = join(import.meta.dirname, "..", "..");
const MANIFEST: Record<string, string> = JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8"));
/** The palette shows the English title of a command beside the translated one. */
const IN_PALETTE = new Set(
  Object.entries(MANIFEST).flatMap(([key, title]) => (key.startsWith("command.") ? [`Finality: ${title}`] : [])),
);

/** Parts of the workbench with texts of the extension. */
const OURS = [
  ".quick-input-widget",
  ".notifications-toasts .notification-list-item",
  ".monaco-dialog-box",
  ".composite.viewlet .pane-body:not(:has(.test-explorer))",
  ".test-explorer .monaco-list-row .label",
  ".composite.viewlet .pane-header",
  '.statusbar-item[id^="finality"]',
  ".monaco-editor .monaco-hover",
  ".codelens-decoration",
  ".getting-started-step .step-title",
  ".getting-started-step .step-description-container",
  ".settings-editor .setting-item-description",
  ".settings-editor .setting-item-enumDescription",
  ".markers-panel .marker-message-line",
  "main#page",
  "p#news",
].join(",");

/** The texts on the screen that come from the extension: of views, inputs, notices, dialogs, files and pages. */
export async function shownTexts(page: Page): Promise<readonly string[]> {
  const ofWorkbench = await textsIn(page.mainFrame(), OURS);
  const frames = page.frames().filter((frame) => frame !== page.mainFrame() && frame.url().includes("fake.html"));
  const ofPages = await Promise.all(frames.map(textsOfPage));
  return [...ofWorkbench, ...ofPages.flat()];
}

/** A page may be gone while it is read. */
const textsOfPage = (frame: Frame): Promise<string[]> => textsIn(frame, "body").catch(() => []);

const textsIn = async (frame: Frame, places: string): Promise<string[]> =>
  await frame.evaluate<string[]>(`(${TEXTS_IN})(${JSON.stringify(places)})`);

/** Runs in the page, which has other types than tests: the texts in places that are visible. */
const TEXTS_IN = `(places) => {
  // Code, what a person typed, values as they are, links to settings, which the editor names, and pictures, which
  // another test holds.
  const NO_TEXT = "style, pre, code, textarea, .behind, .exact, svg, .settings-editor a";
  const texts = [];
  for (const place of document.querySelectorAll(places)) {
    if (!place.checkVisibility()) continue;
    for (const said of [place, ...place.querySelectorAll("[aria-label]")].filter((it) => it.hasAttribute("aria-label") && it.checkVisibility())) {
      // A screen reader is told the name of an icon as well; it is no text of ours.
      const icons = [...said.querySelectorAll(".codicon")].flatMap((icon) => [...icon.classList].map((it) => it.slice(8)));
      texts.push(icons.reduce((text, icon) => text.replace(new RegExp("^" + icon + "  ?"), ""), said.getAttribute("aria-label")));
    }
    for (const input of place.querySelectorAll("input")) texts.push(input.placeholder);
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.parentElement.checkVisibility() && !node.parentElement.closest(NO_TEXT)) texts.push(node.textContent);
  }
  return texts.filter((text) => text.trim() !== "");
}`;

/** Texts of the workbench around those of the extension, in English without a language pack. */
const OF_WORKBENCH =
  /^(similar commands|other commands|recently used|commonly used|Actions for .*|Cancel|OK|Warning|Info|Error|Progress|Source: Finality|Welcome|Quick Tree|Collapse All|Close Dialog|Clear Notification.*|Notification Actions|Toggle all checkboxes|Type the name of a command to run\.|There is no data provider .*|\d+ (Results|Selected)|\[Ln .*|Copy|Show message in single line|View Problem|Quick Fix\.*|Checking for quick fixes\.*|No quick fixes available|(Control|Shift|Alt)\+.*|Manage|More Actions.*|Configure .*|Hide dot files|Show Local|Folder path( - .*)?|Expand Notification.*|Back|Input|Command Palette)$/;
/** Texts of the workbench before and after a text of the extension, with the part to remove. */
const ADDED = [
  /^Finality: /,
  /, has actions$/,
  / (actions|Section)$/,
  /, (similar commands|other commands|recently used|commonly used)$/,
  /\(Press 'Enter' to confirm or 'Escape' to cancel\)/,
  /\((?:(?:Ctrl|Control|Shift|Alt)\+|F\d)[^)]*\)|\((?:Enter|Escape|Delete|Space)\)/g,
];
/** Names that users chose: networks, folders, contracts, permissions, parameters, labels. */
const GIVEN_NAMES =
  /Local chain|\bworkspace\b|\bShasta\b|\bClosed\b|\bHosted\b|\bRent\b|\bshop\b|\bStand-In\b|\bScout\b|\bLeaf\b|\bTeaHouse\b|“active”|\b(sender|balance|needed|id|fee)(?=:|$)|deployments\/local\.json|Bob has his leaves|Bob gives 5 leaves to Carol|Bob cannot give more than he has|Only Alice makes leaves/g;
/** Texts of other programs: the node and the JSON parser. */
const SAID =
  /(Contract validate error : )?(Validate TransferContract error, )?balance is not sufficient|maxProfit limit violation|the connection was reset|Tapos check error|Expected property name.*\(line 1 column 2\)/g;

/** Words that stay as they are in every language: names, units, and what the workbench itself adds. */
const NAMES = new Set(
  "finality alice bob carol dave erin frank grace heidi ivan judy trc txid sun kid json jwt pem http https api url".split(
    " ",
  ),
);

/**
 * Returns the untranslated part of a text, or undefined: two plain words in a row, or a single plain word.
 */
export function plainTextOf(text: string): string | undefined {
  if (IN_PALETTE.has(text.trim())) return undefined;
  const ours = ADDED.reduce((rest, added) => rest.replace(added, ""), text.trim());
  if (OF_WORKBENCH.test(text.trim()) || OF_WORKBENCH.test(ours.trim())) return undefined;
  const words = ours
    .replace(SAID, " ")
    .replace(GIVEN_NAMES, " ")
    .replace(/\S+…\S+/g, " ")
    .replace(/https?:\S+|`[^`]*`/g, " ")
    .match(/[\p{L}\p{N}_.$/-]+/gu)
    ?.filter(
      (word) =>
        /^[A-Z]?[a-z]+(-[a-z]+)*[.]?$/.test(word) &&
        /[a-z]{2}/.test(word) &&
        !NAMES.has(word.toLowerCase().replace(".", "")),
    );
  return words === undefined || words.length === 0 ? undefined : words.join(" ");
}
