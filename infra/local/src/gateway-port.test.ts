import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { chooseGatewayPort } from './gateway-port.ts';

describe('the port of the gateway', () => {
  it('is never one that somebody else listens on', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(chooseGatewayPort(String(port))).rejects.toThrow(`port ${port} is in use`);
    other.close();
  });

  it.each(['', '0', '80809', '8080x', '-1', '1e3.5'])('refuses PORT=%s in one sentence', async (wanted) => {
    await expect(chooseGatewayPort(wanted)).rejects.toThrow('is no port number');
  });

  it('is a free one where none is asked for', async () => {
    expect(await chooseGatewayPort(undefined)).toBeGreaterThan(0);
  });
});
