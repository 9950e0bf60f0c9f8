import type { ContractResult } from "@finality/tron/transaction";

/** Java class of a halt, which constant calls print. */
const PROGRAM = "org.tron.core.vm.program.Program$";

/** The node's message for an error of Java itself, which no frame catches. */
const UNKNOWN_THROWABLE = "Unknown Throwable";

/**
 * Forced end of a frame. Inside a call it fails only the call; in the outermost frame it is the transaction's result
 * (protocol reference §11.5).
 */
export class Halt extends Error {
  override readonly name = "Halt";
  readonly result: ContractResult;
  readonly javaClass: string;

  constructor(result: ContractResult, javaClass: string, message: string) {
    super(message);
    this.result = result;
    this.javaClass = javaClass;
  }

  /** True if the halt ends the whole transaction. */
  get endsTransaction(): boolean {
    return this.result === "OUT_OF_TIME" || this.message === UNKNOWN_THROWABLE;
  }

  /** A failed transfer consumes the used energy; any other halt consumes all energy. */
  get burnsEverything(): boolean {
    return this.result !== "TRANSFER_FAILED";
  }
}

function program(result: ContractResult, exception: string, message: string): Halt {
  return new Halt(result, PROGRAM + exception, message);
}

export function outOfEnergy(message: string): Halt {
  return program("OUT_OF_ENERGY", "OutOfEnergyException", message);
}

/** The operands of a call or the data of a log cost more than the remaining energy. */
export function tooDear(operation: string, energy: number | bigint, left: number): Halt {
  const amounts = `opEnergy[${energy}], programEnergy[${left}]`;
  return outOfEnergy(`Not enough energy for '${operation}' operation executing: ${amounts}`);
}

export function notEnoughFor(purpose: string, needed: number, left: number): Halt {
  return outOfEnergy(`Not enough energy for '${purpose}' executing: needEnergy[${needed}], leftEnergy[${left}];`);
}

export function outOfMemory(operation: string): Halt {
  return program("OUT_OF_MEMORY", "OutOfMemoryException", `Out of Memory when '${operation}' operation executing`);
}

export function outOfTime(message: string): Halt {
  return program("OUT_OF_TIME", "OutOfTimeException", message);
}

export function stackTooSmall(expected: number, actual: number): Halt {
  const message = `Expected stack size ${expected} but actual ${actual};`;
  return program("STACK_TOO_SMALL", "StackTooSmallException", message);
}

export function stackTooLarge(): Halt {
  const message = "Expected: overflow 1024 elements stack limit";
  return program("STACK_TOO_LARGE", "StackTooLargeException", message);
}

export function illegalOperation(code: number): Halt {
  const message = `Invalid operation code: opCode[${code.toString(16).padStart(2, "0")}];`;
  return program("ILLEGAL_OPERATION", "IllegalOperationException", message);
}

export function badJump(destination: number): Halt {
  const message = `Operation with pc isn't 'JUMPDEST': PC[${destination}];`;
  return program("BAD_JUMP_DESTINATION", "BadJumpDestinationException", message);
}

export function invalidCode(): Halt {
  return program("INVALID_CODE", "InvalidCodeException", "invalid code: must not begin with 0xef");
}

export function transferFailed(message: string): Halt {
  return program("TRANSFER_FAILED", "TransferException", message);
}

export function changeInStaticCall(): Halt {
  const message = "Attempt to call a state modifying opcode inside STATICCALL";
  return program("UNKNOWN", "StaticCallModificationException", message);
}

export function returnDataOutOfBounds(offset: bigint, size: bigint, available: number): Halt {
  const word = (value: bigint): string => value.toString(16).padStart(64, "0");
  const message = `Illegal RETURNDATACOPY arguments: offset (${word(offset)}) + size (${word(size)}) > RETURNDATASIZE (${available})`;
  return program("UNKNOWN", "ReturnDataCopyIllegalBoundsException", message);
}

/** A value exceeds 63 bits where the node expects a long. */
export function outOfLongRange(): Halt {
  return new Halt("UNKNOWN", "java.lang.ArithmeticException", "BigInteger out of long range");
}

/** A memory offset exceeds 31 bits. */
export function integerOverflow(): Halt {
  return new Halt("UNKNOWN", "java.lang.ArithmeticException", "integer overflow");
}

/** The node cannot allocate an array of this length; the Java error ends the whole transaction. */
export function outOfHeap(): Halt {
  return new Halt("UNKNOWN", "java.lang.RuntimeException", UNKNOWN_THROWABLE);
}

export function executionFailed(message: string): Halt {
  return program("UNKNOWN", "BytecodeExecutionException", message);
}
