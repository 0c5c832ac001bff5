import { sandboxContract } from '../../contracts/sandbox.ts';
import { openSandbox } from '../../support/sandbox.ts';

sandboxContract('Docker', () => openSandbox());
