import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey } from '@tds/contracts';
import { checkSecrets } from '#support';
import { asIfCorrupted } from '#support/testing';
import { type CheckedSystem, startCheckedSystem } from '../test-support/checked-system.ts';
import { invariantsOf } from '../test-support/seen.ts';

let checked: CheckedSystem;
beforeAll(async () => {
  checked = await startCheckedSystem();
});
afterAll(() => checked?.stop());

describe('the check for secrets', () => {
  const slots = { files: [], dirs: [], services: [] };

  it('finds a key in a log, known or not, even across the chunks that it is read in (I13)', async () => {
    const log = path.join(checked.dir, 'services.log');
    const text = `${'x'.repeat(2 ** 20 - 20)}${createApiKey()}\n`;
    await writeFile(log, text);
    const findings = await checkSecrets(checked.evidence(), { ...slots, files: [log] }, new Set());
    expect(invariantsOf(findings)).toEqual(['I13']);
  });

  it("finds a session's token in the broker's store (I13)", async () => {
    await writeFile(path.join(checked.dir, '1.blk'), 'binary \0 and-a-session-token and more');
    const secrets = new Set(['and-a-session-token']);
    const findings = await checkSecrets(checked.evidence(), { ...slots, dirs: [checked.dir] }, secrets);
    expect(invariantsOf(findings)).toContain('I13');
  });

  it('finds a key in a message, and nothing if there is none (I13)', async () => {
    const services = ['identity', 'credits-ledger', 'transcript-fetcher'];
    const all = { ...slots, services };
    const { key } = checked.customer;
    const secrets = new Set([key]);
    expect(await checkSecrets(checked.evidence(), all, secrets)).toEqual([]);
    const planted = `UPDATE messaging.outbox SET payload = payload || '{"note": "${key}"}'`;
    const found = await asIfCorrupted(checked.system, { identity: planted }, (seen) =>
      checkSecrets(seen, all, secrets),
    );
    expect(invariantsOf(found)).toContain('I13');
  });
});
