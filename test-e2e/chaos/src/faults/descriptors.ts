import { connect, type Socket } from 'node:net';
import { sleep } from '#support';
import type { Harness } from '../harness.ts';
import type { Blow } from './fault.ts';

/** Room for all that the load has under way, and little more. */
export const descriptors = { gateway: 512 } as const;

const connectAndWait = (url: URL): Socket => {
  const socket = connect(Number(url.port), url.hostname);
  // Refused ones are what this is about.
  socket.on('error', () => {});
  return socket;
};

/** A client opens more connections than there are descriptors, and sends nothing. */
export const exhaustDescriptors = async (harness: Harness, { holdMs }: { holdMs: number }): Promise<Blow> => {
  const url = new URL(harness.system.gateway);
  const idle = Array.from({ length: descriptors.gateway }, () => connectAndWait(url));
  await sleep(holdMs);
  const happened = idle.some(({ closed }) => closed);
  for (const socket of idle) socket.destroy();
  return { happened };
};
