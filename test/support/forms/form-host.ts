import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { NetworkProfile } from "../../../packages/client/src/gateway/network.ts";
import type { JsonAbiEntry } from "../../../packages/tron/src/abi/abi-index.ts";
import type { Address } from "../../../packages/tron/src/primitives/address.ts";
import type { Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { ContractContext, ContractServices } from "../../../src/features/contracts/services.ts";
import type { CodeRequest } from "../../../src/sending/contract-code.ts";
import { EventEmitter, memento } from "../fakes/fake-editor.ts";
import { importVariant } from "../random/mutants.ts";
import { ALICE } from "../tracking/tracked.ts";

type Panels = typeof import("../../../src/features/contracts/argument-panels.ts");

const NETWORK = { name: "Test", baseUrl: "http://127.0.0.1:1", fallbackUrls: [], local: true, production: false };

/** Loads the panels of argument forms with the fake editor. */
export async function loadPanels(): Promise<Panels> {
  const editor = pathToFileURL(join(import.meta.dirname, "form-editor.ts")).href;
  const file = join(import.meta.dirname, "../../../src/features/contracts/argument-panels.ts");
  return await importVariant<Panels>(file, [], (specifier) => (specifier === "vscode" ? editor : undefined));
}

/** A contract and the chain of a form: it records what a form reads and sends. */
export class FormHost {
  readonly abi: readonly JsonAbiEntry[];
  /** Data of each constant call. */
  readonly reads: Hex[] = [];
  readonly sent: CodeRequest[] = [];
  readonly transactions: unknown[] = [];
  /** Resolves when the user has answered the review. */
  review: () => Promise<{ readonly txId: string } | undefined> = async () => ({ txId: "ab".repeat(32) });
  readonly context: ContractContext;
  readonly #networksChanged = new EventEmitter<void>();
  /** Returns the network of the form. */
  network: () => typeof NETWORK = () => NETWORK;
  #onRead: (data: Hex) => void = () => undefined;

  constructor(abi: readonly JsonAbiEntry[], drafts = memento()) {
    this.abi = abi;
    const services = {
      keys: {
        knownOn: () => [{ address: ALICE, label: "Alice" }],
        listOn: () => [{ address: ALICE, label: "Alice", watchOnly: false }],
        isOutside: () => false,
        nameOf: (address: Address) => (address === ALICE ? "Alice" : undefined),
      },
      networks: { get: () => this.network(), onDidChange: this.#networksChanged.event },
      gateways: { for: async () => this.#gateway },
      transactions: { list: () => this.transactions, ready: async () => undefined, get: () => undefined },
      chains: { known: () => undefined },
      contractBook: async () => ({ isEmpty: true, isRemoved: () => false }),
      artifacts: {
        get: async () => ({
          ready: async () => ({ deployments: [], contractsAt: () => [], contractsNamed: () => [] }),
        }),
      },
      names: async () => ({ keep: async () => undefined }),
      sender: async () => ({
        send: async (_: unknown, request: CodeRequest) => {
          this.sent.push(request);
          return await this.review();
        },
      }),
      clock: { now: () => 1_000 },
      log: { error: (text: string, error: unknown) => fail(text, error) },
      extensionUri: "",
      drafts,
    };
    this.context = {
      services: services as unknown as ContractServices,
      network: NETWORK as unknown as NetworkProfile,
      gateway: this.#gateway,
      nameOf: services.keys.nameOf,
    };
  }

  /** Starts the network again after it was not found. */
  startNetwork(): void {
    this.network = () => NETWORK;
    this.#networksChanged.fire();
  }

  /** Returns the data of the next constant call. */
  nextRead(): Promise<Hex> {
    return new Promise((resolve) => {
      this.#onRead = resolve;
    });
  }

  get #gateway(): ContractContext["gateway"] {
    const gateway = {
      deployedContract: async () => ({ name: "Tea", abi: this.abi, created: "" }),
      storageAt: async () => undefined,
      constantCall: async ({ data }: { readonly data: Hex }) => {
        this.reads.push(data);
        this.#onRead(data);
        return { reverted: false, returned: `${"0".repeat(62)}2a` };
      },
    };
    return gateway as unknown as ContractContext["gateway"];
  }
}

function fail(text: string, error: unknown): never {
  throw new Error(text, { cause: error });
}
