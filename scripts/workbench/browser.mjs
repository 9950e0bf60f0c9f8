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
 * time. Nothing moves in it, as for a person who asked their system for that: tests wait for no animation, and nobody
 * draws one.
 *
 * @param {string} profile
 */
export function openBrowser(profile) {
  return chromium.launchPersistentContext(profile, {
    executablePath: installChromium(),
    args: ARGS,
    viewport: VIEWPORT,
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
}
