/** The main job as a person does it: in a real browser, with a restart of the program in between. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import type { App } from '../support/app.ts';
import { startBrowser } from '../support/browser.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';

const PATIENCE = 60_000;

describe('the web page', { timeout: 240_000 }, () => {
  let redis: TestRedis;
  let app: App;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    app = await startApp({ redisUrl: redis.url, env: { PORT: '0' } });
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    page.setDefaultTimeout(PATIENCE);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(app.url);
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  /** Sends a message and waits until the thread is at rest again. */
  const send = async (text: string): Promise<void> => {
    const box = page.getByLabel('Message', { exact: true });
    await box.fill(text);
    await box.press('Enter');
    await page.locator('#stop').waitFor({ state: 'visible' });
    await page.locator('#stop').waitFor({ state: 'hidden' });
  };
  const answers = () => page.locator('article.message.bot:not(.live)');

  it('runs a person’s code and answers from the same state', async () => {
    await send('>>> x = 41');
    await send('what is x + 1?');
    await expect.poll(() => answers().last().innerText(), { timeout: PATIENCE }).toContain('42');
    expect(await answers().last().innerText()).toContain('Practice model');
    expect(await page.locator('#practice').isVisible()).toBe(true);
  });

  it('shows the answer while it streams', async () => {
    const box = page.getByLabel('Message', { exact: true });
    await box.fill('say a long text');
    await box.press('Enter');
    const live = page.locator('article.live .text');
    const lengths: number[] = [];
    while (lengths.length < 3) {
      const length = (await live.innerText().catch(() => '')).length;
      if (length > (lengths.at(-1) ?? 0)) lengths.push(length);
      await page.waitForTimeout(60);
    }
    await page.locator('#stop').waitFor({ state: 'hidden' });
    expect((await answers().last().innerText()).length).toBeGreaterThan(lengths.at(-1)!);
    expect(await answers().last().locator('table').count()).toBeGreaterThan(0);
  });

  it('draws a plot and shows it', async () => {
    await send('plot a sine curve');
    const picture = answers().last().locator('img').first();
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: { readonly naturalWidth?: number }) => image.naturalWidth ?? 0), { timeout: PATIENCE })
      .toBeGreaterThan(200);
  });

  it('goes on with the same state after a restart of the program, without a reload', async () => {
    const port = new URL(app.url).port;
    await app.stop();
    await page.locator('#lost').waitFor({ state: 'visible' });
    app = await startApp({ redisUrl: redis.url, env: { PORT: port } });
    await page.locator('#lost').waitFor({ state: 'hidden' });
    await send('x + 1');
    await expect.poll(() => answers().last().innerText(), { timeout: PATIENCE }).toContain('42');
  });

  it('stops what is running', async () => {
    const box = page.getByLabel('Message', { exact: true });
    await box.fill('wait 60 seconds');
    await box.press('Enter');
    await page.locator('article.live .text').filter({ hasText: /\w/ }).waitFor();
    await page.locator('#stop').click();
    await page.locator('#stop').waitFor({ state: 'hidden' });
    await expect.poll(() => answers().last().innerText(), { timeout: PATIENCE }).toMatch(/Stopped by/);
  });

  it('runs code from an answer by its Run button', async () => {
    await send('say a long text');
    await answers().last().getByRole('button', { name: 'Run' }).first().click();
    await expect.poll(() => page.locator('article.message.person .run').count(), { timeout: PATIENCE }).toBeGreaterThan(1);
  });

  it('had no script errors', () => {
    expect(faults).toEqual([]);
  });
});
