import { describe, expect, it } from '@jest/globals';
import { howToInstall } from './find-server.ts';

const both = ['redis-server 7.0 or newer', 'nats-server 2.9 or newer'];

describe('the advice to a machine without Redis and NATS', () => {
  it.each([
    ['ID=debian', 'sudo apt-get install redis-server nats-server'],
    ['ID=pop ID_LIKE="ubuntu debian"', 'sudo apt-get install redis-server nats-server'],
    ['ID=fedora', 'sudo dnf install redis'],
    ['ID=rocky ID_LIKE="rhel centos fedora"', 'sudo dnf install redis'],
    ['ID=alpine', 'sudo apk add redis nats-server'],
    ['darwin', 'brew install redis nats-server'],
    ['ID=haiku', 'https://redis.io'],
  ])('names everything that is missing, and how %s gets it', (family, command) => {
    const advice = howToInstall(both, 'no network', family);
    for (const part of [...both, 'no network', command]) expect(advice).toContain(part);
  });
});
