/** The stand-in as a process of its own: `node test/servers/discord/main.ts [--port=N]`. */
import { runAsProcess } from '../support/run-as-process.ts';
import { startDiscordServer } from './server.ts';

await runAsProcess(startDiscordServer);
