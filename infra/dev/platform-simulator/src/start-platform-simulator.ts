import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalServerOptions, startLocalServer } from '@tds/local-http';
import { DEFAULT_SEED } from './catalogue/catalogue.ts';
import { createUploads, type UploadInput } from './catalogue/uploads.ts';
import type { FaultInput } from './faults/fault.ts';
import { createFaultRegistry, type ListedFault } from './faults/fault-registry.ts';
import { type Answer, errorAnswer } from './server/answer.ts';
import { controlAnswer, isControl } from './server/control.ts';
import { deliver } from './server/deliver.ts';
import { answerUnder } from './server/faulty-answer.ts';
import { readPlatformRequest } from './server/read-request.ts';
import { createRequestLog, type RequestCounts } from './server/request-log.ts';
import { createPlaces, createShown, type Simulation } from './server/simulation.ts';
import { createTokens } from './wire/po-token.ts';

const NOT_FOUND = 404;

const isAnswer = (value: object): value is Answer => 'status' in value;

/** Answers one request: control, platform, or nothing at that path. */
const handle = async (
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

export type PlatformSimulatorOptions = LocalServerOptions & {
  /** The same seed gives the same catalogue and the same bytes. */
  seed?: number;
  /** Milliseconds since 1970; caption URLs are dated by it. */
  now?: () => number;
};

export type PlatformSimulator = {
  origin: string;
  faults: {
    add(fault: FaultInput): string;
    remove(id: string): boolean;
    clear(): void;
    list(): ListedFault[];
  };
  /**
   * Uploads videos now, to a channel (id or handle) or to the top of a playlist; answers their ids, newest first.
   * @throws RangeError if it is unknown.
   */
  upload(upload: UploadInput): string[];
  /** Whatever of an upload is upcoming or live is out and over at once. False if there is no such upload. */
  release(videoId: string): boolean;
  /** Takes a video down: it leaves lists and feeds, where older ones move up, and is unavailable. */
  remove(videoId: string): void;
  setLatency(ms: number): void;
  /** Requests that it works on at the same time; as many as come unless this is set. */
  setAtOnce(most: number): void;
  /** Answers nothing until what this returns is called. */
  hold(): () => void;
  requests(): RequestCounts;
  resetRequests(): void;
  /** Ends every connection at once, hanging ones too. */
  close(): Promise<void>;
};

const KEEP_ALIVE_MS = 60_000;

const createSimulation = (options: PlatformSimulatorOptions): Simulation => {
  const { seed = DEFAULT_SEED, now = Date.now } = options;
  const uploads = createUploads({ seed, now });
  return {
    ...{ seed, now, latencyMs: 0, uploads, shown: createShown(seed, uploads) },
    origin: '',
    places: createPlaces(),
    tokens: createTokens(now),
    faults: createFaultRegistry(),
    log: createRequestLog(),
  };
};

/** Starts the simulator. */
export const startPlatformSimulator = async (
  options: PlatformSimulatorOptions = {},
): Promise<PlatformSimulator> => {
  const simulation = createSimulation(options);
  const server = await startLocalServer({ keepAliveMs: KEEP_ALIVE_MS, ...options }, (request, response) =>
    handle(simulation, request, response),
  );
  simulation.origin = `http://127.0.0.1:${server.port}`;
  const { add, remove, clear, list } = simulation.faults;
  return {
    origin: simulation.origin,
    faults: { add, remove, clear, list },
    upload: simulation.uploads.add,
    release: simulation.uploads.release,
    remove: simulation.shown.remove,
    setLatency: (ms) => {
      simulation.latencyMs = ms;
    },
    setAtOnce: (most) => simulation.places.setAtOnce(most),
    hold: () => {
      simulation.places.setAtOnce(0);
      return () => simulation.places.setAtOnce(Number.POSITIVE_INFINITY);
    },
    requests: () => simulation.log.counts(),
    resetRequests: () => simulation.log.reset(),
    close: server.close,
  };
};
