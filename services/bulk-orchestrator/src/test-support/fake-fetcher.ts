import { type BatchChange, MAX_BATCH_ROWS, type OpeningRefusal, transcriptFetcher } from '@tds/contracts';
import { type ErrorCode, serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';
import { deliveredAs, type Ending, refusedWith, type SubmitBatchRequest } from './changes.ts';
import type { FakeBatch, FakeRow, State, Step } from './fake-batch.ts';

const isOpen = ({ state }: FakeRow): boolean => state === 'waiting' || state === 'fetching';

/** A fetcher in memory that keeps the promises of its batch commands, and its customer's credits. */
export const fakeFetcher = (credits: number) => {
  const batches = new Map<string, FakeBatch>();
  const cached = new Set<string>();
  const endings = new Map<string, Ending>();
  const failures = new Map<Step, ErrorCode>();
  const lost = new Set<Step>();
  const waived: string[] = [];
  const opened: SubmitBatchRequest[] = [];
  const state = { hints: true, refunded: 0 };
  const money = { available: credits, charged: 0 };
  let refusal: OpeningRefusal | null = null;
  /** Rows opened despite a refusal. */
  let room = 0;

  const held = () => [...batches.keys()].flatMap((batchId) => rowsOf(batchId)).filter(isOpen).length;

  const rowsOf = (batchId: string) => [...(batches.get(batchId)?.rows.values() ?? [])];

  const change = (batch: FakeBatch, row: FakeRow, state: State, changes: BatchChange | null): void => {
    batch.version = Math.max(batch.version + 1, Date.now());
    Object.assign(row, { state, changes, version: batch.version });
  };

  const end = (batch: FakeBatch, row: FakeRow): void => {
    const { operationId, position, videoId } = row;
    if (row.state === 'waiting' && batch.state !== 'open') {
      money.available += 1;
      change(batch, row, 'cancelled', { operationId, position, state: 'cancelled' });
      return;
    }
    const ending = endings.get(videoId);
    const changes = ending
      ? ending(row, batch.request)
      : deliveredAs(row, batch.request, cached.has(videoId) ? 0 : 1);
    if (changes === 'waiting') return;
    if (changes === null) {
      if (row.state === 'waiting') change(batch, row, 'fetching', { operationId, position, state: 'fetching' });
      return;
    }
    if (changes.state === 'delivered') cached.add(videoId);
    const charge = changes.state === 'delivered' ? changes.charge : 0;
    money.charged += charge;
    money.available += 1 - charge;
    change(batch, row, changes.state, changes);
  };

  const hint = (): void => {
    if (!state.hints) return;
    const isOver = (batchId: string) => !rowsOf(batchId).some(isOpen);
    const all = [...batches].map(([batchId, { version }]) => ({ batchId, version, isOver: isOver(batchId) }));
    fake.kit().messaging.hint(transcriptFetcher.rowsEnded, { reads: [], batches: all });
  };

  /** Advances each row as far as possible. */
  const work = (): void => {
    for (const batch of batches.values())
      for (const row of batch.rows.values()) if (isOpen(row) && !batch.waits) end(batch, row);
    hint();
  };

  const enter = (step: Step): void => {
    const code = failures.get(step);
    if (code !== undefined) throw serviceError(code as 'service_unavailable', { retryAfterSeconds: 1 });
  };
  const leave = <Reply>(step: Step, reply: Reply): Reply => {
    if (lost.has(step)) throw serviceError('service_unavailable');
    return reply;
  };

  const batchOf = (request: SubmitBatchRequest): FakeBatch => {
    const batch = batches.get(request.batchId) ?? {
      request,
      version: Date.now(),
      state: 'open' as const,
      waits: true,
      rows: new Map(),
    };
    batches.set(request.batchId, batch);
    return batch;
  };

  const decideRefusal = (cold: number, { isAccepted }: SubmitBatchRequest) => {
    if (refusal) return { most: room, why: refusal };
    const { available } = money;
    if (cold <= available) return { most: cold, why: null };
    const why = refusedWith('insufficient_credits', { required: cold, available });
    return { most: isAccepted ? available : 0, why };
  };

  const fake = createFake(transcriptFetcher, {
    submitBatch: async (request) => {
      enter('submitBatch');
      opened.push(request);
      const batch = batchOf(request);
      const fresh = request.rows.filter(({ operationId }) => !batch.rows.has(operationId));
      if (batch.state === 'stopped') {
        const refused = fresh.length > 0 ? refusedWith('job_cancelled') : null;
        const unopened = fresh.map((row) => row.operationId);
        return leave('submitBatch', {
          version: batch.version,
          unopened,
          refusal: refused,
          hasChanges: false,
        });
      }
      batch.state = 'open';
      batch.waits &&= !request.isAccepted;
      const cold = fresh.filter(({ videoId }) => !cached.has(videoId));
      const { most, why } = decideRefusal(cold.length, request);
      const isNothing = why !== null && !request.isAccepted && why.code === 'insufficient_credits';
      const refused = new Set(cold.slice(most).map(({ operationId }) => operationId));
      for (const entry of isNothing ? [] : fresh) {
        if (refused.has(entry.operationId)) continue;
        const row: FakeRow = { ...entry, version: 0, state: 'waiting', changes: null };
        batch.rows.set(entry.operationId, row);
        money.available -= 1;
        change(batch, row, 'waiting', null);
        if (cached.has(entry.videoId) && !endings.has(entry.videoId)) end(batch, row);
      }
      const unopened = isNothing ? fresh.map(({ operationId }) => operationId) : [...refused];
      setImmediate(work);
      return leave('submitBatch', {
        version: batch.version,
        unopened,
        refusal: unopened.length > 0 ? why : null,
        hasChanges: [...batch.rows.values()].some(({ changes }) => changes !== null),
      });
    },
    pauseBatch: async ({ batchId, accountId, as }) => {
      enter('pauseBatch');
      const nothing = { batchId, accountId, rows: [] } as unknown as SubmitBatchRequest;
      const batch = batchOf(batches.get(batchId)?.request ?? nothing);
      batch.version = Math.max(batch.version + 1, Date.now());
      if (batch.state !== 'stopped') batch.state = as;
      for (const row of batch.rows.values()) if (row.state === 'waiting') end(batch, row);
      return leave('pauseBatch', { version: batch.version });
    },
    readChanges: async ({ batchId, after }) => {
      enter('readChanges');
      const batch = batches.get(batchId);
      if (!batch) return { batch: null, rows: [], upTo: after };
      const isAfter = ({ version, position }: FakeRow) =>
        version > after.version || (version === after.version && position > after.position);
      const rows = [...batch.rows.values()]
        .filter((row) => row.changes !== null && isAfter(row))
        .toSorted((one, other) => one.version - other.version || one.position - other.position);
      const some = rows.slice(0, 40);
      const last = some.at(-1);
      const isAll = some.length === rows.length && batch.version > after.version;
      const cut = last ? { version: last.version, position: last.position } : after;
      const upTo = isAll ? { version: batch.version, position: MAX_BATCH_ROWS } : cut;
      const changes = some.map(({ changes: each }) => each as BatchChange);
      return leave('readChanges', {
        batch: { version: batch.version, state: batch.state },
        rows: changes,
        upTo,
      });
    },
    batchVersions: async ({ batchIds }) => {
      enter('batchVersions');
      const known = batchIds.flatMap((batchId) => {
        const batch = batches.get(batchId);
        if (!batch) return [];
        const open = batch.waits ? [] : [...batch.rows.values()].filter(isOpen);
        return [{ batchId, version: batch.version, openRows: open.length }];
      });
      return leave('batchVersions', { batches: known });
    },
    listBatches: async ({ after, limit }) => {
      enter('listBatches');
      const all = [...batches].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const page = all.filter(([batchId]) => batchId > (after ?? '')).slice(0, Math.min(limit, 2));
      return { batches: page.map(([batchId, { request }]) => ({ batchId, accountId: request.accountId })) };
    },
    waiveBatch: async ({ batchId }) => {
      enter('waiveBatch');
      const batch = batches.get(batchId);
      if (batch) {
        batch.state = 'stopped';
        for (const row of batch.rows.values()) {
          if (row.state === 'waiting') end(batch, row);
          if (row.changes?.state !== 'delivered' || row.changes.charge === 0) continue;
          state.refunded += row.changes.charge;
          money.available += row.changes.charge;
          money.charged -= row.changes.charge;
          Object.assign(row, { changes: { ...row.changes, charge: 0 } });
        }
      }
      waived.push(batchId);
      return {};
    },
  });

  return {
    ...fake,
    batches,
    cached,
    opened,
    waived,
    state,
    money,
    held,
    work,
    /** Ends future operations of this video like this. */
    end: (videoId: string, ending: Ending) => void endings.set(videoId, ending),
    /** Its turn comes, and it never ends. */
    hold: (videoId: string) => void endings.set(videoId, () => null),
    /** Its turn does not come. */
    queue: (videoId: string) => void endings.set(videoId, () => 'waiting'),
    /** Resets these videos. */
    deliver(...videoIds: readonly string[]) {
      for (const videoId of videoIds) endings.delete(videoId);
      work();
    },
    /** Refuses cold rows beyond `most`; null resets it. */
    refuse(why: OpeningRefusal | null, max = 0) {
      refusal = why;
      room = max;
    },
    /** Answers a step with an error; null resets it. */
    fail: (step: Step, code: ErrorCode | null) =>
      void (code === null ? failures.delete(step) : failures.set(step, code)),
    /** Does the step, and loses its answer. */
    loseAnswer: (step: Step, isLost: boolean) => void (isLost ? lost.add(step) : lost.delete(step)),
    /** Deletes the batch, as a restore may. */
    forget: (batchId: string) => void batches.delete(batchId),
    rowsOf,
    /** Credits charged to a job. */
    chargedFor: (batchId: string) =>
      rowsOf(batchId).reduce(
        (sum, { changes }) => sum + (changes?.state === 'delivered' ? changes.charge : 0),
        0,
      ),
  };
};
export type FakeFetcher = ReturnType<typeof fakeFetcher>;
