import type { NetworkProfile } from "@finality/client/gateway";
import { type NewRow, RUN_VERSION, requireRunAuthority, runIdOf, type StoredRun } from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { askModal, whileWorking } from "../../host/prompts/notify.ts";
import { DO_NOT_SEND } from "../../sending/consent.ts";
import { fileNameOf, type ReviewedRun, type RunChoice, type RunReviewer } from "./review-run-file.ts";
import type { RunParts } from "./services.ts";

/** End of *Run File*: a stored run that is executed, or a review that was refused or not confirmed. */
export interface StartedRun {
  readonly run: StoredRun | undefined;
  /** Absent for a run that was stored before. */
  readonly reviewed: ReviewedRun | undefined;
  /** True if the run was stored before, so that the user goes on with it. */
  readonly isKnown: boolean;
}

const SIGN_ALL = t`Sign and Send All`;

/** Reviews files, and starts their runs after the consent. */
export class RunStarter {
  readonly #services: RunParts;
  readonly #reviewer: RunReviewer;

  constructor(services: RunParts, reviewer: RunReviewer) {
    this.#services = services;
    this.#reviewer = reviewer;
  }

  /**
   * Validates a file, asks for one consent to all of its rows, stores the run and starts it.
   *
   * @throws {ChainError} `RUN_STORE_UNAVAILABLE`, `RUN_KEY_USED`, `PERMISSION_REFUSED`, and the errors of the gateway,
   *   the key and the file
   */
  async start(choice: RunChoice): Promise<StartedRun> {
    const { chains, gateways, runs, sender, keys, clock } = this.#services;
    const { network, account, uri } = choice;
    const file = await this.#reviewer.read(choice);
    const here = await whileWorking(t`Checking the chain`, () => chains.networkRefOf(network));
    const { chain } = here;
    if (chain === undefined) {
      const reason = t`the network does not report its first block`;
      throw new ChainError("RUN_STORE_UNAVAILABLE", { store: fileNameOf(uri), reason });
    }
    const { store } = await runs.open();
    const owner = account.address;
    const id = runIdOf(chain, owner, file.fileHash);
    const known = await store.run(id);
    if (known !== undefined) return { run: known, reviewed: undefined, isKnown: true };
    const reviewed = await this.#reviewer.validate(choice, file);
    const refused = { run: undefined, reviewed, isKnown: false };
    if (!reviewed.run.canStart || !(await confirmPaidAgain(reviewed))) return refused;
    const rows: readonly NewRow[] = reviewed.run.rows.map(({ row, key, intent, label }) => ({
      ...{ row, key, intent },
      ...defined({ label }),
    }));
    await requireRunAuthority(await gateways.for(network), owner, rows);
    const nameOf = keys.nameOf.bind(keys);
    const signer = await (await sender()).signerOfRun({
      network,
      owner,
      nameOf,
      rows,
      review: reviewOf(reviewed, network),
    });
    if (signer === undefined) return refused;
    const run = { id, network: { ...here, chain }, owner, title: fileNameOf(uri), fileHash: file.fileHash };
    await store.create({ ...run, version: RUN_VERSION, createdAt: clock.now() }, rows);
    const stored = await store.run(id);
    if (stored !== undefined) await runs.execute(stored, network, signer);
    return { run: stored, reviewed, isKnown: false };
  }
}

/** Asks before rows of an earlier run are paid again. The review of the run does not include this consent. */
async function confirmPaidAgain({ review: { paidAgain } }: ReviewedRun): Promise<boolean> {
  if (paidAgain.length === 0) return true;
  const again = t`Pay Again`;
  const question = { title: t`Pay rows of an earlier run again?`, detail: paidAgain.join("\n"), isFirstSafe: true };
  return (await askModal("warning", question, DO_NOT_SEND, again)) === again;
}

function reviewOf({ review: { title, lines, isDoubtful } }: ReviewedRun, { production }: NetworkProfile) {
  const consent = t`Your consent covers exactly these rows, as long as this window is open.`;
  return {
    title,
    detail: [...lines, "", consent].join("\n"),
    severity: isDoubtful || production ? "warning" : "information",
    isRealMoney: production,
    buttons: isDoubtful ? [DO_NOT_SEND, SIGN_ALL] : [SIGN_ALL],
    sign: SIGN_ALL,
  } as const;
}
