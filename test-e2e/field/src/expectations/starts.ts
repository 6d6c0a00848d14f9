import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import { readCase, startPlatform } from '../scripts.ts';
import type { Expectation, Expectations } from './expect-answer.ts';

const PROBE_MS = 120_000;

/** The probe reads the settings as every service that asks the platform does. */
const probe = (environment: NodeJS.ProcessEnv, ...videos: readonly string[]) => {
  const script = path.join(workspaceRoot, 'infra/measure/platform-probe/src/main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'probe', ...videos], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: PROBE_MS,
  });
  return { status, text: stdout + stderr };
};

const refusedByName =
  (folder: string, name: string): Expectation =>
  async () => {
    const { settings } = readCase(folder, name);
    const url = settings.PLATFORM_PROXY_URLS.replace(/:(?:HTTP|SOCKS)$/, ':1');
    const { status, text } = probe({ PLATFORM_ORIGIN: 'http://127.0.0.1:1', PLATFORM_PROXY_URLS: url });
    assert.equal(status, 1, text);
    assert.match(text, /PLATFORM_PROXY_URLS.*socks5/s);
    assert.ok(!text.includes('50%off'), text);
  };

/** A certificate of nobody is never taken, and one that the operator trusts is. */
const certificates = async (folder: string): Promise<void> => {
  const own = mkdtempSync(path.join(tmpdir(), 'field-'));
  const [key, cert] = [path.join(own, 'key.pem'), path.join(own, 'cert.pem')];
  const made = ['-nodes', '-days', '2', '-subj', '/CN=nobody', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', key, '-out', cert, ...made], {
    stdio: 'ignore',
  });
  const platform = await startPlatform(folder, { key, cert });
  try {
    const origin = { PLATFORM_ORIGIN: `https://127.0.0.1:${platform.ports[0]}` };
    const untrusted = probe(origin, 'gu_00000001');
    assert.deepEqual([untrusted.status, /not trusted/.test(untrusted.text)], [1, true], untrusted.text);
    const trusted = probe({ ...origin, NODE_EXTRA_CA_CERTS: cert }, 'gu_00000001');
    assert.equal(trusted.status, 0, trusted.text);
  } finally {
    platform.stop();
    rmSync(own, { recursive: true });
  }
};

/** What is known before the service starts. */
export const starts = (folder: string): Expectations => ({
  'e02-percent-password': refusedByName(folder, 'e02-percent-password'),
  'e06-socks5h': refusedByName(folder, 'e06-socks5h'),
  'e29-tls': () => certificates(folder),
});
