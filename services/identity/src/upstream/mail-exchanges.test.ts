import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NameServer, startNameServer } from '../test-support/name-server.ts';
import { createMailExchanges } from './mailer.ts';

describe('mail exchanges', () => {
  let nameServer: NameServer;
  beforeAll(async () => {
    nameServer = await startNameServer();
    nameServer.exchanges.set('alias.example', ['MX1.Host.example', 'mx2.host.example']);
    nameServer.exchanges.set('no-mail.example', []);
  });
  afterAll(() => nameServer?.stop());

  it('are the hosts of a domain, in lower case', async () => {
    const find = createMailExchanges(nameServer.address);
    expect([...(await find('alias.example'))].sort()).toEqual(['mx1.host.example', 'mx2.host.example']);
  });

  it('are empty if there are none, if no server answers one question, and with `off`', async () => {
    const find = createMailExchanges(nameServer.address);
    nameServer.questions.length = 0;
    expect([await find('no-mail.example'), await find('silent.example')]).toEqual([[], []]);
    expect(nameServer.questions).toEqual(['no-mail.example', 'silent.example']);
    nameServer.exchanges.set('off.example', ['mx.host.example']);
    expect(await createMailExchanges('off')('off.example')).toEqual([]);
  });
});
