import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fineLooks, type Page, story, Visitor } from '@tds/browser';
import { eventually } from '@tds/test-kit';
import { call, fileVideo } from '#support/testing';
import { goTo, openPlace, type Place, signedIn } from './dashboard.ts';
import { article, open } from './reading.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place?.stop());

it('what is read by hand has a name in keys, ledger and requests, beside what a key has read', async () => {
  const guest = await signedIn(place);
  const { visitor, customer } = guest;
  const { page } = visitor;
  await story(visitor, 'the dashboard in the books', async () => {
    const [byKey, byHand] = [fileVideo(1), fileVideo(2)];
    await customer.get(`/v1/transcript?video_id=${byKey}`);
    await open(place, guest, byHand);
    await page.getByRole('button', { name: 'Fetch it for 1 credit' }).click();
    await article(page).waitFor();
    await goTo(place, visitor, '/keys', 'Keys');
    const row = page.getByRole('row', { name: 'Dashboard' });
    await row.getByRole('cell', { name: '1', exact: true }).first().waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await goTo(place, visitor, '/billing/ledger', 'Ledger');
    await page.getByText('by The dashboard').waitFor();
    await page.getByText('by default').waitFor();
    await page.getByLabel('By').selectOption('Dashboard');
    await page.getByText('by default').waitFor({ state: 'detached' });
    await page.getByText('by The dashboard').waitFor();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    const inDashboard = { total: 1, requests: [{ via: 'dashboard', video_id: byHand }] };
    await eventually(async () =>
      expect((await customer.get('/v1/requests?via=dashboard')).json()).toMatchObject(inDashboard),
    );
    await goTo(place, visitor, '/requests?via=dashboard', 'Requests');
    await page.getByRole('rowheader').first().waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
    expect(visitor.complaints).toEqual([]);
  });
});

/** The link and the code of the newest invitation to an address. */
const readInvitation = (email: string): Promise<{ address: string; code: string }> =>
  eventually(async () => {
    const to = `${place.system.mail.url}/messages?to=${encodeURIComponent(email)}`;
    const [mail] = (await call(to)).json<{ text: string }[]>();
    const [path] = /\/dashboard\/join\?invitation=[\w-]{36}/.exec(mail?.text ?? '') ?? [];
    const [code] = /^(?:[2-9A-Z]{4}-){2}[2-9A-Z]{4}$/m.exec(mail?.text ?? '') ?? [];
    if (!path || !code) throw new Error(`no invitation has come to ${email}`);
    return { address: `${place.system.gateway}${path}`, code };
  });

const peopleOf = (page: Page) => page.getByRole('region', { name: 'People' });

it('three people share an account: invited, joined, read by each, one removed, and the books agree', async () => {
  const owner = await signedIn(place);
  const { page } = owner.visitor;
  const emails = ['member', 'payer'].map((name) => `${name}-${owner.customer.email}`) as [string, string];
  const [member, payer] = [await Visitor.open(place.browser), await Visitor.open(place.browser)];
  const invite = async (email: string, role: string, cap = '') => {
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Role').selectOption(role);
    await page.getByLabel('Daily cap in credits').fill(cap);
    expect(await owner.visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await peopleOf(page).getByRole('row', { name: email }).waitFor();
  };
  const join = async (visitor: Visitor, email: string) => {
    const { address, code } = await readInvitation(email);
    await visitor.page.goto(address);
    await visitor.page.getByLabel('Code of the mail').fill(code.toLowerCase());
    await visitor.page.getByLabel('I accept the terms').check();
    expect(await visitor.checkAppearance()).toEqual(fineLooks);
    await visitor.page.getByRole('button', { name: 'Join' }).click();
    await visitor.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  };
  const readOne = async (visitor: Visitor, video: string) => {
    await open(place, { visitor, customer: owner.customer }, video);
    await visitor.page.getByRole('button', { name: 'Fetch it for 1 credit' }).click();
  };
  await story(owner.visitor, 'people', async () => {
    await goTo(place, owner.visitor, '/settings', 'Settings');
    await invite(emails[0], 'member', '1');
    await invite(emails[1], 'billing');
    await join(member, emails[0]);
    await join(payer, emails[1]);

    await readOne(owner.visitor, fileVideo(3));
    await article(page).waitFor();
    await readOne(member, fileVideo(4));
    await article(member.page).waitFor();
    // The cap of the person, in words.
    await readOne(member, fileVideo(5));
    await member.page.getByText('The daily cap of this person', { exact: false }).waitFor();
    // Billing sees use and money, and no work.
    expect(
      await payer.page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link').allInnerTexts(),
    ).toEqual([...['Overview', 'Billing', 'Settings', 'Docs']]);
    await goTo(place, payer, '/billing/ledger', 'Ledger');
    await payer.page.getByText(`by The dashboard, ${emails[0]}`).waitFor();
    expect(await payer.checkAppearance()).toEqual(fineLooks);
    await payer.page.getByLabel('By').selectOption(emails[0]);
    await payer.page.getByRole('rowheader').nth(1).waitFor({ state: 'detached' });

    await goTo(place, owner.visitor, '/settings', 'Settings');
    const row = peopleOf(page).getByRole('row', { name: emails[0] });
    await row.getByRole('cell', { name: '1 of 1' }).waitFor();
    expect(await owner.visitor.checkAppearance()).toEqual(fineLooks);
    await row.getByRole('button', { name: 'Remove' }).click();
    expect(await owner.visitor.checkAppearance()).toEqual(fineLooks);
    await page.getByRole('button', { name: 'Pass the work on' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('What happened').click();
    await page.getByRole('row', { name: 'Person removed' }).first().waitFor();
    expect(await owner.visitor.checkAppearance()).toEqual(fineLooks);
    await member.page.goto(`${place.system.gateway}/dashboard/settings`);
    await member.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();

    const usage = (await owner.customer.get('/v1/usage')).json<{
      rows: { person_id: string; credits_charged: number }[];
    }>();
    const spent = Map.groupBy(usage.rows, ({ person_id }) => person_id);
    const sums = [...spent.values()].map((rows) => rows.reduce((sum, one) => sum + one.credits_charged, 0));
    expect(sums.toSorted()).toEqual([1, 1]);
    expect(owner.visitor.complaints).toEqual([]);
  });
});
