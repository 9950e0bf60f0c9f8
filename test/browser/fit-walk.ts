import { misfitsOf, ONCE, TWICE } from "./fit.ts";
import { speaker } from "./language.ts";
import { takePicture } from "./pictures.ts";
import { Tour } from "./tour.ts";

/** A tour over every page and dialog in a language, each looked at twice as large, with a picture. */
export class FitWalk {
  readonly #language: "en" | "zh-cn";
  #tour: Tour | undefined;
  #cut: string[] = [];

  constructor(language: "en" | "zh-cn") {
    this.#language = language;
  }

  async begin(): Promise<void> {
    const options = this.#language === "en" ? {} : { language: this.#language };
    this.#tour = await Tour.begin(speaker(this.#language), this.#look, options);
  }

  async end(): Promise<void> {
    await this.#tour?.end();
  }

  /** @returns what is cut at this stage, a line each */
  async cutOn(stage: (tour: Tour) => Promise<void>): Promise<readonly string[]> {
    if (this.#tour === undefined) throw new Error("The walk has not begun.");
    this.#cut = [];
    await stage(this.#tour);
    return this.#cut;
  }

  readonly #look = async (place: string, again?: () => Promise<void>): Promise<void> => {
    const page = this.#tour?.workbench.page;
    if (page === undefined) return;
    await page.setViewportSize(TWICE);
    await again?.();
    this.#cut.push(...(await misfitsOf(page)).map((it) => `${place}: ${it}`));
    await takePicture(page, `twice-${this.#language}-${place}`);
    await page.setViewportSize(ONCE);
  };
}
