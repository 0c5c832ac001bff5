/** The chat page in a real browser, before a small world in memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure } from '../../../src/core/failure.ts';
import { aRun } from '../../support/a-run.ts';
import { startBrowser } from '../../support/browser.ts';
import { until } from '../../support/until.ts';
import type { WebWorld } from '../../support/web-world.ts';
import { startWebWorld } from '../../support/web-world.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

let world: WebWorld;
let page: Page;
/** What the browser complained of: errors, refused scripts, requests to elsewhere. */
let complaints: string[];
beforeEach(async () => {
  world = await startWebWorld();
  page = await openPage();
});
afterEach(async () => {
  await page.context().close();
  await world[Symbol.asyncDispose]();
});

const openPage = async (options: BrowserContextOptions = {}, url = world.url): Promise<Page> => {
  const context = await browser.newContext(options);
  const opened = await context.newPage();
  opened.setDefaultTimeout(30_000);
  const seen: string[] = [];
  complaints = seen;
  opened.on('pageerror', (error) => seen.push(String(error)));
  opened.on('console', (message) => {
    if (message.type() === 'error') seen.push(message.text());
  });
  opened.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).host !== new URL(url).host) seen.push(`went to ${request.url()}`);
  });
  await opened.goto(url);
  return opened;
};
const say = async (text: string, on = page): Promise<void> => {
  await on.getByLabel('Message', { exact: true }).fill(text);
  await on.keyboard.press('Enter');
};
const articles = (on = page) => on.locator('#messages article:not(.live)');
const shows = (text: string | RegExp, on = page) => on.locator('#messages').getByText(text).first().waitFor();
const threadId = (): string => /\/t\/([\w-]+)$/.exec(page.url())![1]!;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
);

