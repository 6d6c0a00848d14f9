import type { Evidence, Finding } from '@tds/audit';
import { channelAt } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import type { CallRecord, FaultRecord, History } from '../history.ts';
import { digestOfShown } from '../load/http-call.ts';

type Seen = Pick<History, 'calls' | 'faults'>;

const DELIVERED = `SELECT id FROM searches WHERE state = 'delivered'`;
const OK = 200;
const SERVER_ERROR = 500;
/** The same question of the same key is answered again for so long without a charge. */
const REPLAY_MS = 60_000;

const breach = (
  invariant: string,
  call: CallRecord,
  what: string,
  expected: string,
  found: string,
): Finding => ({
  ...{ invariant, what, expected, found },
  subject: `${call.kind} of ${call.about} by account ${call.accountId} at ${call.at} ms`,
});

const CHANNELS = 40;
const SEED = 1;

/** What the page of each channel shows, by the channel's id. */
const pagesOfChannels = (): ReadonlyMap<string, string> =>
  new Map(
    Array.from({ length: CHANNELS }, (_, index) => [
      String(channelAt(index, SEED)?.id),
      digestOfShown(channelVideoIds(index, SEED)),
    ]),
  );

/** I3: however often its making was broken off, a listing is the whole channel in order, and nothing else. */
export const checkListings = ({ calls }: Pick<Seen, 'calls'>): Finding[] => {
  const pages = pagesOfChannels();
  return calls
    .filter(
      ({ kind, status, about, sha256 }) => kind === 'list' && status === OK && pages.get(about) !== sha256,
    )
    .map((call) =>
      breach('I3', call, 'videos of a listing', String(pages.get(call.about)), String(call.sha256)),
    );
};

const isSame = (one: CallRecord, other: CallRecord): boolean =>
  one.accountId === other.accountId && one.about === other.about;

/** Its page may have been saved: it was delivered, or its outcome is unknown. */
const mayBeSaved = ({ status, charged }: CallRecord): boolean =>
  charged > 0 || status === null || status >= SERVER_ERROR;

/** The calendar of search was off, and with it the minute for which a page is free. */
const wasSkewed = (faults: readonly FaultRecord[], from: number, until: number): boolean =>
  faults.some(
    (fault) =>
      fault.fault === 'skew-clock' &&
      fault.target.startsWith('search') &&
      fault.at <= until &&
      fault.until >= from,
  );

/** A page that was delivered, and paid, so lately that the same question must not have cost anything. */
const paidJustBefore = (call: CallRecord, same: readonly CallRecord[], faults: readonly FaultRecord[]) =>
  same.some(
    ({ at, ms, charged }) =>
      charged > 0 &&
      at + ms < call.at &&
      call.at + call.ms < at + REPLAY_MS &&
      !wasSkewed(faults, at, call.at + call.ms),
  );

const checkPage = (
  call: CallRecord,
  same: readonly CallRecord[],
  delivered: ReadonlySet<string>,
  { faults }: Seen,
): Finding[] => {
  if (call.charged === 0) {
    const isExplained = same.some((other) => other.at < call.at + call.ms && mayBeSaved(other));
    return isExplained ? [] : [breach('I2', call, 'a page for nothing', 'one that was paid before', 'none')];
  }
  const isThere = delivered.has(String(call.requestId));
  return [
    ...(isThere ? [] : [breach('I3', call, 'page that was paid for', 'as its caller was answered', 'none')]),
    ...(paidJustBefore(call, same, faults)
      ? [breach('I2', call, 'the same page within a minute', '0 credits', `${call.charged}`)]
      : []),
  ];
};

/** I2, I3: a page that was paid for is there, a page for nothing was paid for before, and none is paid for twice. */
export const checkSearches = async ({ rows }: Evidence, seen: Seen): Promise<Finding[]> => {
  const delivered = new Set((await rows<{ id: string }>('search', DELIVERED)).map(({ id }) => id));
  const searches = seen.calls.filter(({ kind }) => kind === 'search');
  return searches
    .filter(({ status }) => status === OK)
    .flatMap((call) => {
      const same = searches.filter((other) => other !== call && isSame(call, other));
      return checkPage(call, same, delivered, seen);
    });
};
