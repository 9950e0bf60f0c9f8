/** A part of its own: nobody needs it before the first command. */
export { createJwtKey, importJwtKey, setApiKey } from "./jwt-key-commands.ts";
export {
  addWatchOnlyAddress,
  copyAddress,
  generateSigningKey,
  importSigningKey,
  removeSigningKey,
} from "./signing-key-commands.ts";
