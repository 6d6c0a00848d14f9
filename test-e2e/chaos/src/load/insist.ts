import { until } from '#support';
import type { Harness } from '../harness.ts';
import { type Asked, type CallAnswer, makeCall } from './http-call.ts';

const WITHIN = { withinMs: 60_000, everyMs: 500 };

type Insisted = Omit<Asked, 'kind'> & Partial<Pick<Asked, 'kind'>>;

/** Repeats a call until it has this status: the system may be hurt meanwhile. One that is no repeat of the last by itself has an Idempotency-Key. */
export const insist = async (
  { history }: Pick<Harness, 'history'>,
  asked: Insisted,
  status: number,
): Promise<CallAnswer> => {
  let last: CallAnswer | undefined;
  const isDone = async () => {
    last = await makeCall(history, { kind: 'begin', ...asked });
    return last.record.status === status;
  };
  if ((await until(isDone, WITHIN)) && last) return last;
  throw new Error(`${asked.about}: ${last?.record.status} ${last?.record.code}`);
};
