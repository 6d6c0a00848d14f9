import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, errorAnswer } from './answer.ts';
import { controlAnswer, isControl } from './control.ts';
import { deliver } from './deliver.ts';
import { answerUnder } from './faulty-answer.ts';
import { readPlatformRequest } from './read-request.ts';
import type { Simulation } from './simulation.ts';

const NOT_FOUND = 404;

const isAnswer = (value: object): value is Answer => 'status' in value;

/** Answers one request: control, platform, or nothing at that path. */
export const handle = async (
  simulation: Simulation,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = new URL(incoming.url ?? '/', 'http://simulator');
  const send = (answer: Answer): Promise<void> => deliver(undefined, incoming, response, answer);
  if (isControl(url)) return send(await controlAnswer(simulation, url, incoming));
  const request = await readPlatformRequest(url, incoming);
  if (!request) return send(errorAnswer(NOT_FOUND, 'Requested entity was not found.'));
  if (isAnswer(request)) return send(request);
  simulation.log.count(request);
  const active = simulation.faults.take(request);
  const waitMs = simulation.latencyMs + (active?.latencyMs ?? 0);
  const leave = await simulation.places.take();
  if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
  leave();
  if (response.destroyed) return;
  await deliver(active?.fault, incoming, response, answerUnder(active?.fault, simulation, request));
};
