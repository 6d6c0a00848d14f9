import { type Page, startBrowser, Visitor } from '@tds/browser';
import { endWithRun, runsAllFiles } from '@tds/test-kit';
import { type Customer, readCode, shareTestSystem, signUp, type TestSystem } from '#support/testing';

type Browser = Awaited<ReturnType<typeof startBrowser>>;

let shared: Browser | undefined;

/** One for the files of a process that runs all of them; otherwise one for each file. */
const shareBrowser = async (): Promise<Browser> => {
  if (shared?.isConnected()) return shared;
  const browser = await startBrowser();
  if (runsAllFiles()) endWithRun(() => browser.close());
  shared = browser;
  return browser;
};

/** A running system and a browser beside it. */
export type Place = { readonly system: TestSystem; readonly browser: Browser; stop(): Promise<void> };

export const openPlace = async (): Promise<Place> => {
  const [system, browser] = await Promise.all([shareTestSystem(), shareBrowser()]);
  const stop = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    if (!runsAllFiles()) await browser.close();
    await system.stop();
  };
  return { system, browser, stop };
};

/** A customer whose browser is signed in. */
export type Guest = { readonly customer: Customer; readonly visitor: Visitor };

const cookieOf = ({ cookie }: Customer, url: string) => {
  const [name = '', value = ''] = cookie.split('=');
  return { name, value, url, httpOnly: true, sameSite: 'Strict' as const };
};

/** Signs a new customer in, in the place of the one whose session the browser has. */
export const signIn = async ({ system }: Place, { context }: Visitor): Promise<Customer> => {
  const customer = await signUp(system);
  await context.addCookies([cookieOf(customer, system.gateway)]);
  return customer;
};

export const signedIn = async (place: Place): Promise<Guest> => {
  const visitor = await Visitor.open(place.browser);
  return { customer: await signIn(place, visitor), visitor };
};

/** A further browser that is signed in as the same customer by the same cookie. */
export const otherTab = async ({ browser }: Place, { visitor }: Guest): Promise<Visitor> =>
  Visitor.open(browser, visitor.context);

/** Goes to a view, and waits for its heading. */
export const goTo = async (
  { system }: Place,
  { page }: Visitor,
  path: string,
  heading: string,
): Promise<void> => {
  await page.goto(`${system.gateway}/dashboard${path}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
};

/** The row of a video in a list: its id stands under the pointer. */
export const videoRow = (page: Pick<Page, 'getByRole' | 'getByTitle'>, id: string) =>
  page.getByRole('row').filter({ has: page.getByTitle(id, { exact: true }) });

/** Signs up on the sign-in page, with the keyboard alone. */
export const enterByKeyboard = async ({ system }: Place, { page }: Visitor, email: string): Promise<void> => {
  await page.getByLabel('Email address').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code of six digits').waitFor();
  await page.keyboard.type(await readCode(system.mail.url, email));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
};

/** The same, without a view that was asked for. Resolves to the first key. */
export const signUpByKeyboard = async (place: Place, visitor: Visitor, email: string): Promise<string> => {
  await enterByKeyboard(place, visitor, email);
  const { page } = visitor;
  await page.getByRole('heading', { name: 'Your first key' }).waitFor();
  return (await page.locator('[data-step="key"] code').first().textContent()) ?? '';
};
