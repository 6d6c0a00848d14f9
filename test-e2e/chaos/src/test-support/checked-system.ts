import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Evidence, openEvidence } from '@tds/audit';
import { type Customer, shareTestSystem, signUp, type TestSystem } from '#support/testing';
import { PAID_VIDEO } from './seen.ts';

/** A system at rest whose one customer has one transcript, for checks to find what was broken in it. */
export type CheckedSystem = {
  readonly system: TestSystem;
  readonly customer: Customer;
  /** For files that a check reads. */
  readonly dir: string;
  evidence(): Evidence;
  stop(): Promise<void>;
};

export const startCheckedSystem = async (): Promise<CheckedSystem> => {
  const system = await shareTestSystem();
  const customer = await signUp(system);
  await customer.get(`/v1/transcript?video_id=${PAID_VIDEO}`);
  const dir = await mkdtemp(path.join(tmpdir(), 'tds-chaos-'));
  return {
    ...{ system, customer, dir },
    evidence: () => openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true }),
    stop: async () => {
      await system.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
};
