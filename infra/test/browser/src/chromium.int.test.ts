import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { picturesDir, startBrowser, story, Visitor } from './visitor.ts';

let browser: Browser | undefined;
afterAll(() => browser?.close());

const open = async (): Promise<Visitor> => {
  browser ??= await startBrowser();
  return Visitor.open(browser);
};

it('CHROMIUM_PATH decides which browser runs', async () => {
  expect(await findChromium({ CHROMIUM_PATH: process.execPath })).toEqual({
    executable: process.execPath,
    environment: {},
  });
});

it('a page is shown, and axe finds what is wrong with it', async () => {
  const visitor = await open();
  await visitor.page.setContent('<html lang="en"><title>t</title><main><h1>a</h1><img src="data:,"></main>');
  expect(await visitor.violations()).toEqual([expect.stringMatching(/^image-alt: img/)]);
});

it('an error of a script and a refusal by a policy are complaints', async () => {
  const visitor = await open();
  await visitor.page.setContent(
    `<meta http-equiv="Content-Security-Policy" content="style-src 'none'"><style>a{}</style><script>throw new Error('mine')</script>`,
  );
  expect(visitor.complaints.join()).toMatch(/Content Security Policy/);
  expect(visitor.complaints.join()).toMatch(/mine/);
});

it('a picture shows no secret', async () => {
  const visitor = await open();
  const pictureOf = async (className: string, secret: string) => {
    await visitor.page.setContent(
      `<html lang="en"><main><p class="${className}"><code>${secret}</code></p><div data-step="key"><code>${secret}</code></div></main>`,
    );
    return readFileSync(await visitor.picture(`secret of ${className}`));
  };
  const [one, other] = ['svc_live_1212121212', 'svc_live_2121212121'];
  expect((await pictureOf('secret', one)).equals(await pictureOf('secret', other))).toBe(true);
  expect((await pictureOf('open', one)).equals(await pictureOf('open', other))).toBe(false);
});

it('a story that fails leaves a picture, which its error names', async () => {
  const visitor = await open();
  const failed = story(visitor, 'a failed story', () => Promise.reject(new Error('lost')));
  await expect(failed).rejects.toThrow(`lost\n\nThe page as it was: ${picturesDir}/a-failed-story.png`);
  expect(existsSync(`${picturesDir}/a-failed-story.png`)).toBe(true);
});
