import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_SEED } from './catalogue/catalogue.ts';
import { createShown } from './catalogue/shown.ts';
import { createUploads, type UploadInput } from './catalogue/uploads.ts';
import type { FaultInput } from './faults/fault.ts';
import { createFaultRegistry, type ListedFault } from './faults/fault-registry.ts';
import { handle } from './server/handle.ts';
import { createPlaces } from './server/places.ts';
import { createRequestLog, type RequestCounts } from './server/request-log.ts';
import type { Simulation } from './server/simulation.ts';

export type PlatformSimulatorOptions = {
  /** 0 or none: any free port. */
  port?: number;
  /** Where it listens; 127.0.0.1 where nothing is said. */
  host?: string;
  /** The same seed gives the same catalogue and the same bytes. */
  seed?: number;
  /** Added to every answer. */
  latencyMs?: number;
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
   * @throws RangeError if nobody has it.
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

const HOST = '127.0.0.1';
const KEEP_ALIVE_MS = 60_000;

const createSimulation = (options: PlatformSimulatorOptions): Simulation => {
  const { seed = DEFAULT_SEED, now = Date.now, latencyMs = 0 } = options;
  const uploads = createUploads({ seed, now });
  return {
    ...{ seed, now, latencyMs, uploads, shown: createShown(seed, uploads) },
    origin: '',
    places: createPlaces(),
    faults: createFaultRegistry(),
    log: createRequestLog(),
  };
};

const createHttpServer = (simulation: Simulation): Server => {
  const server = createServer((request, response) => {
    // A request that cannot even be read has no better answer than the end of its connection.
    handle(simulation, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
};

const listen = (server: Server, port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no TCP address'));
      else resolve(address);
    });
  });

const closeAtOnce = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });

/** Starts the simulator. */
export const startPlatformSimulator = async (
  options: PlatformSimulatorOptions = {},
): Promise<PlatformSimulator> => {
  const simulation = createSimulation(options);
  const server = createHttpServer(simulation);
  const { port } = await listen(server, options.port ?? 0, options.host ?? HOST);
  simulation.origin = `http://${HOST}:${port}`;
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
    close: () => closeAtOnce(server),
  };
};
