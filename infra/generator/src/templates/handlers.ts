import type { Name } from '../names.ts';

type Owned = { readonly service: Name; readonly message: Name };

export const commandShape = ({ camel }: Name): string => `
/** Says who has asked. */
${camel}: { request: z.object({ accountId: uuid }), reply: z.object({ accountId: uuid }) }`;

export const commandHandler = ({ service, message }: Owned): string => `\
import { ${service.camel} } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const ${message.camel} = onCommand(${service.camel}.${message.camel}, async (_deps: Pick<Deps, never>, { accountId }) => ({
  accountId,
}));
`;

export const taskShape = ({ camel }: Name): string => `
/** Repeats until it is done; after the last pause it is a dead letter. */
${camel}: {
  payload: z.object({ id: uuid }),
  leaseMs: 30_000,
  backoffMs: [1_000, 5_000, 15_000, 60_000],
  concurrency: 4,
  timeLimitMs: 60_000,
}`;

export const taskHandler = ({ service, message }: Owned): string => `\
import { ${service.camel} } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** A repeat finds what an earlier attempt has committed: the task ends in the transaction of its effect. */
export const ${message.camel} = onTask(
  ${service.camel}.${message.camel},
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { id }, task) => {
    task.record.add({ id });
    await messaging.transaction(db, (tx) => task.complete(tx));
  },
);
`;

export const eventShape = ({ camel }: Name): string => `
${camel}: { payload: z.object({ id: uuid }) }`;

type Subscribed = { readonly owner: Name; readonly event: Name };

export const subscriptionHandler = ({ owner, event }: Subscribed): string => `\
import { ${owner.camel} } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** However often the event is delivered, its effect is committed once. */
export const ${event.camel} = onEvent(
  ${owner.camel}.${event.camel},
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, told, { once, record }) => {
    await messaging.transaction(db, (tx) => once(tx, async () => record.add({ ...told })));
  },
);
`;

export const scheduleHandler = ({ camel }: Name): string => `\
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** Once per period over all instances, and once after any number of missed periods. */
export const ${camel} = onSchedule(async (_deps: Pick<Deps, never>, { record }) => {
  record.add({ rows: 0 });
});
`;
