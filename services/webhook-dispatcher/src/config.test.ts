import { describe, expect, it } from '@jest/globals';
import { KEY_RING } from '@tds/test-kit';
import { readConfig } from './config.ts';

const given = { WEBHOOK_KEY_RING: KEY_RING };

describe('the configuration', () => {
  it('lets no webhook into this machine unless it is told to, and never in production', () => {
    expect(readConfig(given).takesLocalReceivers).toBe(false);
    expect(readConfig({ ...given, WEBHOOK_LOCAL_RECEIVERS: '1' }).takesLocalReceivers).toBe(true);
    const inProduction = { ...given, NODE_ENV: 'production', WEBHOOK_LOCAL_RECEIVERS: '1' };
    expect(() => readConfig(inProduction)).toThrow('WEBHOOK_LOCAL_RECEIVERS');
  });

  it('knows our own hosts by the public address and by name', () => {
    const own = {
      ...given,
      PUBLIC_URL: 'https://API.tds.example',
      OWN_HOSTS: 'tds.example, Internal.example',
    };
    expect(readConfig(own).ownHosts).toEqual(['api.tds.example', 'tds.example', 'internal.example']);
  });

  it('is refused without a key ring', () => {
    expect(() => readConfig({})).toThrow('WEBHOOK_KEY_RING');
  });
});
