import { type MonitorPauseReason, monitorScheduler } from '@tds/contracts';
import { type Context, LeaseLost, type Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { publicId } from '../domain/monitor-id.ts';
import { pauseReasonOf } from '../domain/pauses.ts';
import type { Db } from '../store/database.ts';
import { type DueMonitor, lockErrand, lockTurn, savePause, type Turn } from '../store/monitor-turns.ts';
import type { Surface } from '../surface.ts';

/** On whose behalf another service is asked, and for how long. */
export type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

export type Held = { readonly tx: Db; readonly send: Sender<Surface>; readonly turn: Turn };

type Step<T> = (held: Held) => Promise<T>;

const holding =
  (lock: typeof lockTurn) =>
  <T>({ db, messaging }: Deps, due: DueMonitor, step: Step<T>): Promise<T> =>
    messaging.transaction(db, async (tx: Db, send) => {
      const turn = await lock(tx, due);
      if (turn === null) throw new LeaseLost(due.id);
      return step({ tx, send, turn });
    });

/** A step of a monitor's turn. Throws `LeaseLost` where it is another's turn by now. */
export const inTurn = holding(lockTurn);
/** A step of its errand, likewise. */
export const onErrand = holding(lockErrand);

/** Tells what the monitor waits for, if that is another reason than was told before. */
export const tellPause = async (
  { tx, send, turn }: Held,
  changed: Partial<Turn> = {},
): Promise<MonitorPauseReason | null> => {
  const reason = pauseReasonOf({ ...turn, ...changed });
  if (reason === turn.toldPause) return reason;
  const version = await savePause(tx, turn.id, reason);
  const told = { accountId: turn.accountId, monitorId: publicId(turn.id), version };
  if (reason === null) await send.emit(monitorScheduler.monitorResumed, told);
  else await send.emit(monitorScheduler.monitorPaused, { ...told, pauseReason: reason });
  return reason;
};
