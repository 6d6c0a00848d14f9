import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceNames } from '@tds/local';
import { eventually } from '@tds/test-kit';
import { call, shareTestSystem, type TestSystem } from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

type Readiness = { ready: boolean; checks: Record<string, string> };
const readiness = async (service: string) => {
  const { status, json } = await call(`${system.healthOf(service)}/ready`);
  return { status, ...json<Readiness>() };
};

describe('the private port of a service', () => {
  it('tells the database, the broker and each consumer apart, and follows the broker down and up', async () => {
    await eventually(async () => expect((await readiness('transcript-fetcher')).status).toBe(200));
    expect((await readiness('transcript-fetcher')).checks).toMatchObject({ database: 'ok', broker: 'ok' });
    expect((await readiness('bulk-orchestrator')).checks).toMatchObject({
      'consumer bulk-orchestrator__key-revoked': 'ok',
      'consumer bulk-orchestrator__webhook-removed': 'ok',
    });
    await system.nats.kill();
    await eventually(async () => expect((await readiness('transcript-fetcher')).status).toBe(503));
    expect((await call(`${system.healthOf('transcript-fetcher')}/live`)).status).toBe(200);
    expect((await readiness('gateway')).status).toBe(200);
    await system.nats.start();
    await eventually(async () => expect((await readiness('transcript-fetcher')).status).toBe(200));
  });

  it('says that the service has every right that it has asked the broker for', async () => {
    for (const service of serviceNames)
      await eventually(async () => expect(await readiness(service)).toMatchObject({ status: 200 }));
    for (const service of serviceNames)
      expect([service, (await readiness(service)).checks.rights]).toEqual([service, 'ok']);
  });

  it('has the metrics of its commands, tasks and connections', async () => {
    const { text } = await call(`${system.healthOf('transcript-fetcher')}/metrics`);
    for (const name of ['tds_outbox_unpublished', 'tds_pool_connections', 'tds_command_duration_seconds']) {
      expect(text).toContain(name);
    }
  });

  it('is not what the public sees', async () => {
    for (const path of ['/metrics', '/ready', '/live', '/healthz']) {
      expect((await call(`${system.gateway}${path}`)).status).toBe(404);
    }
  });
});
