/** What the tests of a second Docker engine have in common: whether this machine can hold one, and the cells that show its walls. */
import { consumptionCells } from './hostile-consumption.ts';
import { reachCells } from './hostile-reach.ts';
import type { HostileCell } from './hostile-cell.ts';

const core = [
  "the supervisor's environment",
  "the supervisor's memory",
  'writing to the root file system',
  'becoming root',
  'a device node',
  'system calls that lead out',
  'the bridge, DNS, the metadata address and the host over IPv4 and IPv6',
  'network interfaces',
  'sockets that no network namespace holds',
  'a forged end on every descriptor',
  'a forged answer and state',
  'asking for parts of other sessions',
  'a loop that swallows interrupts',
  'a fork bomb',
  'killing the supervisor',
  'memory at once',
];

/** The heart of the hostile suite, for each way to run a container. */
export const coreCells: readonly (readonly [string, HostileCell])[] = Object.entries({ ...consumptionCells, ...reachCells }).filter(
  ([name]) => core.includes(name),
);
