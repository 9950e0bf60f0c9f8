import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { pack } from "../../scripts/package/pack.mjs";
import { makePseudoExtension } from "./pseudo-extension.ts";
import { plainTextOf, shownTexts } from "./shown-texts.ts";

/** Texts that were shown untranslated under the pseudo-locale, with the place where each was seen first. */
export class ForgottenTexts {
  readonly #found = new Map<string, string>();

  /** @returns how many texts of ours are on the screen */
  async look(page: Page, where: string): Promise<number> {
    const texts = await shownTexts(page);
    for (const text of texts) {
      const plain = plainTextOf(text);
      if (plain !== undefined && !this.#found.has(plain)) this.#found.set(plain, `${where}: ${text.slice(0, 200)}`);
    }
    return texts.length;
  }

  get lines(): readonly string[] {
    return [...this.#found.values()];
  }
}

/** The package of the extension that was built last, in the pseudo-locale. @param scratch - a folder to make it in */
export async function packPseudoExtension(scratch: string): Promise<string> {
  const extension = join(scratch, "extension");
  mkdirSync(extension);
  makePseudoExtension(extension);
  const packed = join(scratch, "pseudo.vsix");
  await pack(extension, packed);
  return packed;
}
