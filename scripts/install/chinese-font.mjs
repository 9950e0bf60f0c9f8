import { spawnSync } from "node:child_process";
import { apt } from "./chromium.mjs";

/** Of the Chinese fonts of Debian the smallest one. */
const FONT = "fonts-wqy-microhei";
let looked = false;

/**
 * Installs a font with Chinese characters with apt where there is none: without it a browser draws boxes, which are
 * narrower, so no picture could be read and nothing be measured.
 */
export function installChineseFont() {
  if (looked) return;
  looked = true;
  const { stdout } = spawnSync("fc-list", [":lang=zh-cn"], { encoding: "utf8" });
  if (stdout !== null && stdout.trim() !== "") return;
  console.error("Installing a Chinese font (apt-get, once) …");
  apt("update");
  apt("install", "-y", "--no-install-recommends", FONT);
}
