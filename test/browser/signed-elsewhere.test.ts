import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { TronWeb } from "tronweb";
import { bytesToHex } from "../../packages/tron/src/primitives/bytes.ts";
import type { PrivateKey } from "../../packages/tron/src/transaction/signature.ts";
import type { ChainBeside } from "../support/chain/chain-beside.ts";
import {
  choose,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  pick,
  tryAgain,
  typeAndRead,
} from "../support/workbench/workbench.ts";
import { acceptByEnter, addressOf, chainBeside, pressFirstButton, readReview, untilFinal } from "./local-flow.ts";
import { openFile } from "./open-file.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";
import { takeBothPictures } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";
import { frameOf, timelinePage } from "./timeline-page.ts";

const COIN = 1_000_000;
const TEN_MINUTES_S = 600;
const FILE = "rent.tron.json";

/** Pixels that can be scrolled to the right. */
const WIDER_THAN_SHOWN = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** A transaction that TronWeb built and signed. */
type Built = Parameters<TronWeb["trx"]["sendRawTransaction"]>[0];

describe("imported and lost transactions", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let chain: ChainBeside;
  let tronWeb: TronWeb;
  let alice: string;
  let bob: string;
  let stranger: PrivateKey;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    chain = await chainBeside(workbench);
    tronWeb = new TronWeb({ fullHost: chain.baseUrl });
    alice = await addressOf(page, "Alice");
    bob = await addressOf(page, "Bob");
    stranger = await chain.stranger(100);
  });

  /** A payment to Bob as TronWeb makes it, with the signature of the stranger. */
  async function paymentBy(owner: string, coins: number): Promise<Built> {
    const built = await tronWeb.transactionBuilder.sendTrx(bob, coins * COIN, owner);
    const longer = (await tronWeb.transactionBuilder.extendExpiration(built, TEN_MINUTES_S, {
      txLocal: true,
    })) as Built;
    const { signature } = tronWeb.utils.crypto.signTransaction(bytesToHex(stranger), { ...longer });
    return { ...longer, signature };
  }

  const strangerAddress = (): string => TronWeb.address.fromPrivateKey(bytesToHex(stranger)) || "";

  it("tracks a dropped stake, whose absence is proven in the background", async () => {
    await chain.forgets(async () => {
      await workbench.runCommand("Finality: Stake…");
      await choose(page, "From which account?", "Alice");
      await choose(page, "Stake for what?", "energy");
      await typeAndRead(page, "100", "70", /70,000,000 sun/);
      await readReview(page, "Sign and Send");
      await acceptByEnter(page);
      await rowOf(page, "Stake 70 coins for energy. ").waitFor();
    });
    await chain.ask("local/warp", { ms: 61_000 });
  });

  it("imports a pasted transaction after confirmation, and sends it after the review", async () => {
    const text = JSON.stringify(await paymentBy(strangerAddress(), 33));
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await chain.settles({ [bob]: 33 * COIN, [strangerAddress()]: -33 * COIN }, async () => {
      await workbench.runCommand("Finality: Focus on Transactions View");
      await page.keyboard.press("Control+V");
      await readReview(page, "Read Clipboard", [/Nothing is sent/]);
      await takeBothPictures(page, "paste-question");
      await pressFirstButton(page);
      await readReview(page, "Broadcast", [/To: Bob · T\w{33}\n+Amount: 33 /, /Weight 1 of 1: enough\./]);
      await takeBothPictures(page, "paste-review");
      await dialogOf(page).getByRole("button", { name: "Broadcast", exact: true }).click();
      await untilFinal(page, "33 coins to Bob");
    });
  });

  it("imports a dropped file, and stores it although the signer has no permission", async () => {
    writeFileSync(join(workbench.folder, FILE), JSON.stringify(await paymentBy(alice, 51)));
    await openFile(page, FILE);
    await tryAgain(page, async (timeout) => {
      await page.locator(`.tab[aria-label^="${FILE}"]`).dragTo(rowOf(page, "33 coins to Bob"), { timeout });
      await dialogOf(page).waitFor({ timeout });
    });
    await readReview(page, "Save and Track", [/signed, not in this permission, does not count/]);
    await takeBothPictures(page, "drop-review");
    await acceptByEnter(page);
    await rowOf(page, "Collecting signatures").waitFor();
  });

  it("shows the timeline of a transaction that collects signatures", async () => {
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Show Transaction");
      await pick(page, "51 coins → Bob", { timeout });
    });
    await timelinePage(page).getByText("ollect").first().waitFor();
    await takeBothPictures(page, "timeline-collecting");
  });

  it("re-signs a transaction that was refused for its signature, and executes it once", async () => {
    await workbench.runCommand("Finality: Send Signed Transaction");
    await pick(page, "51 coins → Bob");
    await rowOf(page, "51 coins to Bob. R").waitFor();
    await timelinePage(page).getByText("not contained of permission").first().waitFor();
    assert.equal(await (await frameOf(page)).evaluate(WIDER_THAN_SHOWN), 0, "a long word widens the page");
    await takeBothPictures(page, "timeline-refused");
    await chain.settles({ [alice]: -51 * COIN, [bob]: 51 * COIN }, async () => {
      await workbench.runCommand("Finality: Sign Again…");
      await pick(page, "51 coins → Bob");
      await readReview(page, "Sign and Send", [/Sign again: 51 coins → Bob\?/, /Alice · T\w{33}: signs now, weight 1/]);
      await takeBothPictures(page, "sign-again-review");
      await acceptByEnter(page);
      await untilFinal(page, "51 coins to Bob");
    });
  });

  it("replaces the stake after the proof of absence, and executes it once", async () => {
    await rowOf(page, "Stake 70 coins for energy. Expired and proven absent, safe to replace").waitFor();
    await takeBothPictures(page, "stake-proven-absent");
    await chain.settles({ [alice]: -70 * COIN }, async () => {
      await workbench.runCommand("Finality: Create Replacement…");
      await pick(page, "Stake 70");
      await readReview(page, "Create Replacement");
      await takeBothPictures(page, "stake-replacement-question");
      await pressFirstButton(page);
      await readReview(page, "Sign and Send", [/Stake 70 coins for energy\?/]);
      await takeBothPictures(page, "stake-replacement-review");
      await acceptByEnter(page);
      await untilFinal(page, "Stake 70 coins for energy");
    });
  });
});
