import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { newId } from '@tds/contracts';
import { type Harness, startHarness } from '@tds/kit/testing';
import { doomedProcesses, eventually, KEY_RING } from '@tds/test-kit';
import { newMatch } from './test-support/mailed-events.ts';
import { type SmtpCatcher, startSmtpCatcher } from './test-support/smtp-catcher.ts';
import { PEPPER } from './test-support/start-identity.ts';

let harness: Harness;
let smtp: SmtpCatcher;
let admin: ReturnType<typeof createTestPool>;
const doomed = doomedProcesses(path.resolve(import.meta.dirname, 'main.ts'), () => {
  const settings = { SMTP_URL: smtp.url, PEPPER, KEY_RING, MAIL_DNS: 'off' };
  return { ...harness.environmentOf('identity'), ...settings };
});

beforeAll(async () => {
  const [started, catcher] = await Promise.all([
    startHarness({ databases: { identity: 'identity' } }),
    startSmtpCatcher(),
  ]);
  [harness, smtp, admin] = [started, catcher, createTestPool(started.databases.identity.adminUrl)];
});
afterAll(async () => {
  doomed.stop();
  await admin?.end();
  await harness?.stop();
  await smtp?.stop();
});

const addItem = (accountId: string, period: 'daily' | 'weekly') => {
  const { match, monitorId, title } = newMatch(accountId, 'daily');
  const { query, video, passages } = match;
  const notice = { kind: 'words_found', monitorId, title, query, video, passages };
  const text = 'INSERT INTO digest_items (id, account_id, notice, weekly) VALUES ($1, $2, $3, $4)';
  return admin.query(text, [match.id, accountId, notice, period === 'weekly']);
};
const idsOfMails = () => smtp.mails.map(({ raw }) => /Message-ID: (\S+)/.exec(raw)?.[1]);

describe('a process that dies after the mail server has the digest and before that is saved', () => {
  it.each(['daily', 'weekly'] as const)(
    'sends the same %s mail with the same id again, and what came meanwhile in the next one',
    async (period) => {
      const before = smtp.mails.length;
      const accountId = newId();
      await admin.query('INSERT INTO accounts (id, email, mailbox, created_at) VALUES ($1, $2, $2, now())', [
        accountId,
        `${accountId}@example.com`,
      ]);
      await addItem(accountId, period);
      await admin.query(
        `INSERT INTO messaging.tasks (id, name, payload, headers, due_at) VALUES ($1, $3, $2, '{}', now())`,
        [newId(), { accountId }, `send-${period}-mail`],
      );
      await doomed.dieAt(`${period}-mail-sent:send-${period}-mail`);
      expect(smtp.mails).toHaveLength(before + 1);
      await addItem(accountId, period);
      const survivor = doomed.launch();
      await eventually(() => expect(smtp.mails).toHaveLength(before + 2));
      expect(idsOfMails()[before + 1]).toBe(idsOfMails()[before]);
      const open = () =>
        admin.query(`SELECT due_at > now() AS waits FROM messaging.tasks WHERE name = $1 AND state <> 'done'`, [
          `send-${period}-mail`,
        ]);
      await eventually(async () => expect((await open()).rows).toEqual([{ waits: true }]));
      const text = 'SELECT id FROM digest_items WHERE mailed_at IS NULL AND account_id = $1';
      expect((await admin.query(text, [accountId])).rows).toHaveLength(1);
      survivor.kill('SIGKILL');
    },
  );
});
