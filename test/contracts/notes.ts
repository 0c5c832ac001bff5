/** What all notes must do. See src/ports/notes.ts. */
import { describe, expect, it } from 'vitest';
import type { Notes } from '../../src/ports/notes.ts';
import { valueOf } from '../support/results.ts';
import { aConversation } from '../support/samples.ts';

/** `make` opens the storage as one more process would. */
export const notesContract = (name: string, make: () => Notes): void => {
  describe(`notes: ${name}`, () => {
    it('gives back what was set, in another process too, and null for what was not', async () => {
      const conversation = aConversation();
      expect(valueOf(await make().get(conversation, 'sent:1:1'))).toBeNull();
      for (const value of ['', '=', '!x', 'ts 1700000000.000100', 'é "{\u0000}\n']) {
        valueOf(await make().set(conversation, 'sent:1:1', value));
        expect(valueOf(await make().get(conversation, 'sent:1:1'))).toBe(value);
      }
    });
    it('keeps names apart, and conversations', async () => {
      const [one, two] = [aConversation(), aConversation()];
      valueOf(await make().set(one, 'a', '1'));
      valueOf(await make().set(one, 'a b', '2'));
      valueOf(await make().set(two, 'a', '3'));
      expect(valueOf(await make().get(one, 'a'))).toBe('1');
      expect(valueOf(await make().get(one, 'a b'))).toBe('2');
      expect(valueOf(await make().get(two, 'a'))).toBe('3');
      expect(valueOf(await make().get(two, 'a b'))).toBeNull();
    });
    it('lets one of many claims win, and tells all of them which', async () => {
      const conversation = aConversation();
      const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => make().claim(conversation, 'draft', `${n}`)));
      const won = valueOf(await make().get(conversation, 'draft'));
      expect(new Set(claims.map(valueOf))).toEqual(new Set([won]));
      expect(valueOf(await make().claim(conversation, 'draft', 'late'))).toBe(won);
    });
    it('forgets what is removed', async () => {
      const conversation = aConversation();
      valueOf(await make().set(conversation, 'a', '1'));
      valueOf(await make().remove(conversation, 'a'));
      valueOf(await make().remove(conversation, 'a'));
      expect(valueOf(await make().get(conversation, 'a'))).toBeNull();
      expect(valueOf(await make().claim(conversation, 'a', '2'))).toBe('2');
    });
  });
};
