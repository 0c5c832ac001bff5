/**
 * A process that owns sandboxes, to be killed: `node sandbox-owner.ts OWNER WORKER`. It says `ready` when one container stands idle, one is
 * frozen for its conversation, and one runs code without end.
 */
import { openSandbox, openSession } from './sandbox.ts';
import { until } from './until.ts';

const [owner = '', workerId = ''] = process.argv.slice(2);
// It takes everybody for alive, or its own look for leftovers would remove the other workers' containers.
const { sandbox, blobs } = openSandbox({ owner, workerId, isAlive: async () => true, limits: { poolSize: 1 } });
const [resting, running] = [openSession(sandbox, blobs), openSession(sandbox, blobs)];
await resting.run('x = 1');
await sandbox.rest(resting.conversation);
const started = Promise.withResolvers<void>();
void running.tryRun('print("go", flush=True)\nwhile True: pass', { timeoutMs: 600_000, onOutput: () => started.resolve() });
await started.promise;
await until(async () => (await sandbox.health()).idle === 1, 'a container stands idle');
process.stdout.write('ready\n');
