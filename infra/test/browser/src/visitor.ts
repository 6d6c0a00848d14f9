import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { boundMs } from '@tds/test-kit';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 390, height: 844 };
const SMALL = { width: 360, height: 740 };
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'];

/** Starts the browser of this machine. Throws one sentence if it has none. */
export const startBrowser = async (): Promise<Browser> => {
  const installation = await findChromium();
  if (installation === null)
    throw new Error('No Chromium comes with this project for this system: install one, or set CHROMIUM_PATH.');
  const env = { ...process.env, ...installation.environment } as Record<string, string>;
  return chromium.launch({ executablePath: installation.executable, args: flags, env });
};

const FIND_HIDDEN = `(() => {
  const nameOf = ({ localName, className, textContent }) => [localName, className, textContent.trim().slice(0, 40)].join(' ');
  const scrolls = (one) => one && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  const boxOf = (one) => one.getBoundingClientRect();
  const seen = (root) => [...root.querySelectorAll(':not(svg *, .hidden, .skip)')].filter((one) => one.checkVisibility() && boxOf(one).width > 1);
  const cut = seen(document.body).filter((one) => boxOf(one).right > innerWidth + 1 && !scrolls(one.parentElement));
  const parts = seen(document.querySelector('header') ?? document.body).filter((one) => one.matches('a, button'));
  const lies = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const covered = parts.filter((one, at) => parts.slice(at + 1).some((other) => lies(boxOf(one), boxOf(other))));
  const tall = seen(document.body).filter((one) => one.matches('button') && boxOf(one).height > 2 * boxOf(one).width);
  const sideways = document.documentElement.scrollWidth > innerWidth ? ['sideways'] : [];
  return [...sideways, ...cut.map((one) => 'cut: ' + nameOf(one)), ...covered.map((one) => 'covered: ' + nameOf(one)), ...tall.map((one) => 'tall: ' + nameOf(one))];
})()`;

/** Where pictures of failed tests lie. */
export const picturesDir = path.join(root, '.local/pictures');

type Violation = { readonly id: string; readonly nodes: readonly { readonly target: readonly unknown[] }[] };

/** A person with a browser: one window with cookies of its own, and what it complained about. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, and refusals by the policy of a page. */
  readonly complaints: string[] = [];
  /** What the pages wrote to the console. */
  readonly lines: string[] = [];
  /** Each request, as `GET https://...`, of pages and of their scripts. */
  readonly requests: string[] = [];
  /** Bytes of scripts as they crossed the network. */
  scriptBytes = 0;

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    this.#watch(page);
    context.on('page', (other) => this.#watch(other));
  }

  static async open(browser: Browser, context?: BrowserContext): Promise<Visitor> {
    const ownContext =
      context ?? (await browser.newContext({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' }));
    ownContext.setDefaultTimeout(boundMs());
    return new Visitor(ownContext, await ownContext.newPage());
  }

  #watch(page: Page): void {
    page.on('pageerror', ({ message }) => this.complaints.push(message));
    page.on('request', (request) => this.requests.push(`${request.method()} ${request.url()}`));
    page.on('console', (line) => {
      this.lines.push(line.text());
      // Answers that refuse are no fault of a page.
      if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
        this.complaints.push(line.text());
    });
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'script') return;
      const sizes = await response
        .request()
        .sizes()
        .catch(() => undefined);
      this.scriptBytes += sizes?.responseBodySize ?? 0;
    });
  }

  /** What axe finds on the page as it is: each rule, or each of these, with the places that break it. */
  async violations(runOnly = RULES): Promise<string[]> {
    if (!(await this.page.evaluate('"axe" in globalThis'))) await this.page.evaluate(axeSource);
    const results = await this.page.evaluate(async (runOnly) => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Violation[] }> };
      };
      return (await axe.run({ runOnly })).violations;
    }, runOnly);
    return results.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }

  /**
   * The same in light and narrow, and in dark what colours can break; leaves the page light and wide. `sideways` says whether it
   * scrolls sideways.
   */
  async checkAppearance(): Promise<{ light: string[]; dark: string[]; narrow: string[]; sideways: boolean }> {
    const { page } = this;
    const light = await this.violations();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await this.violations(RULES_OF_COLOURS);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(NARROW);
    const narrow = await this.violations();
    const sideways = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
    await page.setViewportSize(WIDE);
    return { light, dark, narrow, sideways };
  }

  /** From now on the window is a small phone, whose owner has letters of that size; 16 px are usual. */
  async holdPhone(letterPx: number): Promise<void> {
    await this.page.setViewportSize(SMALL);
    const session = await this.context.newCDPSession(this.page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: letterPx, fixed: letterPx } });
  }

  /** What of the page is cut at the side, what of its header lies over something else, and buttons of one letter a line. */
  findHidden(): Promise<string[]> {
    return this.page.evaluate<string[]>(FIND_HIDDEN);
  }

  /** A picture of the page. Secrets are painted over. */
  async picture(name: string): Promise<string> {
    mkdirSync(picturesDir, { recursive: true });
    const file = path.join(picturesDir, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
    const mask = [this.page.locator('.secret code'), this.page.locator('[data-step="key"] code')];
    await this.page.screenshot({ path: file, mask, fullPage: true });
    return file;
  }
}

/** No violation in any look. */
export const fineLooks = { light: [], dark: [], narrow: [], sideways: false };

/** Runs a story; if it fails, a picture of the page as it is then lies in `.local/pictures`, which the error names. */
export const story = async (visitor: Visitor, name: string, steps: () => Promise<void>): Promise<void> => {
  try {
    await steps();
  } catch (error) {
    const file = await visitor.picture(name).catch(() => 'no picture');
    if (error instanceof Error) error.message += `\n\nThe page as it was: ${file}`;
    throw error;
  }
};
