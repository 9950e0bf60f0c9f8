// `.mocharc.json` names this file: it runs before the tests.

import Mocha from "mocha";
import { extendTimeouts } from "./extend-timeouts.ts";

extendTimeouts(Mocha.Runnable);
