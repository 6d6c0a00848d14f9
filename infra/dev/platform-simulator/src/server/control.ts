import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { uploadSchema } from '../catalogue/uploads.ts';
import { faultSchema } from '../faults/fault.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import type { Simulation } from './simulation.ts';

type Action = (simulation: Simulation, body: unknown, url: URL) => Answer;

const CREATED = 201;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

const latencySchema = z.strictObject({ ms: z.int().nonnegative() });

const invalid = (error: z.ZodError): Answer => jsonAnswer({ error: z.prettifyError(error) }, BAD_REQUEST);

const addFault: Action = ({ faults }, body) => {
  const fault = faultSchema.safeParse(body);
  return fault.success ? jsonAnswer({ id: faults.add(fault.data) }, CREATED) : invalid(fault.error);
};

/** Removes all, or the one named by `?id=`. */
const removeFaults: Action = ({ faults }, _, url) => {
  const id = url.searchParams.get('id');
  if (id === null) faults.clear();
  else if (!faults.remove(id)) return jsonAnswer({ error: `no fault ${id}` }, NOT_FOUND);
  return jsonAnswer({ faults: faults.list() });
};

const setLatency: Action = (simulation, body) => {
  const latency = latencySchema.safeParse(body);
  if (!latency.success) return invalid(latency.error);
  simulation.latencyMs = latency.data.ms;
  return jsonAnswer({ ms: simulation.latencyMs });
};

const upload: Action = ({ uploads }, body) => {
  const asked = uploadSchema.safeParse(body);
  if (!asked.success) return invalid(asked.error);
  try {
    return jsonAnswer({ ids: uploads.add(asked.data) }, CREATED);
  } catch (error) {
    if (error instanceof RangeError) return jsonAnswer({ error: error.message }, NOT_FOUND);
    throw error;
  }
};

const release: Action = ({ uploads }, _, url) => {
  const id = url.searchParams.get('id') ?? '';
  return uploads.release(id) ? jsonAnswer({ id }) : jsonAnswer({ error: `no upload ${id}` }, NOT_FOUND);
};

const remove: Action = ({ shown }, _, url) => {
  const id = url.searchParams.get('id') ?? '';
  if (!shown.video(id)) return jsonAnswer({ error: `no video ${id}` }, NOT_FOUND);
  shown.remove(id);
  return jsonAnswer({ id });
};

const resetRequests: Action = ({ log }) => {
  log.reset();
  return jsonAnswer(log.counts());
};

const actions = new Map<string, Action>([
  ['GET faults', ({ faults }) => jsonAnswer({ faults: faults.list() })],
  ['POST faults', addFault],
  ['DELETE faults', removeFaults],
  ['GET latency', ({ latencyMs }) => jsonAnswer({ ms: latencyMs })],
  ['POST latency', setLatency],
  ['POST uploads', upload],
  ['POST release', release],
  ['POST remove', remove],
  ['GET requests', ({ log }) => jsonAnswer(log.counts())],
  ['DELETE requests', resetRequests],
]);

const PREFIX = '/__simulator/';
export const isControl = (url: URL): boolean => url.pathname.startsWith(PREFIX);

/** The simulator's own interface, beside the platform's. */
export const controlAnswer = async (
  simulation: Simulation,
  url: URL,
  request: IncomingMessage,
): Promise<Answer> => {
  const action = actions.get(`${request.method} ${url.pathname.slice(PREFIX.length)}`);
  if (!action) return jsonAnswer({ error: 'no such control' }, NOT_FOUND);
  const sent = await text(request);
  try {
    return action(simulation, sent === '' ? undefined : JSON.parse(sent), url);
  } catch (error) {
    if (error instanceof SyntaxError) return jsonAnswer({ error: 'the body is not JSON' }, BAD_REQUEST);
    throw error;
  }
};
