import { describe, expect, it } from '@jest/globals';
import { KEY_RING } from '@tds/test-kit';
import { readConfig } from './config.ts';

const given = { WEBHOOK_KEY_RING: KEY_RING };

describe('the configuration', () => {
  it('allows webhooks to this machine only with the setting, and never in production', () => {
    expect(readConfig(given).takesLocalReceivers).toBe(false);
    expect(readConfig({ ...given, WEBHOOK_LOCAL_RECEIVERS: '1' }).takesLocalReceivers).toBe(true);
    const inProduction = { ...given, NODE_ENV: 'production', WEBHOOK_LOCAL_RECEIVERS: '1' };
    expect(() => readConfig(inProduction)).toThrow('WEBHOOK_LOCAL_RECEIVERS');
  });

  it('takes our own hosts from PUBLIC_URL and OWN_HOSTS', () => {
    const own = {
      ...given,
      PUBLIC_URL: 'https://API.tds.example',
      OWN_HOSTS: 'tds.example, Internal.example',
    };
    expect(readConfig(own).ownHosts).toEqual(['api.tds.example', 'tds.example', 'internal.example']);
  });

  it('requires a key ring', () => {
    expect(() => readConfig({})).toThrow('WEBHOOK_KEY_RING');
  });
});
