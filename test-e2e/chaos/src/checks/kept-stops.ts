import type { Evidence, Finding } from '@tds/audit';
import type { Harness } from '../harness.ts';
import type { CallRecord, History } from '../history.ts';
import type { StopSubject } from '../load/stop-calls.ts';

/** What a stop may not leave behind, of the ids that were stopped. */
const GOING_ON: Readonly<Record<StopSubject, { readonly service: string; readonly sql: string }>> = {
  webhook: {
    service: 'webhook-dispatcher',
    sql: 'SELECT account_id::text AS id FROM webhooks WHERE account_id = ANY ($1::uuid[])',
  },
  monitor: {
    service: 'monitor-scheduler',
    sql: 'SELECT id::text FROM monitors WHERE cancelled_at IS NULL AND id = ANY ($1::uuid[])',
  },
  job: {
    service: 'bulk-orchestrator',
    sql: 'SELECT id::text FROM jobs WHERE erased_at IS NULL AND id = ANY ($1::uuid[])',
  },
  link: {
    service: 'transcript-fetcher',
    sql: 'SELECT id::text FROM links WHERE ends_at > now() AND id = ANY ($1::uuid[])',
  },
};

/** A stop is safe when its event has left: an event that was lost with the database cannot be applied again. */
const EVENT_LEAVES_WITHIN_MS = 3_000;

type Stop = { readonly call: CallRecord; readonly id: string };

/** The acknowledged stops of one kind, without those that a later call of the same account may have ended. */
const stopsOf = (subject: StopSubject, calls: readonly CallRecord[]): Stop[] =>
  calls
    .filter(
      ({ kind, outcome, about }) => kind === 'stop' && outcome === 'ok' && about.startsWith(`${subject} `),
    )
    .filter(
      (stop) =>
        subject !== 'webhook' ||
        !calls.some(
          ({ kind, accountId, at, ms }) =>
            kind === 'webhook' && accountId === stop.accountId && at + ms >= stop.at,
        ),
    )
    .map((call) => ({ call, id: call.about.slice(subject.length + 1) }));

const normal = (id: string): string => id.replaceAll('-', '');

/** I3: what an answer reported as stopped stays so: through deaths, a second instance, and older copies of its database. */
export const checkStops = async ({
  evidence,
  history: { calls },
  restores,
}: {
  readonly evidence: Pick<Evidence, 'rows'>;
  readonly history: Pick<History, 'calls'>;
  readonly restores: Harness['restores'];
}): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const [subject, { service, sql }] of Object.entries(GOING_ON)) {
    const cut = restores.get(service) ?? [];
    const isSafe = ({ call: { at, ms } }: Stop) =>
      !cut.some((restored) => at < restored && at + ms > restored - EVENT_LEAVES_WITHIN_MS);
    const stops = stopsOf(subject as StopSubject, calls).filter(isSafe);
    const left = await evidence.rows<{ id: string }>(service, sql, [stops.map(({ id }) => id)]);
    const goingOn = new Set(left.map(({ id }) => normal(id)));
    for (const { call, id } of stops.filter((each) => goingOn.has(normal(each.id))))
      findings.push({
        ...{ invariant: 'I3', subject: `${subject} ${id}`, what: 'a stop that was acknowledged' },
        ...{ expected: 'stopped', found: `going on, ${Math.round(call.at / 1_000)} s after the run began` },
      });
  }
  return findings;
};
