import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createApiKey } from '@tds/contracts';
import { freePort, workspaceRoot } from '@tds/servers';
import { eventually, proven } from '@tds/test-kit';
import { environments } from './environments.ts';
import { type Servers, startServers } from './servers.ts';
import { environmentOf, type Pod, podOf } from './test-support/rendered-pod.ts';

const outside = {
  port: 8080,
  platformOrigin: 'http://127.0.0.1:9',
  paymentOrigin: 'http://127.0.0.1:9',
  smtpUrl: 'smtp://127.0.0.1:9',
};
let dir: string;
let servers: Servers;
let secrets: Record<string, NodeJS.ProcessEnv>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'tds-pods-'));
  servers = await startServers({ dir, throwaway: true });
  secrets = await environments(servers, outside, {});
  const bundle = path.join(workspaceRoot, 'infra/deploy/docker/src/bundle.ts');
  const programs = [
    'services/{gateway,identity}/src/main.ts',
    'infra/deploy/provisioning/src/await-databases.ts',
  ];
  execFileSync(process.execPath, [bundle, path.join(dir, 'app'), ...programs]);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await servers?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a container as a process: its command, folder and variables, and nothing else but the ports of this machine. */
const run = (container: Pod['containers'][0], ports: NodeJS.ProcessEnv): ChildProcess => {
  const [, ...args] = container.command;
  const child = spawn(process.execPath, [...args, ...(container.args ?? [])], {
    cwd: container.workingDir.replace('/app', path.join(dir, 'app')),
    env: {
      ...environmentOf(container, secrets),
      NATS_URL: servers.nats.servers,
      LOG_LEVEL: 'warn',
      ...ports,
    },
    stdio: 'inherit',
  });
  children.push(child);
  return child;
};

const statusOf = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(url, init).catch(() => undefined))?.status ?? 0;

type Running = {
  readonly pod: Pod;
  readonly child: ChildProcess;
  readonly health: string;
  readonly http: string;
};

const startPod = async (service: string): Promise<Running> => {
  const pod = podOf(service);
  const [container] = pod.containers;
  for (const init of pod.initContainers ?? []) {
    const [code] = await once(run(init, {}), 'exit');
    expect(code).toBe(0);
  }
  const [healthPort, port] = [await freePort(), await freePort()];
  const child = run(container, { HEALTH_PORT: String(healthPort), PORT: String(port) });
  const health = `http://127.0.0.1:${healthPort}`;
  await eventually(async () => expect(await statusOf(`${health}/ready`)).toBe(200));
  return { pod, child, health, http: `http://127.0.0.1:${port}` };
};

/** As a rollout ends it. */
const endPod = async ({ pod, child }: Running): Promise<void> => {
  const startedAt = Date.now();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  const drainSeconds = pod.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
  expect(Date.now() - startedAt).toBeLessThan((pod.terminationGracePeriodSeconds - drainSeconds) * 1_000);
};

// What a manifest says, the tests of infra/deploy/k8s check; here two services run from it.
proven(it.skip, it)('gateway and identity start, serve and end from their manifests alone', async () => {
  const gateway = await startPod('gateway');
  expect(await statusOf(`${gateway.health}/live`)).toBe(200);
  /** A key that only identity can refuse. */
  const ask = () =>
    statusOf(`${gateway.http}/v1/transcript?video_id=manualEn001`, {
      headers: { authorization: `Bearer ${createApiKey()}` },
    });
  expect(await ask()).toBe(503);
  const identity = await startPod('identity');
  await eventually(async () => expect(await ask()).toBe(403));
  // Endpoints still name the pod while it drains: it has no signal yet, so it answers.
  expect(gateway.pod.containers[0].lifecycle?.preStop.sleep.seconds).toBeGreaterThanOrEqual(5);
  expect(await ask()).toBe(403);
  await endPod(gateway);
  await endPod(identity);
});
