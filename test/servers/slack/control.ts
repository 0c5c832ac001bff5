/** The typed client of the control API: makes things happen in the stand-in's workspace and looks at what came of them. */
import type { ControlClient } from '../support/control-client.ts';
import type { ControlOps } from './server.ts';

export type Control = ControlClient<ControlOps>;
