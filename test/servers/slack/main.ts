/** The stand-in as a process of its own: `node test/servers/slack/main.ts [--port=N]`. */
import { runAsProcess } from '../support/run-as-process.ts';
import { startSlackServer } from './server.ts';

await runAsProcess(startSlackServer);
