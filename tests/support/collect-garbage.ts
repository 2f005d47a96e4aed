// Loaded before a process of the product (`--import`), it has the process collect its garbage at SIGUSR2: more than once,
// because what holds a thing may have to go before the thing does.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
process.on("SIGUSR2", () => {
  for (const ms of [0, 50, 100]) setTimeout(collect, ms);
});
