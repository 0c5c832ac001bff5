/** What tests of adapters stand on is held to the contracts of the real ones. */
import { inboxContract } from '../../contracts/inbox.ts';
import { notesContract } from '../../contracts/notes.ts';
import { secretsContract } from '../../contracts/secrets.ts';
import { sharedFactsContract } from '../../contracts/shared-facts.ts';
import { createMemoryInbox, createMemoryNotes, createMemorySecrets, createMemorySharedFacts } from '../../support/memory-ports.ts';

const notes = createMemoryNotes();
const secrets = createMemorySecrets(1_000);
const facts = new Map<string, ReturnType<typeof createMemorySharedFacts>>();

notesContract('memory', () => notes);
secretsContract('memory', () => secrets);
sharedFactsContract('memory', (adapter) => {
  const known = facts.get(adapter) ?? createMemorySharedFacts();
  facts.set(adapter, known);
  return known;
});
inboxContract('memory', () => {
  const tray = createMemoryInbox();
  return { trays: [tray, tray], dead: async () => tray.dead().length };
});
