import { group } from "./entry.ts";

const OUT = "Raise the limit to what an estimate says, or do less in one call.";

/** What tools say in words of their own where the chain says nothing: Hardhat, Foundry, ethers, viem, TronWeb and TronBox. */
export const toolMessages = [
  ...group({ category: "execution", retry: "if-executed", source: "the words of Hardhat, Foundry and ethers" }, [
    [
      "vm-revert-no-function",
      "function selector was not recognized{rest}",
      "The contract has no such function",
      "The selector is none of its functions, and there is no fallback that would take the call.",
      "Compare the ABI with the contract at this address: a proxy or an older version may be there.",
    ],
    [
      "vm-revert-no-code",
      ["function call to a non-contract account", "call to a non-contract address", "call to non-contract address"],
      "There is no contract at the called address",
      "The contract called an address that holds no code.",
      "Check the address that the contract was given, and the network.",
    ],
    [
      "vm-revert-not-payable",
      [
        "non-payable function was called with value {value}",
        "function is not payable and was called with value {value}",
      ],
      "Coins were sent to a function that takes none",
      "The function is not payable, and {value} was sent along.",
      "Send no call value, or call a payable function.",
    ],
    [
      "vm-revert-return-size",
      "function returned an unexpected amount of data",
      "The called contract returned something else",
      "It gave fewer bytes than its interface says: another contract is there, or a token that returns nothing.",
      "Check the interface of the called contract; for tokens use SafeERC20.",
    ],
    [
      "vm-revert-arguments",
      ["function was called with incorrect parameters", "library was called directly"],
      "The arguments cannot be decoded",
      "The data do not follow the types of the function.",
      "Encode the arguments with the ABI of this very contract.",
    ],
    [
      "vm-revert-code-size",
      ["trying to deploy a contract whose code is too large", "max code size exceeded"],
      "The contract is too large",
      "Its code has more bytes than the chain stores.",
      "Use the optimizer, libraries or several contracts.",
    ],
    [
      "vm-illegal-operation-tool",
      [
        "VM Exception while processing transaction: invalid opcode",
        "EvmError: InvalidFEOpcode",
        "EvmError: InvalidOpcode",
      ],
      "Unknown operation in the bytecode",
      "An INVALID instruction, as old versions of Solidity use it for assert, or a compiler for a newer VM. The whole limit is used up.",
      "Look for a failed assert, and compile for a version of the EVM that the chain runs.",
    ],
    [
      "vm-out-of-energy-tool",
      [
        "Transaction ran out of gas",
        "VM Exception while processing transaction: out of gas",
        "EvmError: OutOfGas",
        "contract call run out of gas and made the transaction revert",
      ],
      "Out of energy",
      "The limit of the call was used up.",
      OUT,
    ],
    [
      "vm-call-failed",
      ['Failed to execute "{call}". If you need to debug{rest}', "exited with an error (status 0){rest}"],
      "The transaction is on the chain, and its execution failed",
      "The tool does not say why; the information of the transaction does.",
      "Track the txID, or open the answer of gettransactioninfobyid here: result, resMessage and contractResult have the reason.",
    ],
  ]),
  ...group({ category: "http", retry: "unknown-outcome", source: "the words of TronWeb, web3, ethers and viem" }, [
    [
      "tool-stopped-waiting",
      [
        "Cannot find result in solidity node",
        "Transaction was not mined within {rest}",
        "Timed out while waiting for transaction{rest}",
        "wait for transaction timeout{rest}",
      ],
      "The tool stopped waiting for the transaction",
      "It was sent, and no information of it came in time. It may be in a block, or come into one until it expires.",
      "Track its txID: the solidified information tells what became of it. Build nothing new before.",
    ],
  ]),
  ...group({ category: "abi", retry: "request-after-fix", source: "the words of ethers and viem" }, [
    [
      "no-data",
      ['could not decode result data (value="0x"{rest}', 'returned no data ("0x"){rest}', "call returned no data"],
      "The call returned nothing",
      "There is no contract at this address, or it has no such function.",
      "Check address, network and ABI.",
    ],
  ]),
  ...group(
    { category: "validation", retry: "request-after-fix", source: "the words of TronWeb, TronBox and Truffle" },
    [
      [
        "tool-not-deployed",
        [
          "has not been deployed to detected network{rest}",
          "Contract has not been deployed on the network",
          "Cannot create instance of {contract}; no code at address {address}",
        ],
        "The contract is not deployed on this network",
        "The artifact names no address for the network that is used.",
        "Run the migrations on this network, or choose the network of the deployment.",
      ],
      [
        "tool-same-account",
        ["Cannot transfer TRX to the same account", "Cannot transfer tokens to the same account"],
        "Sender and recipient are the same",
        "TronWeb refuses it before anything is sent.",
        "Use another recipient.",
      ],
      [
        "tool-wrong-key",
        "Private key does not match address in transaction",
        "The key is not that of the sender",
        "The transaction names another owner_address than the key has.",
        "Sign with the sender's key; of a permission with several keys use multiSign.",
      ],
      [
        "tool-signed-already",
        "Transaction is already signed",
        "The transaction is signed already",
        "TronWeb signs once.",
        "Send it as it is; to add a signature use multiSign.",
      ],
      [
        "tool-argument",
        [
          "Invalid recipient address provided",
          "Invalid origin address provided",
          "Invalid contract address provided",
          "Invalid amount provided",
          "Invalid feeLimit value",
        ],
        "TronWeb does not accept an argument",
        "It was checked before anything was sent.",
        "Give addresses as T… or 41…, and amounts as whole numbers of sun.",
      ],
      [
        "tool-declined",
        ["Confirmation declined by user", "User denied transaction signature"],
        "The wallet did not sign",
        "The person said no in the wallet. Nothing was sent.",
        "Ask again when the person agrees.",
      ],
      [
        "tool-funds",
        ["sender doesn't have enough funds to send tx{rest}", "insufficient funds for {what}"],
        "Balance is not sufficient",
        "The sender cannot pay value and fee.",
        "Top up the account.",
      ],
    ],
  ),
];
