import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEvidence } from '@tds/audit';
import { createApiKey } from '@tds/contracts';
import { checkSecrets } from '@tds/e2e-support';
import {
  asIfCorrupted,
  type Customer,
  signUp,
  startTestSystem,
  type TestSystem,
} from '@tds/e2e-support/testing';
import { loadVideoId } from '@tds/platform-simulator';

let system: TestSystem;
let customer: Customer;
let dir: string;
const evidence = () =>
  openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true });

beforeAll(async () => {
  system = await startTestSystem();
  customer = await signUp(system);
  await customer.get(`/v1/transcript?video_id=${loadVideoId(911)}`);
  dir = await mkdtemp(path.join(tmpdir(), 'tds-chaos-'));
});
afterAll(async () => {
  await system?.stop();
  await rm(dir, { recursive: true, force: true });
});
const invariants = (findings: readonly { invariant: string }[]) => findings.map(({ invariant }) => invariant);

describe('the check for secrets', () => {
  const places = { files: [], dirs: [], services: [] };

  it('finds a key in a log, known or not, even across the chunks that it is read in (I13)', async () => {
    const log = path.join(dir, 'services.log');
    const text = `${'x'.repeat(2 ** 20 - 20)}${createApiKey()}\n`;
    await writeFile(log, text);
    const findings = await checkSecrets(evidence(), { ...places, files: [log] }, new Set());
    expect(invariants(findings)).toEqual(['I13']);
  });

  it("finds a session's token in the broker's store (I13)", async () => {
    await writeFile(path.join(dir, '1.blk'), 'binary \0 and-a-session-token and more');
    const secrets = new Set(['and-a-session-token']);
    expect(invariants(await checkSecrets(evidence(), { ...places, dirs: [dir] }, secrets))).toContain('I13');
  });

  it('finds a key in a message, and nothing where there is none (I13)', async () => {
    const services = ['identity', 'credits-ledger', 'transcript-fetcher'];
    const all = { ...places, services };
    const secrets = new Set([customer.key]);
    expect(await checkSecrets(evidence(), all, secrets)).toEqual([]);
    const planted = `UPDATE messaging.outbox SET payload = payload || '{"note": "${customer.key}"}'`;
    const found = await asIfCorrupted(system, { identity: planted }, (seen) =>
      checkSecrets(seen, all, secrets),
    );
    expect(invariants(found)).toContain('I13');
  });
});
