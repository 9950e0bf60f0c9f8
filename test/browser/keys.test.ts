import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import type { Page } from "playwright-core";
import {
  answer,
  choose,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  stepInput,
} from "../support/workbench/workbench.ts";
import { beginImport, dialogOf, rowOf, storeAllTheSame } from "./pay-by-hand.ts";
import { takeBothPictures } from "./pictures.ts";
import { shareQuietWorkbench } from "./shared-workbench.ts";

/** Of a vector of BIP-39, for tests alone. */
const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const THIRD = "TLqWTABA7pkL7dT23xAmS52mmKajUqGdnf";

describe("keys by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareQuietWorkbench();
    ({ page } = workbench);
    await workbench.showFinality();
  });

  const says = (words: string | RegExp) => page.locator(".quick-input-message", { hasText: words }).waitFor();
  const press = (key: string) => page.keyboard.press(key);

  it("warns before storing a key that this browser may lose it", async () => {
    await workbench.runCommand("Finality: Import Signing Key…");
    await dialogOf(page).waitFor();
    assert.match(await dialogOf(page).innerText(), /This editor may not keep keys after it closes/);
    await takeBothPictures(page, "keys-may-not-last");
    await press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
  });

  it("imports a mnemonic, with the position of a wrong word and a choice of accounts", async () => {
    await beginImport(workbench);
    await takeBothPictures(page, "keys-import");
    await choose(page, "What to import?", "Words");
    await stepInput(page, "12, 15, 18").fill(WORDS.replace("sausage", "sausagge"));
    await says("Word 6 is not in the English list of BIP-39. Did you mean sausage?");
    await takeBothPictures(page, "keys-wrong-word");
    await stepInput(page, "12, 15, 18").fill(WORDS);
    await says("12 words with a valid checksum.");
    await press("Enter");
    await stepInput(page, "none").waitFor();
    await press("Enter");
    await stepInput(page, "m/44'/195'/0'/0/0").waitFor();
    await press("Enter");
    const accounts = stepInput(page, "Which accounts?");
    await accounts.waitFor();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: THIRD }).waitFor();
    await takeBothPictures(page, "keys-accounts-of-words");
    for (let row = 0; row < 3; row++) await press("ArrowDown");
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: THIRD }).waitFor();
    await press("Space");
    await page.locator(".quick-input-count", { hasText: "2 Selected" }).waitFor();
    await press("Enter");
    await answer(page, "A name for the account", "Nest egg");
    await rowOf(page, "Nest egg, ").waitFor();
    await rowOf(page, "Nest egg 2, ").waitFor();
  });

  it("creates a mnemonic, shows it once, checks three words and stores none of them", async () => {
    await workbench.runCommand("Finality: Generate Signing Key…");
    await choose(page, "Backup of the new key", "Twelve Words");
    const written = dialogOf(page).getByRole("button", { name: "I Wrote Them Down" });
    await storeAllTheSame(page, written);
    const words = [...(await dialogOf(page).innerText()).matchAll(/\b(\d{1,2})\. ([a-z]+)/g)].map(
      ([, , word = ""]) => word,
    );
    assert.equal(words.length, 12);
    await takeBothPictures(page, "keys-new-words");
    await press("Enter");
    for (let asked = 0; asked < 3; asked++) {
      const box = page.locator(".quick-input-message", { hasText: /^Word \d+ of 12/ });
      await box.waitFor();
      const [, place = ""] = /^Word (\d+) of 12/.exec(await box.innerText()) ?? [];
      if (asked === 0) {
        await page.keyboard.type("nonsense");
        await says(`This is not word ${place}.`);
        await takeBothPictures(page, "keys-word-back");
        await press("Control+A");
      }
      await page.keyboard.type(words[Number(place) - 1] ?? "");
      await press("Enter");
      await page.locator(".quick-input-message", { hasText: `Word ${place} of 12` }).waitFor({ state: "hidden" });
    }
    await answer(page, "A name for the account", "From words");
    await rowOf(page, "From words, ").waitFor();

    const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
    // Two of these words in a row may well stand in a page of the package; three do not.
    const outsideOfPackage = (file: string) => !file.includes("/extensions/finality.finality-");
    assert.deepEqual(pairs.flatMap(filesWith).filter(outsideOfPackage), []);
    const threes = words.slice(2).map((word, index) => `${pairs[index]} ${word}`);
    assert.deepEqual(threes.flatMap(filesWith), []);
    assert.ok(filesWith("From words").length > 0, "the search does not even find the name");
  });

  it("sets the policy of a key, and exports it after a dialog and a typed word", async () => {
    await workbench.runCommand("Finality: Change Key Policy…");
    await choose(page, "Which account?", "From words");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Never on Real Networks" }).waitFor();
    await takeBothPictures(page, "keys-policy");
    await choose(page, "What may this key sign?", "Never on Real");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await workbench.runCommand("Finality: Export Signing Key…");
    await choose(page, "Which account?", "From words");
    await dialogOf(page).getByRole("button", { name: "Keystore File…" }).waitFor();
    await takeBothPictures(page, "keys-export");
    await press("Enter");
    await says("Type export to continue.");
    await page.keyboard.type("export");
    await press("Enter");
    await says("A password for the keystore file.");
    await page.keyboard.type("short");
    await says("At least 8 characters");
    await press("Escape");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  });

  /** The files of this workbench that hold a text as an editor stores it. */
  function filesWith(text: string): readonly string[] {
    const needles = [Buffer.from(text), Buffer.from(text, "utf16le")];
    return globSync([`${workbench.dataDir}/**/*`, `${workbench.folder}/**/*`]).filter((file) => {
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
      const bytes = readFileSync(file);
      return needles.some((needle) => bytes.includes(needle));
    });
  }
});
