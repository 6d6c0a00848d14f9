import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { archiver, defineSurface, type ReplyOf, type RequestOf, transcriptFetcher } from '@tds/contracts';
import { createCaller, observeService, startHarness, testContext } from '@tds/kit/testing';
import type { Objects } from '@tds/objects';
import { dueRows, fakeClock } from '@tds/test-kit';
import JSZip from 'jszip';
import type { Overrides } from '../deps.ts';
import { service } from '../index.ts';
import { surface } from '../surface.ts';
import { fakeJobs, fakeRenderer } from './fake-neighbours.ts';

type Reply = ReplyOf<typeof archiver.getArchive>;
export type ReadyArchive = Extract<Reply, { state: 'ready' }>;

const TIMEOUT_MS = 20_000;
const MINUTE_MS = 60_000;

/** The service on real servers, with fake jobs and files. */
export const startArchiver = async (overrides: Omit<Overrides, 'now'> = {}) => {
  const harness = await startHarness({
    databases: { archiver: 'archiver', 'bulk-orchestrator': 'messaging' },
    objects: [surface, defineSurface(transcriptFetcher)],
  });
  const clock = fakeClock();
  const own = observeService(service.with({ now: clock.now, ...overrides }));
  const caller = createCaller(archiver);
  const accountId = randomUUID();
  const jobs = fakeJobs(accountId);
  const files = { repeats: 1 };
  const objects = (): Objects => own.kit().objects;
  const renderer = fakeRenderer({ repeats: () => files.repeats });
  for (const other of [jobs.service, renderer.service, caller.service]) await harness.start(other);
  const running = { current: await harness.start(own.service) };
  const ask = (jobId: string, fields: Partial<RequestOf<typeof archiver.getArchive>> = {}): Promise<Reply> =>
    caller.call(
      archiver.getArchive,
      {
        ...{ accountId, jobId, formats: [], rebuild: false, startsNothing: false, tier: 'paid' },
        ...{ waitMs: TIMEOUT_MS, ...fields },
      },
      testContext(),
    );
  type DocumentRequest = RequestOf<typeof archiver.getDocument>;
  const askDocument = (jobId: string, fields: Partial<DocumentRequest> = {}): Promise<Reply> =>
    caller.call(
      archiver.getDocument,
      {
        ...{
          accountId,
          jobId,
          format: 'md',
          maxWords: null,
          rebuild: false,
          startsNothing: false,
          tier: 'paid',
        },
        ...{ waitMs: TIMEOUT_MS, ...fields },
      },
      testContext(),
    );
  return {
    askDocument,
    ...{ harness, clock, accountId, jobs, files, renderer, objects, ask },
    kit: own.kit,
    handlers: own.handlers,
    startInstance: () => harness.start(service.with({ now: clock.now, ...overrides })),
    /** The archive; fails if it is not ready in time. */
    async get(
      jobId: string,
      fields: Partial<RequestOf<typeof archiver.getArchive>> = {},
    ): Promise<ReadyArchive> {
      const reply = await ask(jobId, fields);
      if (reply.state !== 'ready') throw new Error('the archive is not built yet');
      return reply;
    },
    /** Makes waiting attempts due now. */
    async hurry(): Promise<void> {
      const { db } = own.kit();
      const rows = dueRows('archiver', (text, values) => db.query(text, values));
      await rows.makeDue('messaging.tasks', { where: "state = 'ready' AND lease_until IS NULL" });
    },
    sweep: (name: 'resumeBuilds' | 'deleteOldArchives') => own.handlers().schedules[name](testContext()),
    later: (minutes: number) => clock.advance(minutes * MINUTE_MS),
    /** The environment of a separate process. */
    environment: harness.environmentOf('archiver'),
    stopService: () => running.current.stop(),
    async startService() {
      running.current = await harness.start(own.service);
    },
    stop: () => harness.stop(),
  };
};
export type TestArchiver = Awaited<ReturnType<typeof startArchiver>>;

export const readBytes = async (objects: Objects, { parts }: ReadyArchive, part = 1): Promise<Buffer> => {
  const entry = parts.find((each) => each.part === part);
  const stream = entry && (await objects.get(entry.objectKey));
  if (!stream) throw new Error(`part ${part} is not stored`);
  return buffer(stream);
};

/** The files of a part, by name. */
export const unpack = async (zip: Buffer): Promise<Readonly<Record<string, Buffer>>> => {
  const { files } = await JSZip.loadAsync(zip, { checkCRC32: true });
  const read = Object.values(files).map(async (file) => [file.name, await file.async('nodebuffer')] as const);
  return Object.fromEntries(await Promise.all(read));
};
