import { writeFileSync } from 'node:fs';
import { loadConfig, secret } from '@tds/base';
import { PROVISIONER } from '@tds/messaging/internals';
import { z } from 'zod';
import { startProvisioner } from './provisioner.ts';
import { loadSurfaces } from './services.ts';

/**
 * Makes the streams, and makes them again if a broker has come back without them.
 * Runs as long as the services do; READY_FILE is there once all streams are.
 */
const config = loadConfig(
  z.object({ NATS_URL: z.string().min(1), NATS_NKEY_SEED: secret(), READY_FILE: z.string().optional() }),
  process.env,
  { service: PROVISIONER },
);
const provisioner = await startProvisioner({
  url: config.NATS_URL,
  nkeySeed: config.NATS_NKEY_SEED.reveal(),
  surfaces: await loadSurfaces(),
  environment: process.env,
});
if (config.READY_FILE) writeFileSync(config.READY_FILE, '');
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void provisioner.stop());
