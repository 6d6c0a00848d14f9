import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { callAction } from '../http/call-action.ts';
import { type LocalServerOptions, startLocalServer } from '../http/local-server.ts';
import { DEFAULT_SEED } from './catalogue/catalogue.ts';
import { createUploads } from './catalogue/uploads.ts';
import { createFaultRegistry } from './faults/fault-registry.ts';
import { type Answer, errorAnswer, jsonAnswer } from './server/answer.ts';
import { deliver } from './server/deliver.ts';
import { answerUnder } from './server/faulty-answer.ts';
import { readPlatformRequest } from './server/read-request.ts';
import { createRequestLog } from './server/request-log.ts';
import { createContent, createPlaces, type Simulation } from './server/simulation.ts';
import { createTokens } from './wire/po-token.ts';

const NOT_FOUND = 404;
const CONTROL = '/__simulator/';

const isAnswer = (value: object): value is Answer => 'status' in value;

/** Answers one request: control, platform, or nothing at that path. */
const handle = async (
  simulation: Simulation,
  actions: Actions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = new URL(incoming.url ?? '/', 'http://simulator');
  const send = (answer: Answer): Promise<void> => deliver(undefined, incoming, response, answer);
  if (url.pathname.startsWith(CONTROL)) {
    const { status, answer } = await callAction(actions, url.pathname.slice(CONTROL.length), incoming);
    return send(jsonAnswer(answer, status));
  }
  const request = await readPlatformRequest(url, incoming);
  if (!request) return send(errorAnswer(NOT_FOUND, 'Requested entity was not found.'));
  if (isAnswer(request)) return send(request);
  simulation.log.count(request);
  const active = simulation.faults.take(request);
  const waitMs = simulation.latencyMs + (active?.latencyMs ?? 0);
  const leave = await simulation.places.take();
  if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
  leave();
  if (response.destroyed) return;
  await deliver(active?.fault, incoming, response, answerUnder(active?.fault, simulation, request));
};

export type PlatformSimulatorOptions = LocalServerOptions & {
  /** The same seed gives the same catalogue and the same bytes. */
  seed?: number;
  /** Milliseconds since 1970; caption URLs are dated by it. */
  now?: () => number;
};

const KEEP_ALIVE_MS = 60_000;

const createSimulation = (options: PlatformSimulatorOptions): Simulation => {
  const { seed = DEFAULT_SEED, now = Date.now } = options;
  const uploads = createUploads({ seed, now });
  return {
    ...{ seed, now, latencyMs: 0, uploads, content: createContent(seed, uploads) },
    origin: '',
    places: createPlaces(),
    tokens: createTokens(now),
    faults: createFaultRegistry(),
    log: createRequestLog(),
  };
};

/** What a test or a person does to the platform; over HTTP `POST /__simulator/<name>` with a JSON list of the arguments. */
const buildActions = (simulation: Simulation) => {
  const { faults, uploads, content, places, log } = simulation;
  return {
    addFault: faults.add,
    removeFault: faults.remove,
    clearFaults: faults.clear,
    listFaults: faults.list,
    /** Uploads videos now, to a channel or a playlist; returns their ids, newest first. Throws RangeError if it is unknown. */
    upload: uploads.add,
    /** Whatever of an upload is upcoming or live is out and over at once, and has its captions. False if there is no such upload. */
    release: uploads.release,
    /** Takes a video down: it leaves lists and feeds, where older ones move up, and is unavailable. */
    remove: content.remove,
    setLatency: (ms: number): void => {
      simulation.latencyMs = ms;
    },
    /** Requests that it works on at the same time; as many as come unless this is set. */
    setMaxConcurrent: (max: number): void => places.setMaxConcurrent(max),
    requests: log.counts,
    resetRequests: log.reset,
  };
};
type Actions = ReturnType<typeof buildActions>;

/** Starts the simulator. */
export const startPlatformSimulator = async (options: PlatformSimulatorOptions = {}) => {
  const simulation = createSimulation(options);
  const actions = buildActions(simulation);
  const { addFault, removeFault, clearFaults, listFaults, ...others } = actions;
  const server = await startLocalServer({ keepAliveMs: KEEP_ALIVE_MS, ...options }, (request, response) =>
    handle(simulation, actions, request, response),
  );
  simulation.origin = `http://127.0.0.1:${server.port}`;
  return {
    ...others,
    origin: simulation.origin,
    faults: { add: addFault, remove: removeFault, clear: clearFaults, list: listFaults },
    /** Answers nothing until what this returns is called. */
    hold: (): (() => void) => {
      actions.setMaxConcurrent(0);
      return () => actions.setMaxConcurrent(Number.POSITIVE_INFINITY);
    },
    /** Ends every connection at once, hanging ones too. */
    close: server.close,
  };
};
export type PlatformSimulator = Awaited<ReturnType<typeof startPlatformSimulator>>;