describe('the chat page', () => {
  it('streams an answer, shows it once, and keeps it over a reload', async () => {
    let goOn = (): void => {};
    world.bot = async (turn) => {
      await turn.status('working', 'Thinking');
      await turn.draft('The first half');
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await turn.draft('The first half and the second');
      await turn.finish({ text: 'The first half and **the second**.' });
    };
    await say('tell me');
    await page.locator('.live').getByText('The first half').waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(true);
    goOn();
    await page.locator('#messages strong', { hasText: 'the second' }).waitFor();
    await page.locator('.live').waitFor({ state: 'hidden' });
    expect(await articles().count()).toBe(2);
    expect(await page.locator('#announce').textContent()).toContain('the second');
    expect(await articles().nth(1).innerText()).toContain('practice model');
    await page.reload();
    await shows('tell me');
    expect(await articles().count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  it('shows what a running turn has shown so far to one who comes later', async () => {
    let finish = (): void => {};
    world.bot = async (turn) => {
      await turn.status('working', 'Thinking');
      await turn.ran(aRun({ n: 1, code: 'step_one()', output: 'one\n' }));
      await turn.draft('So far', [{ call: 'c', text: 'Searching the web', state: 'running' }]);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await turn.finish({ text: 'So far and further' });
    };
    await say('go');
    await page.locator('.live').getByText('Searching the web').waitFor();
    await page.reload();
    await page.locator('.live').getByText('So far').waitFor();
    expect(await page.locator('.live').innerText()).toContain('step_one()');
    finish();
    await shows('So far and further');
    expect(await articles().count()).toBe(2);
  });

  it('shows a person’s own run as a cell, with output, value, error and what was lost', async () => {
    const error = { type: 'ZeroDivisionError', value: 'division by zero', traceback: 'Traceback\n  line 2\nZeroDivisionError', line: 2 };
    const lost = [{ name: 'gen', type: 'generator', why: 'a generator cannot be saved', path: '' }];
    world.bot = (turn) =>
      turn.finishRun(
        aRun({ n: 5, by: 'person', author: turn.incoming.author, code: 'gen = 1\n1 / 0', output: 'before\n', end: 'raised', error, lost }),
      );
    await say('>>>\ngen = 1\n1 / 0');
    const cell = page.getByRole('region', { name: 'Run 5, by You' });
    await cell.waitFor();
    const text = await cell.innerText();
    for (const part of [
      '[5]',
      'You ran',
      '1 / 0',
      'before',
      'ZeroDivisionError: division by zero (line 2)',
      'gen (generator: a generator cannot be saved)',
    ]) {
      expect(text).toContain(part);
    }
    expect(await cell.getByText('Traceback').isVisible()).toBe(false);
    await cell.getByText('ZeroDivisionError: division').click();
    expect(await cell.getByText('Traceback').isVisible()).toBe(true);
    // The message is the cell; its text is not said a second time.
    expect(await articles().count()).toBe(1);
  });

  it('runs a code block of an answer in the thread, and copies it', async () => {
    world.bot = (turn) => {
      const text = turn.incoming.kind === 'message' ? turn.incoming.text : '';
      return text.startsWith('>>>')
        ? turn.finishRun(aRun({ n: 1, by: 'person', code: 'x = 1\nif x:\n    x', value: '1' }))
        : turn.finish({ text: 'Try\n\n```python\nx = 1\nif x:\n    x\n```\n\n```json\n{"a": 1}\n```' });
    };
    await say('give me code');
    // The finished answer takes the place of the draft, buttons and all.
    await until(async () => (await page.getByRole('button', { name: 'Run' }).count()) === 1, 'one button to run');
    await until(async () => (await page.getByRole('button', { name: 'Copy' }).count()) === 2, 'two to copy');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: /^Run 1/ }).waitFor();
    expect(world.accepted.at(-1)).toMatchObject({ kind: 'message', text: '>>>\nx = 1\nif x:\n    x' });
  });

  it('shows a plot with its words, and enlarges it', async () => {
    world.bot = async (turn) => {
      const file = { name: 'figure-1.png', type: 'image/png', size: PNG.length, blob: turn.put(PNG), picture: true, alt: 'A red square' };
      await turn.ran(aRun({ n: 1, code: 'plot()', files: [file] }));
      await turn.finish({ text: 'There.' });
    };
    await say('plot');
    await shows('There.');
    const picture = articles().getByRole('img', { name: 'A red square' });
    await picture.waitFor();
    expect(await picture.count()).toBe(1);
    await until(() => picture.evaluate((image: { naturalWidth?: number }) => (image.naturalWidth ?? 0) > 0), 'the picture is loaded');
    await picture.click();
    await page.getByRole('dialog').getByRole('img').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });

  it('stops with the button and with Esc', async () => {
    const stops = (): number => world.accepted.filter((one) => one.kind === 'command' && one.name === 'stop').length;
    let end = (): void => {};
    world.bot = async (turn) => {
      if (turn.incoming.kind === 'command') {
        await turn.answerCommand('Stopping.', { key: turn.turn });
        return;
      }
      await turn.status('working', 'Thinking');
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      await turn.finish({ text: 'half', status: 'stopped', failure: failure('stopped', { by: 'You' }) });
    };
    await say('long');
    await page.getByRole('button', { name: 'Stop' }).click();
    await until(() => stops() === 1, 'one stop');
    await page.keyboard.press('Escape');
    await until(() => stops() === 2, 'two stops');
    end();
    await shows('Stopped by You.');
    await page.getByRole('button', { name: 'Retry' }).click();
    await until(() => world.accepted.some((one) => one.kind === 'command' && one.name === 'retry'), 'a retry');
  });

  it('uploads by button, paste and drop, and tells the limits', async () => {
    await page.getByLabel(/^Attach files/).waitFor();
    const picker = page.locator('#files');
    await picker.setInputFiles([
      { name: 'data.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') },
      { name: 'large.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(2 * 1024 * 1024) },
    ]);
    await page.getByText(/large\.bin is too large/).waitFor();
    expect(await page.locator('#chosen').innerText()).toContain('data.csv');
    await page.evaluate(`(() => {
      const hold = (name) => { const data = new DataTransfer(); data.items.add(new File(['x'], name)); return data; };
      document.getElementById('text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: hold('pasted.txt'), bubbles: true, cancelable: true }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: hold('dropped.txt'), bubbles: true, cancelable: true }));
    })()`);
    await page.locator('#chosen').getByText('dropped.txt').waitFor();
    await page.getByRole('button', { name: 'Remove pasted.txt' }).click();
    await say('what is in it?');
    await shows(/You said: what is in it/);
    const names = world.accepted.flatMap((one) => (one.kind === 'message' ? one.files.map((file) => file.name) : []));
    expect(names).toEqual(['data.csv', 'dropped.txt']);
    const link = articles()
      .first()
      .getByRole('link', { name: /data\.csv/ });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('data.csv');
    expect(complaints).toEqual([]);
  });

  it('writes Python with the switch, and knows >>> without it', async () => {
    world.bot = (turn) => turn.finishRun(aRun({ n: 1, by: 'person', code: 'x' }));
    await page.getByRole('button', { name: 'Python', exact: true }).click();
    await page.getByLabel('Message', { exact: true }).fill('for i in range(2):');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('    print(i)');
    await page.keyboard.press('Enter');
    await until(() => world.accepted.length === 1, 'the message');
    expect(world.accepted[0]).toMatchObject({ text: '>>>\nfor i in range(2):\n    print(i)' });
    expect(await page.locator('#composer.code-mode').count()).toBe(1);
  });

  it('answers commands in a card, and hands over their files', async () => {
    // An answer to a command is no part of the thread: only a page that is there already is told of one that it did not ask for.
    world.bot = (turn) => turn.finish({ text: 'Here I am.' });
    await say('hello');
    await shows('Here I am.');
    world.bot = (turn) => turn.answerCommand('| name | value |\n| --- | --- |\n| `x` | 41 |', { key: turn.turn });
    await say('first');
    await page.locator('.card').waitFor();
    await page.getByRole('button', { name: 'Commands' }).click();
    await page.locator('#menu').getByText('vars', { exact: true }).click();
    const card = page.getByRole('region', { name: 'Answer to vars' });
    await card.getByRole('cell', { name: '41' }).waitFor();
    // The answer also comes as an event; it is shown once, beside the card of what was said first.
    await until(async () => (await page.locator('.card').count()) === 2, 'both cards');
    await sleep(300);
    expect(await page.locator('.card').count()).toBe(2);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await until(async () => (await card.count()) === 0, 'the card to go');
  });
});

describe('the page when things go wrong', () => {
  it('puts the answer in the place of a command that was written as a message', async () => {
    world.bot = (turn) => turn.answerCommand('Started afresh.', { key: turn.turn });
    await say('!reset');
    await page.getByRole('region', { name: 'Answer to !reset' }).getByText('Started afresh.').waitFor();
    await until(async () => (await articles().count()) === 0, 'the message to go');
    expect(await page.getByRole('button', { name: 'Stop' }).isVisible()).toBe(false);
  });

  it('goes to the new thread after a fork that was written', async () => {
    await say('the copy');
    await until(() => /\/t\//.test(page.url()), 'the thread');
    const to = threadId();
    await page.getByRole('link', { name: 'New thread', exact: true }).click();
    await say('the first');
    await until(() => /\/t\//.test(page.url()) && threadId() !== to, 'another thread');
    world.bot = (turn) => turn.answerCommand(`Forked.\n\nNew thread: ${to}`, { key: turn.turn });
    await say('!fork another way');
    await until(() => page.url().endsWith(`/t/${to}`), 'the new thread');
    await shows('the copy');
  });

  it('aligns the columns of tables, and lets each paragraph run in the direction of its script', async () => {
    world.bot = (turn) => turn.finish({ text: '| a | b |\n|:--|--:|\n| 1 | 2 |\n\nمرحبا x' });
    await say('a table');
    await page.getByRole('cell', { name: '2' }).waitFor();
    const sideOf = (nth: number) => page.evaluate(`getComputedStyle(document.querySelectorAll('#messages td')[${nth}]).textAlign`);
    expect([await sideOf(0), await sideOf(1)]).toEqual(['left', 'right']);
    expect(await page.evaluate(`[...document.querySelectorAll('#messages p')].map((p) => getComputedStyle(p).unicodeBidi)`)).toContain(
      'plaintext',
    );
    expect(complaints).toEqual([]);
  });

  it('gives a refused text back to its writer', async () => {
    await page.getByLabel(/^Attach files/).waitFor();
    await say('x'.repeat(100_001));
    await page.getByText(/100,001 characters/).waitFor();
    expect((await page.getByLabel('Message', { exact: true }).inputValue()).length).toBe(100_001);
    world.broken = failure('forbidden', { action: 'talk' });
    await say('may I?');
    await page.getByText('You may not talk here.').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('may I?');
    expect(await articles().count()).toBe(0);
  });

  it('keeps a message that could not be sent, and sends it once', async () => {
    await say('first');
    await shows('You said: first');
    world.broken = failure('store-unreachable', {});
    await say('second');
    await page.getByText(/Not sent\./).waitFor();
    world.broken = null;
    await page.getByRole('button', { name: 'Send again' }).click();
    await shows('You said: second');
    await until(async () => (await articles().count()) === 4, 'four messages');
    expect(await page.getByText(/Not sent\./).count()).toBe(0);
  });

  it('sends what is written quickly in the order in which it was written, into one new thread', async () => {
    for (const text of ['one', 'two', 'three', 'four']) await say(text);
    await shows('You said: four');
    expect(world.accepted.map((one) => (one.kind === 'message' ? one.text : ''))).toEqual(['one', 'two', 'three', 'four']);
    expect(new Set(world.accepted.map((one) => one.address.thread)).size).toBe(1);
    await until(async () => (await articles().count()) === 8, 'eight messages');
  });

  it('says that the connection is lost, comes back by itself, and neither loses nor doubles anything', async () => {
    await say('first');
    await shows('You said: first');
    const { port } = world;
    const thread = threadId();
    world.cut();
    await say('second');
    await shows('You said: second');
    expect(await articles().count()).toBe(4);
    // What happens while nobody is connected is there afterwards.
    await page.context().setOffline(true);
    world.cut();
    await page.getByText('The connection is lost.', { exact: false }).waitFor();
    await fetch(`http://127.0.0.1:${port}/api/threads/${thread}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'from elsewhere', author: 'Ben' }),
    });
    await page.context().setOffline(false);
    await shows('You said: from elsewhere');
    await page.getByText('The connection is lost.', { exact: false }).waitFor({ state: 'hidden' });
    expect(await articles().count()).toBe(6);
  });

  it('shows another person’s message at once, in every open page', async () => {
    await say('mine');
    await shows('You said: mine');
    const other = await openPage({}, page.url());
    await shows('You said: mine', other);
    await other.locator('#name').fill('Ben');
    await say('and mine', other);
    await shows('and mine');
    await shows('You said: and mine');
    expect(await articles().nth(2).innerText()).toContain('Ben');
    await other.context().close();
  });

  it('shows names, texts, code and file names as text, whatever they hold (U107)', async () => {
    const attack = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    const markdown = `${attack}\n\n[link](javascript:window.hacked=1) ![x](https://elsewhere.example/p.png) <https://ok.example>\n\n\`\`\`html\n${attack}\n\`\`\`\n\n@everyone <!channel>`;
    world.bot = async (turn) => {
      await turn.draft(markdown);
      await sleep(100);
      const file = { name: `${attack}.csv`, type: 'text/html', size: 3, blob: turn.put(new Uint8Array([1])), picture: false, alt: attack };
      await turn.ran(aRun({ n: 1, code: `print('${attack}')`, output: attack, value: attack, files: [file], notes: [attack] }));
      await turn.finish({ text: markdown });
    };
    await page.locator('#name').fill(attack);
    await say(attack);
    await page.locator('#messages').getByText('@everyone').waitFor();
    await page.locator('.live').waitFor({ state: 'hidden' });
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('#messages script, #messages img[src="x"], #messages [onerror]').count()).toBe(0);
    expect(await page.locator('#messages a[href^="javascript"]').count()).toBe(0);
    expect(await page.locator('#messages a[href="https://elsewhere.example/p.png"]').count()).toBe(1);
    expect(await page.locator('#messages a[href="https://ok.example"]').getAttribute('rel')).toContain('noopener');
    expect(await page.locator('#messages').innerText()).toContain('<script>window.hacked=1</script>');
    expect(complaints).toEqual([]);
  });

  it('asks for the token where one is needed', async () => {
    await using guarded = await startWebWorld({ env: { HEKTOR_WEB_TOKEN: 'correct-horse-battery' } });
    const locked = await openPage({}, guarded.url);
    await locked.getByLabel('Token').fill('wrong');
    await locked.keyboard.press('Enter');
    await locked.getByText('That is not the token.').waitFor();
    await locked.getByLabel('Token').fill('correct-horse-battery');
    await locked.keyboard.press('Enter');
    await locked.getByRole('dialog', { name: 'Log in' }).waitFor({ state: 'hidden' });
    await say('hello', locked);
    await shows('You said: hello', locked);
    await locked.reload();
    await shows('You said: hello', locked);
    await locked.context().close();
  });
});

describe('the page for everybody', () => {
  it('fits a phone of 360 pixels, with its threads in a drawer', async () => {
    const phone = await openPage({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, colorScheme: 'dark' });
    world.bot = async (turn) => {
      await turn.ran(aRun({ n: 1, code: `${'x'.repeat(300)} = 1`, output: 'y'.repeat(500), value: 'z'.repeat(500) }));
      await turn.finish({
        text: `| ${'wide | '.repeat(30)}\n| ${'--- | '.repeat(30)}\n| ${'cell | '.repeat(30)}\n\n${'w'.repeat(300)}\n\n\`\`\`python\n${'c'.repeat(300)}\n\`\`\``,
      });
    };
    await say('wide things', phone);
    await shows('wide things', phone);
    await phone.locator('#messages table').waitFor();
    const overflow =
      'document.documentElement.scrollWidth - innerWidth + document.getElementById("log").scrollWidth - document.getElementById("log").clientWidth';
    expect(await phone.evaluate(overflow)).toBe(0);
    expect(await phone.getByRole('link', { name: 'New thread', exact: true }).isVisible()).toBe(false);
    await phone.getByRole('button', { name: 'Threads' }).click();
    await phone.getByRole('link', { name: 'wide things' }).waitFor();
    await phone.keyboard.press('Escape');
    await phone.getByRole('link', { name: 'New thread', exact: true }).waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
    await phone.context().close();
  });

  it('is used with the keyboard alone, and goes from thread to thread', async () => {
    await say('thread one');
    await shows('You said: thread one');
    const first = page.url();
    await page.getByRole('link', { name: 'New thread', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('One conversation, one Python state').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('text');
    await page.keyboard.type('thread two');
    await page.keyboard.press('Enter');
    await shows('You said: thread two');
    await page.goBack();
    await page.goBack();
    await shows('You said: thread one');
    expect(page.url()).toBe(first);
    await page.getByRole('link', { name: /thread two/ }).click();
    await shows('You said: thread two');
    expect(await articles().count()).toBe(2);
    await page.goto(`${world.url}/t/no-such-thread-here`);
    await page.getByText('There is no such thread.').waitFor();
  });
});
