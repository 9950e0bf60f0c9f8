import { fail } from "node:assert/strict";
import type { Page } from "playwright-core";
import type { OpenWorkbench, WorkbenchOptions } from "../support/workbench/workbench.ts";
import { misfitsOf, ONCE, TWICE } from "./fit.ts";
import type { Say } from "./language.ts";
import { Tour } from "./tour.ts";

/** A tour over every page and dialog, each looked at as it is and then twice as large. */
export class FitWalk {
  readonly #say: Say;
  readonly #look: Looks;
  #tour: Tour | undefined;
  #cut: string[] = [];

  constructor(say: Say, look: Looks) {
    this.#say = say;
    this.#look = look;
  }

  async begin(options: WorkbenchOptions): Promise<void> {
    this.#tour = await Tour.begin(this.#say, this.#lookTwice, options);
  }

  async end(): Promise<void> {
    await this.#tour?.end();
  }

  get workbench(): OpenWorkbench {
    return this.#begun.workbench;
  }

  get #begun(): Tour {
    return this.#tour ?? fail("The walk has not begun.");
  }

  /** @returns what is cut twice as large at this stage, a line each */
  async cutOn(stage: (tour: Tour) => Promise<void>): Promise<readonly string[]> {
    this.#cut = [];
    await stage(this.#begun);
    return this.#cut;
  }

  readonly #lookTwice = async (place: string, again?: () => Promise<void>): Promise<void> => {
    const { page } = this.workbench;
    await this.#look.once?.(page, place);
    await page.setViewportSize(TWICE);
    await again?.();
    this.#cut.push(...(await misfitsOf(page)).map((it) => `${place}: ${it}`));
    await this.#look.twice?.(page, place);
    await page.setViewportSize(ONCE);
  };
}

/** Check that runs at each stop, at normal size and at 200 %. */
interface Looks {
  readonly once?: (page: Page, place: string) => Promise<void>;
  readonly twice?: (page: Page, place: string) => Promise<void>;
}
