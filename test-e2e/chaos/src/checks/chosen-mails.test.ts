import { describe, expect, it } from '@jest/globals';
import type { MailedPerson } from '../harness.ts';
import { checkMails } from './chosen-mails.ts';

const [EARLY, LATE] = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 0, 15, 13)];
const REFUSED = Date.UTC(2026, 0, 15, 12, 30);
const mailAt = (ms: number, video = 'video') => ({
  ...{ email: 'me@example.com', receivedAt: new Date(ms).toISOString(), text: `New: watch?v=${video}` },
});
const item = { personId: 'me', video: 'video', isAtOnce: true };

type Given = {
  person?: Partial<MailedPerson>;
  at?: number;
  items?: object[];
  mails?: ReturnType<typeof mailAt>[];
};
const found = async ({ person = {}, at = LATE, items = [item], mails = [mailAt(LATE)] }: Given) => {
  const stored: Record<string, object[]> = {
    'monitor-scheduler': [{ video: 'video', createdAt: at }],
    identity: items,
  };
  const me = { personId: 'me', email: 'me@example.com', from: EARLY, until: null, ...person };
  const findings = await checkMails({
    evidence: { rows: async (service: string) => (stored[service] ?? []) as never },
    mails: { monitorId: 'monitor', people: [me], caught: new Map(mails.map((mail, id) => [id, mail])) },
  });
  return findings.map(({ what }) => what);
};

describe('the check of mails that people choose', () => {
  it('finds nothing if who chose has a mail, also twice, or an item of the daily mail, and who did not has none', async () => {
    expect(await found({})).toEqual([]);
    expect(await found({ mails: [mailAt(LATE), mailAt(LATE)] })).toEqual([]);
    expect(await found({ items: [{ ...item, isAtOnce: false }], mails: [] })).toEqual([]);
    expect(await found({ person: { from: null }, items: [], mails: [] })).toEqual([]);
  });

  it('finds an event that is not mailed to who chose it, and a mail of one that never came', async () => {
    expect(await found({ items: [], mails: [] })).toEqual(['events that are mailed']);
    expect(await found({ mails: [mailAt(LATE, 'another')] })).toEqual(['a mail of video']);
  });

  it('finds a mail to who never chose it, and to who refused it or left before', async () => {
    const refused = ['a mail that was refused'];
    expect(await found({ person: { from: null } })).toEqual(refused);
    expect(await found({ person: { until: REFUSED } })).toEqual(refused);
    expect(await found({ person: { until: REFUSED }, at: EARLY + 1, mails: [mailAt(EARLY + 2)] })).toEqual([]);
  });
});
