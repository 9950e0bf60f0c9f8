import { chromium } from "playwright-core";
import { installChromium } from "../install/chromium.mjs";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page that starts makes much that is soon gone: it is cleared away less often.
  "--js-flags=--min-semi-space-size=32",
];
const VIEWPORT = { width: 1400, height: 900 };

/**
 * Opens headless Chromium with a profile that lives in a folder: what the workbench stored there is there the next
 * time.
 *
 * @param {string} profile
 */
export function openBrowser(profile) {
  return chromium.launchPersistentContext(profile, {
    executablePath: installChromium(),
    args: ARGS,
    viewport: VIEWPORT,
    permissions: ["clipboard-read", "clipboard-write"],
  });
}
