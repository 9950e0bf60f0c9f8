import { t } from "@vscode/l10n";

/** State that decides which actions the menu offers. */
export interface MenuState {
  /** Name of the active network. */
  readonly network: string | undefined;
  /** True if there is any network to choose. */
  readonly hasNetwork: boolean;
  readonly isLocalChainRunning: boolean;
  /** True if the local chain is the chosen network and does not run. */
  readonly isLocalStopped: boolean;
  /** True if it runs, but this window disconnected from it. */
  readonly isLocalDisconnected: boolean;
  /** True if an account can sign on the active network, and the workspace is trusted. */
  readonly canSend: boolean;
}

/** Action of the menu, or the title of a group. */
export type MenuItem =
  | { readonly kind: "group"; readonly label: string }
  | {
      readonly kind: "action";
      readonly label: string;
      /** A codicon. */
      readonly icon: string;
      readonly command: string;
      readonly argument?: string;
    };

type Action = Extract<MenuItem, { readonly kind: "action" }>;

const action = (icon: string, label: string, command: string, argument?: string): Action => ({
  ...{ kind: "action", icon, label, command },
  ...(argument === undefined ? {} : { argument }),
});

const SWITCH = action("plug", t`Switch Network…`, "finality.switchNetwork");
const TEST = action("radio-tower", t`Test Connection`, "finality.testConnection");
const ADD = action("add", t`Add Network…`, "finality.addNetwork");
const SEND = action("send", t`Send Coins…`, "finality.sendCoins");
const CALL = action("play", t`Call Contract…`, "finality.callContract");
const READ = action("eye", t`Read Contract…`, "finality.readContract");
const TRACK = action("search", t`Track Transaction…`, "finality.trackTransaction");
const LIST = action("list-unordered", t`Show Transactions`, "finality.transactions.focus");
const START = action("play", t`Start Local Chain`, "finality.startLocalChain");
const CHAIN = [
  action("zap", t`Local Chain Faults…`, "finality.localChainFaults"),
  action("debug-step-over", t`Mine Blocks…`, "finality.localChainMine"),
  action("debug-stop", t`Stop Local Chain`, "finality.stopLocalChain"),
];
const HELP = [
  action("book", t`Open Documentation…`, "finality.openDocumentation"),
  action("output", t`Show Log`, "finality.showLog"),
  action("gear", t`Open Settings`, "workbench.action.openSettings", "@ext:finality.finality"),
];

/** Returns the actions that work now, in groups. */
export function menuItems(state: MenuState): readonly MenuItem[] {
  const { network, hasNetwork, isLocalChainRunning, isLocalStopped, canSend } = state;
  const isActive = network !== undefined;
  return [
    ...group(networkLabel(state), [
      ...(isLocalStopped ? [START] : []),
      SWITCH,
      ...(isActive ? [TEST] : []),
      ...(hasNetwork ? [] : [ADD]),
    ]),
    ...group(t`Transactions`, [...(canSend ? [SEND, CALL] : []), ...(isActive ? [READ, TRACK] : []), LIST]),
    ...(isLocalStopped ? [] : group(t`Local chain`, isLocalChainRunning ? CHAIN : [START])),
    ...group(t`Help`, HELP),
  ];
}

function networkLabel({ network, isLocalStopped, isLocalDisconnected }: MenuState): string {
  if (isLocalDisconnected) return t`Disconnected from local chain`;
  if (isLocalStopped) return t`Local chain is not running`;
  return network === undefined ? t`No active network` : t`Network: ${network}`;
}

function group(label: string, actions: readonly Action[]): readonly MenuItem[] {
  return [{ kind: "group", label }, ...actions];
}
