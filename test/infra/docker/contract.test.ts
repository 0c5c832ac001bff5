/** With less memory than usual: touching all of it is what takes longest on a busy machine. */
import { sandboxContract } from '../../contracts/sandbox.ts';
import { openSandbox } from '../../support/sandbox.ts';

sandboxContract('Docker', () => openSandbox({ limits: { memoryMb: 256 } }));
