/** What reads the arguments of commands. A part of its own: nobody needs it before the first command. */
export { parseArguments } from "../command-arguments.ts";
export { commandShapes } from "../command-shapes.ts";
