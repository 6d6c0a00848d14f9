import type { SqlExecutor, Transactional } from '@tds/base';
import type { Surface } from '@tds/contracts';
import type { ListenerContext, Messaging, Sender } from '@tds/messaging';

type EffectDeps<S extends Surface, Tx> = { readonly db: Transactional<Tx>; readonly messaging: Messaging<S> };

const runIn =
  <Guard extends 'once' | 'onceIfNewest'>(guard: Guard) =>
  <S extends Surface, Tx extends SqlExecutor>(
    { db, messaging }: EffectDeps<S, Tx>,
    context: Pick<ListenerContext, Guard>,
    effect: (tx: Tx, send: Sender<S>) => Promise<unknown>,
  ): Promise<void> =>
    messaging.transaction(db, (tx, send) => context[guard](tx, async () => void (await effect(tx, send))));

/** Runs `effect` in a transaction of its own, once for each event. */
export const runOnce = runIn('once');
/** The same, unless a newer version of the event's aggregate has been acted upon. */
export const runIfNewest = runIn('onceIfNewest');
