import { DiscardPolicy } from '@nats-io/jetstream';
import { durationMs, loadConfig, wholeNumber } from '@tds/base';
import { DAY_MS, HOUR_MS } from '@tds/contracts';
import { z } from 'zod';

const MIB = 1_024 ** 2;
const STORE_BYTES = 10 * 1_024 * MIB;
const UNLIMITED = -1;

/** The limits of event streams, their replicas, and their behaviour when full. */
export type StreamLimits = {
  readonly replicas: number;
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  /** Of all streams together, on each broker: the broker reserves the `maxBytes` of each, empty or not. */
  readonly storeBytes: number;
  readonly maxMessages: number;
  readonly discard: DiscardPolicy;
};

export const defaultStreamLimits: StreamLimits = {
  replicas: 1,
  maxAgeMs: 7 * DAY_MS,
  maxBytes: 512 * MIB,
  storeBytes: STORE_BYTES,
  maxMessages: UNLIMITED,
  discard: DiscardPolicy.New,
};

const bounded = (minMs: number, maxMs: number, text: string) =>
  durationMs().refine((ms) => ms >= minMs && ms <= maxMs, `expected ${text}`);

/** The same for all services and the provisioner: each of them brings the streams to these limits. */
export const streamVariables = {
  EVENTS_REPLICAS: wholeNumber({ min: 1, max: 5 }).default(defaultStreamLimits.replicas),
  EVENTS_MAX_AGE: bounded(HOUR_MS, 30 * DAY_MS, 'from 1h to 30d').default(defaultStreamLimits.maxAgeMs),
  EVENTS_MAX_BYTES: wholeNumber({ min: MIB }).default(defaultStreamLimits.maxBytes),
  EVENTS_STORE_BYTES: wholeNumber({ min: MIB }).default(defaultStreamLimits.storeBytes),
  EVENTS_MAX_MESSAGES: wholeNumber({ min: UNLIMITED }).default(defaultStreamLimits.maxMessages),
  EVENTS_WHEN_FULL: z.enum(['wait', 'forget-oldest']).default('wait'),
};

type StreamConfig = {
  readonly [Name in keyof typeof streamVariables]: z.output<(typeof streamVariables)[Name]>;
};

export const toStreamLimits = (config: StreamConfig): StreamLimits => ({
  replicas: config.EVENTS_REPLICAS,
  maxAgeMs: config.EVENTS_MAX_AGE,
  maxBytes: config.EVENTS_MAX_BYTES,
  storeBytes: config.EVENTS_STORE_BYTES,
  maxMessages: config.EVENTS_MAX_MESSAGES,
  discard: config.EVENTS_WHEN_FULL === 'wait' ? DiscardPolicy.New : DiscardPolicy.Old,
});

/** The services with events, and room for one that is made again while its old stream counts. */
export const MAX_STREAMS = 10;

/** Refuses streams that the broker could not hold. */
export const refuseOverbooking = (
  { EVENTS_MAX_BYTES, EVENTS_STORE_BYTES }: Pick<StreamConfig, 'EVENTS_MAX_BYTES' | 'EVENTS_STORE_BYTES'>,
  context: z.RefinementCtx,
): void => {
  const most = Math.floor(EVENTS_STORE_BYTES / MAX_STREAMS);
  if (EVENTS_MAX_BYTES <= most) return;
  const path = [EVENTS_MAX_BYTES === defaultStreamLimits.maxBytes ? 'EVENTS_STORE_BYTES' : 'EVENTS_MAX_BYTES'];
  const message = `expected EVENTS_MAX_BYTES of at most ${most}, a tenth of EVENTS_STORE_BYTES`;
  context.addIssue({ code: 'custom', path, message });
};

/** Throws ConfigError with all problems at once. */
export const readStreamLimits = (service: string, environment: NodeJS.ProcessEnv): StreamLimits =>
  toStreamLimits(
    loadConfig(z.object(streamVariables).superRefine(refuseOverbooking), environment, { service }),
  );
