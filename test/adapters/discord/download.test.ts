/** Where files are read from, and what they are called. */
import { describe, expect, it } from 'vitest';
import { isCdnHost, isExpired, nameOf } from '../../../adapters/discord/handle/download.ts';

const hosts = ['cdn.discordapp.com', 'media.discordapp.net', '127.0.0.1:4010'];
const file = { id: '1', filename: 'plot.png', title: null, content_type: null, size: 1, url: '' };

describe('a file', () => {
  it.each([
    ['https://cdn.discordapp.com/attachments/1/2/a.png?ex=1', true],
    ['https://media.discordapp.net/a.png', true],
    ['http://127.0.0.1:4010/a.png', true],
    ['http://cdn.discordapp.com/a.png', false],
    ['https://cdn.discordapp.com:8443/a.png', false],
    ['https://cdn.discordapp.com.evil.example/a.png', false],
    ['https://user@cdn.discordapp.com/a.png', false],
    ['http://127.0.0.1:6379/', false],
    ['file:///etc/passwd', false],
    ['not a url', false],
  ])('is asked for at %s: %s', (url, allowed) => {
    expect(isCdnHost(url, hosts)).toBe(allowed);
  });

  it('U088: tells by its link when it expires', () => {
    expect(isExpired('https://cdn.discordapp.com/a?ex=65f00000', 0x65f00000 * 1000)).toBe(true);
    expect(isExpired('https://cdn.discordapp.com/a?ex=65f00001', 0x65f00000 * 1000)).toBe(false);
    expect(isExpired('https://cdn.discordapp.com/a', Date.now())).toBe(false);
  });

  it('has the name that people see, with its ending', () => {
    expect(nameOf(file)).toBe('plot.png');
    expect(nameOf({ ...file, title: 'Übersicht' })).toBe('Übersicht.png');
    expect(nameOf({ ...file, title: 'Übersicht.PNG' })).toBe('Übersicht.PNG');
  });
});
