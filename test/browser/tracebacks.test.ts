import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type OpenWorkbench, openWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { chooseTheme, type ThemeName } from "./choose-theme.ts";
import { openFile } from "./open-file.ts";
import { takePicture } from "./pictures.ts";

interface Traceback {
  readonly file: string;
  readonly text: string;
  /** Beginning of the hover. */
  readonly title: string;
}

/** Logs of programs in other languages, each with the line that names the cause at its end. */
const tracebacks: readonly Traceback[] = [
  {
    file: "payments-python.log",
    text: `2026-11-23 07:24:09,254 ERROR payments transfer failed
Traceback (most recent call last):
  File "/home/dev/project/pay.py", line 15, in send
    return tx.sign(key).broadcast()
  File "/home/dev/project/venv/lib/python3.11/site-packages/tronpy/tron.py", line 236, in broadcast
    payload = self._client.provider.make_request("wallet/broadcasttransaction", self.to_json())
requests.exceptions.ReadTimeout: HTTPConnectionPool(host='node.example', port=8090): Read timed out. (read timeout=10)`,
    title: "No answer in time",
  },
  {
    file: "payments-go.log",
    text: `goroutine 1 [running]:
main.pay(0xc0000b2000)
	/home/dev/project/main.go:42 +0x36b
panic: broadcast of TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp: Contract validate error : account does not exist`,
    title: "The account does not exist",
  },
];

describe("tracebacks of other languages", function () {
  this.timeout(120_000);
  let folder: string;
  let workbench: OpenWorkbench;
  let page: Page;

  const hover = (): Locator => page.locator(".monaco-editor .monaco-hover:visible");

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-tracebacks-"));
    for (const { file, text } of tracebacks) writeFileSync(join(folder, file), text);
    workbench = await openWorkbench({ folder, settings: { "editor.wordWrap": "on", "editor.minimap.enabled": false } });
    ({ page } = workbench);
  });

  after(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The rows of our extension among those that run. */
  async function running(): Promise<readonly string[]> {
    await workbench.runCommand("Developer: Show Running Extensions");
    const rows = page.locator(".runtime-extensions-editor .monaco-list-row, .runtime-extensions-editor .extension");
    await rows.first().waitFor();
    return (await rows.allTextContents()).filter((name) => /finality/i.test(name));
  }

  it("do not activate the extension before one is opened", async () => {
    assert.deepEqual(await running(), []);
  });

  for (const { file, title } of tracebacks)
    it(`have a hover with cause and retry advice: ${file}`, async () => {
      for (const theme of ["dark", "light", "high-contrast"] as const satisfies readonly ThemeName[]) {
        await chooseTheme(page, theme);
        await openFile(page, file);
        await page.locator(".monaco-editor.focused .view-line").first().waitFor();
        await page.keyboard.press("Control+End");
        await tryAgain(page, async (timeout) => {
          await page.keyboard.press("Control+k");
          await page.keyboard.press("Control+i");
          await hover().getByText(title).first().waitFor({ timeout });
        });
        await hover().getByText("Same bytes again").first().waitFor();
        await takePicture(page, `${file.replace(".log", "")}-${theme}`);
      }
    });

  it("activate the extension when opened", async () => {
    assert.notDeepEqual(await running(), []);
  });
});
