import request from 'supertest';
import { newTranscript, VIDEO_ID } from './builders.ts';
import { startTestGateway } from './start-gateway.ts';

/** What is cached. */
export const FILE = 'Hello';

export type Bearer = { authorization: string };

/** Two gateways on the same servers, and a cached transcript that both can read. */
export const startTwoGateways = async () => {
  const harness = await startTestGateway();
  const second = await harness.addGateway();
  await harness.cache(newTranscript(FILE), FILE);
  const read = (bearer: Bearer, url = harness.url) =>
    request(url).get(`/v1/transcript?video_id=${VIDEO_ID}`).set(bearer);
  return { harness, second, read };
};
export type TwoGateways = Awaited<ReturnType<typeof startTwoGateways>>;
