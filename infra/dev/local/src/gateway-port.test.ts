import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { chooseGatewayPort } from './gateway-port.ts';

/** Below this, only root may listen; containers often allow every port. */
const lowestAllowed = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return 0;
  }
};

describe('the port of the gateway', () => {
  it('is never one that another process listens on', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(chooseGatewayPort(String(port))).rejects.toThrow(`port ${port} is in use`);
    other.close();
  });

  it.each(['', '0', '80809', '8080x', '-1', '1e3.5'])('refuses PORT=%s in one sentence', async (wanted) => {
    await expect(chooseGatewayPort(wanted)).rejects.toThrow('is no port number');
  });

  it('is another one than 8080, and says so, if a program has that', async () => {
    const other = createServer().listen(8080, '127.0.0.1');
    // Where a program of this machine has it already, that one serves as well.
    await new Promise((resolve) => other.once('listening', resolve).once('error', resolve));
    const { port, notice } = await chooseGatewayPort(undefined);
    expect(port).not.toBe(8080);
    expect(notice).toBe(`Port 8080 belongs to another program: the gateway is on port ${port}.`);
    other.close();
  });

  const mayBeRefused = lowestAllowed() > 1 && process.getuid?.() !== 0;
  (mayBeRefused ? it : it.skip)(
    'is rejected as not allowed, and not as in use, if only root may have it',
    async () => {
      await expect(chooseGatewayPort('1')).rejects.toThrow('not allowed to listen on port 1');
    },
  );
});
