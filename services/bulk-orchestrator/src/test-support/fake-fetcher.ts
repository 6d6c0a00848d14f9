import { type BatchChange, MAX_LINE_ROWS, type OpeningRefusal, transcriptFetcher } from '@tds/contracts';
import { type ErrorCode, serviceError } from '@tds/errors';
import { fakeOf } from '@tds/kit/testing';
import { deliveredAs, type Ending, type OpenLineRequest, refusedWith } from './changes.ts';
import type { FakeLine, FakeRow, State, Step } from './fake-line.ts';

const isOpen = ({ state }: FakeRow): boolean => state === 'waiting' || state === 'fetching';

/** A fetcher in memory that keeps the promises of its line commands, and its customer's credits. */
export const fakeFetcher = (credits: number) => {
  const lines = new Map<string, FakeLine>();
  const cached = new Set<string>();
  const endings = new Map<string, Ending>();
  const failures = new Map<Step, ErrorCode>();
  const lost = new Set<Step>();
  const disowned: string[] = [];
  const opened: OpenLineRequest[] = [];
  const state = { hints: true, refunded: 0 };
  const money = { available: credits, charged: 0 };
  let refusal: OpeningRefusal | null = null;
  /** Rows opened despite a refusal. */
  let room = 0;

  const held = () => [...lines.keys()].flatMap((lineId) => rowsOf(lineId)).filter(isOpen).length;

  const rowsOf = (lineId: string) => [...(lines.get(lineId)?.rows.values() ?? [])];

  const change = (line: FakeLine, row: FakeRow, state: State, changes: BatchChange | null): void => {
    line.version = Math.max(line.version + 1, Date.now());
    Object.assign(row, { state, changes, version: line.version });
  };

  const end = (line: FakeLine, row: FakeRow): void => {
    const { operationId, position, videoId } = row;
    if (row.state === 'waiting' && line.state !== 'open') {
      money.available += 1;
      change(line, row, 'cancelled', { operationId, position, state: 'cancelled' });
      return;
    }
    const ending = endings.get(videoId);
    const changes = ending
      ? ending(row, line.request)
      : deliveredAs(row, line.request, cached.has(videoId) ? 0 : 1);
    if (changes === 'waiting') return;
    if (changes === null) {
      if (row.state === 'waiting')
        change(line, row, 'fetching', { operationId, position, state: 'fetching' });
      return;
    }
    if (changes.state === 'delivered') cached.add(videoId);
    const charge = changes.state === 'delivered' ? changes.charge : 0;
    money.charged += charge;
    money.available += 1 - charge;
    change(line, row, changes.state, changes);
  };

  const hint = (): void => {
    if (!state.hints) return;
    const isOver = (lineId: string) => !rowsOf(lineId).some(isOpen);
    const all = [...lines].map(([lineId, { version }]) => ({ lineId, version, isOver: isOver(lineId) }));
    fake.kit().messaging.hint(transcriptFetcher.rowsEnded, { reads: [], lines: all });
  };

  /** Advances each row as far as possible. */
  const work = (): void => {
    for (const line of lines.values())
      for (const row of line.rows.values()) if (isOpen(row) && !line.waits) end(line, row);
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

  const lineOf = (request: OpenLineRequest): FakeLine => {
    const line = lines.get(request.lineId) ?? {
      request,
      version: Date.now(),
      state: 'open' as const,
      waits: true,
      rows: new Map(),
    };
    lines.set(request.lineId, line);
    return line;
  };

  const decideRefusal = (cold: number, { isAccepted }: OpenLineRequest) => {
    if (refusal) return { most: room, why: refusal };
    const { available } = money;
    if (cold <= available) return { most: cold, why: null };
    const why = refusedWith('insufficient_credits', { required: cold, available });
    return { most: isAccepted ? available : 0, why };
  };

  const fake = fakeOf(transcriptFetcher, {
    openLine: async (request) => {
      enter('openLine');
      opened.push(request);
      const line = lineOf(request);
      const fresh = request.rows.filter(({ operationId }) => !line.rows.has(operationId));
      if (line.state === 'stopped') {
        const refused = fresh.length > 0 ? refusedWith('job_cancelled') : null;
        const unopened = fresh.map((row) => row.operationId);
        return leave('openLine', { version: line.version, unopened, refusal: refused, hasChanges: false });
      }
      line.state = 'open';
      line.waits &&= !request.isAccepted;
      const cold = fresh.filter(({ videoId }) => !cached.has(videoId));
      const { most, why } = decideRefusal(cold.length, request);
      const isNothing = why !== null && !request.isAccepted && why.code === 'insufficient_credits';
      const refused = new Set(cold.slice(most).map(({ operationId }) => operationId));
      for (const entry of isNothing ? [] : fresh) {
        if (refused.has(entry.operationId)) continue;
        const row: FakeRow = { ...entry, version: 0, state: 'waiting', changes: null };
        line.rows.set(entry.operationId, row);
        money.available -= 1;
        change(line, row, 'waiting', null);
        if (cached.has(entry.videoId) && !endings.has(entry.videoId)) end(line, row);
      }
      const unopened = isNothing ? fresh.map(({ operationId }) => operationId) : [...refused];
      setImmediate(work);
      return leave('openLine', {
        version: line.version,
        unopened,
        refusal: unopened.length > 0 ? why : null,
        hasChanges: [...line.rows.values()].some(({ changes }) => changes !== null),
      });
    },
    haltLine: async ({ lineId, accountId, as }) => {
      enter('haltLine');
      const nothing = { lineId, accountId, rows: [] } as unknown as OpenLineRequest;
      const line = lineOf(lines.get(lineId)?.request ?? nothing);
      line.version = Math.max(line.version + 1, Date.now());
      if (line.state !== 'stopped') line.state = as;
      for (const row of line.rows.values()) if (row.state === 'waiting') end(line, row);
      return leave('haltLine', { version: line.version });
    },
    readChanges: async ({ lineId, after }) => {
      enter('readChanges');
      const line = lines.get(lineId);
      if (!line) return { line: null, rows: [], upTo: after };
      const isAfter = ({ version, position }: FakeRow) =>
        version > after.version || (version === after.version && position > after.position);
      const rows = [...line.rows.values()]
        .filter((row) => row.changes !== null && isAfter(row))
        .toSorted((one, other) => one.version - other.version || one.position - other.position);
      const some = rows.slice(0, 40);
      const last = some.at(-1);
      const isAll = some.length === rows.length && line.version > after.version;
      const cut = last ? { version: last.version, position: last.position } : after;
      const upTo = isAll ? { version: line.version, position: MAX_LINE_ROWS } : cut;
      const changes = some.map(({ changes: each }) => each as BatchChange);
      return leave('readChanges', {
        line: { version: line.version, state: line.state },
        rows: changes,
        upTo,
      });
    },
    lineVersions: async ({ lineIds }) => {
      enter('lineVersions');
      const known = lineIds.flatMap((lineId) => {
        const line = lines.get(lineId);
        if (!line) return [];
        const open = line.waits ? [] : [...line.rows.values()].filter(isOpen);
        return [{ lineId, version: line.version, openRows: open.length }];
      });
      return leave('lineVersions', { lines: known });
    },
    listLines: async ({ after, limit }) => {
      enter('listLines');
      const all = [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1));
      const page = all.filter(([lineId]) => lineId > (after ?? '')).slice(0, Math.min(limit, 2));
      return { lines: page.map(([lineId, { request }]) => ({ lineId, accountId: request.accountId })) };
    },
    disownLine: async ({ lineId }) => {
      enter('disownLine');
      const line = lines.get(lineId);
      if (line) {
        line.state = 'stopped';
        for (const row of line.rows.values()) {
          if (row.state === 'waiting') end(line, row);
          if (row.changes?.state !== 'delivered' || row.changes.charge === 0) continue;
          state.refunded += row.changes.charge;
          money.available += row.changes.charge;
          money.charged -= row.changes.charge;
          Object.assign(row, { changes: { ...row.changes, charge: 0 } });
        }
      }
      disowned.push(lineId);
      return {};
    },
  });

  return {
    ...fake,
    lines,
    cached,
    opened,
    disowned,
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
    /** Deletes the line, as a restore may. */
    forget: (lineId: string) => void lines.delete(lineId),
    rowsOf,
    /** Credits charged to a job. */
    chargedFor: (lineId: string) =>
      rowsOf(lineId).reduce(
        (sum, { changes }) => sum + (changes?.state === 'delivered' ? changes.charge : 0),
        0,
      ),
  };
};
export type FakeFetcher = ReturnType<typeof fakeFetcher>;
