import { createFindingCalls } from './finding-calls.ts';
import type { CallAnswer } from './http-call.ts';
import { createJobCalls } from './job-calls.ts';
import { createOtherCalls } from './other-calls.ts';
import { createRefillCalls } from './refill-calls.ts';
import type { Scene } from './scene.ts';
import { createStopCalls } from './stop-calls.ts';
import { createTranscriptCalls, type Pending } from './transcript-calls.ts';
import { createUploads } from './uploads.ts';
import { createWarmth } from './warmth.ts';
import { createWebhookCalls } from './webhook-calls.ts';

const kinds = [
  'cold',
  'cached',
  'special',
  'failing',
  'poll',
  'facts',
  'search',
  'list',
  'job',
  'archive',
  'webhook',
  'stop',
  'wrong',
  'stranger',
  'signUp',
  'outage',
  'upload',
  'refill',
] as const;
export type TrafficKind = (typeof kinds)[number];

export type Traffic = {
  /** One call of each kind; resolves to its answer, or to null if no customer could make it just now. */
  readonly calls: Readonly<Record<TrafficKind, () => Promise<CallAnswer | null>>>;
  /** To be called when the gateway or Redis has lost what it knew. */
  forgetHot(): void;
  /** Polls an accepted request as its customer. */
  poll(pending: Pending): Promise<CallAnswer>;
  /** Accepted with a 202 and not seen to end yet. */
  readonly pending: readonly Pending[];
};

export const createTraffic = (scene: Scene): Traffic => {
  const warmth = createWarmth(scene.history);
  const { pending, poll, pollAny, ...transcripts } = createTranscriptCalls(scene, warmth);
  const signUp = async () => {
    await scene.customers.signUp();
    return null;
  };
  return {
    calls: {
      ...transcripts,
      ...createFindingCalls(scene),
      ...createJobCalls(scene),
      ...createWebhookCalls(scene),
      ...createStopCalls(scene),
      ...createUploads(scene),
      ...createRefillCalls(scene),
      ...createOtherCalls(scene),
      poll: pollAny,
      signUp,
    },
    pending,
    poll,
    forgetHot: warmth.forget,
  };
};
