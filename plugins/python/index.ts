import { z } from 'zod';
import { forPerson } from '../../src/core/failure.ts';
import { definePlugin } from '../../src/core/plugin.ts';
import { words } from '../../src/core/trust.ts';

/** The code interpreter: the model's way into the Python session that it shares with the people of the thread. */
export const pythonPlugin = definePlugin({
  name: 'python',
  description: 'Runs Python in the thread’s shared session.',
  needs: ['sandbox'],
  tools: (define) => [
    define({
      name: 'python',
      description: words`Runs Python 3 in the live session that you share with the people of this thread. Names and files stay from run to run. The value of the last expression comes back by itself, as in a REPL; print() what stands earlier. Right: {"code": "df.describe()"}. Wrong: {"code": "x = df.describe()"} (shows nothing). No network, no input().`,
      parameters: z.object({ code: z.string().min(1) }),
      effect: 'read',
      // A run that was cut off by a crash left no trace: its container is gone and the state is the one before it.
      idempotent: true,
      parallelSafe: false,
      // The sandbox has its own limit on a run; this one only bounds waiting for a container and saving.
      timeoutMs: 240_000,
      bareArgument: 'code',
      aliases: ['python_interpreter', 'code_interpreter', 'ipython', 'execute_python', 'run_python'],
      summary: () => 'Running Python',
      execute: async ({ code }, { sandbox }) => {
        const ran = await sandbox.run(code);
        if (!ran.ok) return { text: `The code was not run. ${forPerson(ran.failure)}`, failed: true };
        const { value: run } = ran;
        return {
          text: run.error === null ? `Run ${run.n} ${run.end}.` : `Run ${run.n}: ${run.error.type}: ${run.error.value}`,
          failed: run.end !== 'finished',
          run,
        };
      },
    }),
  ],
});
