import type { Name } from '../names.ts';

type Owned = { readonly service: Name; readonly projection: Name };

/** Of accounts, in versions: declared once for the projection and for the event that tells of a change. */
export const projectedShape = ({ camel }: Name): string => `
const ${camel} = z.object({ accountId: uuid, version: z.number().int().nonnegative() });
`;

export const projectionShape = ({ camel }: Name): string => `
/** As it was last committed; a write with an older version is ignored. */
${camel}: { keyParts: ['accountId'], value: ${camel}, ttlSeconds: 3_600 }`;

export const changeShape = ({ camel }: Name, event: Name): string => `
/** A hint: whoever misses it finds out within seconds. */
${event.camel}: { payload: ${camel}, aggregate: { key: 'accountId', version: 'version' } }`;

export const publisher = ({ service, projection: { camel, pascal } }: Owned, event: Name): string => `\
import { ${service.camel}, type PayloadOf } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import type { Surface } from '../surface.ts';

/** Makes known what was committed. Nothing is lost where it fails: readers ask this service for what they do not find. */
export const publish${pascal} = async (
  { projections, messaging }: Pick<Kit<Surface>, 'projections' | 'messaging'>,
  ${camel}: PayloadOf<typeof ${service.camel}.${event.camel}>,
): Promise<void> => {
  const { accountId, version } = ${camel};
  await projections.writeIfNewer(${service.camel}.${camel}, [accountId], ${camel}, version);
  messaging.hint(${service.camel}.${event.camel}, ${camel});
};
`;

type Start = { readonly file: string; readonly start: string; readonly type: string };

export const publisherTest = (
  { service, projection: { kebab, camel, pascal } }: Owned,
  { file, start, type }: Start,
): string => `\
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ${service.camel} } from '@tds/contracts';
import { ${start}, type ${type} } from '../test-support/${file}';
import { publish${pascal} } from './publish-${kebab}.ts';

let running: ${type};
beforeAll(async () => {
  running = await ${start}();
});
afterAll(() => running.stop());

describe('the projection ${kebab}', () => {
  it('is the newest version, in whatever order they are published', async () => {
    const accountId = randomUUID();
    for (const version of [2, 1]) await publish${pascal}(running.kit(), { accountId, version });
    const found = await running.kit().projections.read(${service.camel}.${camel}, [accountId]);
    expect(found).toEqual({ accountId, version: 2 });
  });
});
`;

/** The gateway's copy, which spares a read of Redis to whoever is in use. */
export const memory = ({ service, projection: { camel, pascal } }: Owned, event: Name): string => `\
import { ${service.camel}, type PayloadOf } from '@tds/contracts';
import type { Projections } from '@tds/service-kit';
import { LRUCache } from 'lru-cache';

const REMEMBERED = 20_000;
/** By then a change has come through by itself, even if its broadcast was lost. */
const TRUSTED_MS = 10_000;

type ${pascal} = PayloadOf<typeof ${service.camel}.${event.camel}>;

/** The newest of each account that was read or told. */
export const create${pascal}Memory = ({ read }: Pick<Projections, 'read'>) => {
  const known = new LRUCache<string, ${pascal}>({ max: REMEMBERED, ttl: TRUSTED_MS });
  const learn = (${camel}: ${pascal}): ${pascal} => {
    const before = known.get(${camel}.accountId);
    if (before && before.version > ${camel}.version) return before;
    known.set(${camel}.accountId, ${camel});
    return ${camel};
  };
  return {
    learn,
    /** Null where the service has to be asked. */
    async find(accountId: string): Promise<${pascal} | null> {
      const held = known.get(accountId);
      if (held) return held;
      const found = await read(${service.camel}.${camel}, [accountId]);
      return found && learn(found);
    },
  };
};
`;

export const memoryTest = ({ projection: { kebab, pascal } }: Owned): string => `\
import { describe, expect, it } from '@jest/globals';
import { create${pascal}Memory } from './${kebab}-memory.ts';

const accountId = '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001';
const at = (version: number) => ({ accountId, version });

describe('what the gateway remembers of ${kebab}', () => {
  it('is read once, and then what was told of it', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return at(1) as never;
    };
    const memory = create${pascal}Memory({ read });
    expect([await memory.find(accountId), await memory.find(accountId), reads]).toEqual([at(1), at(1), 1]);
    memory.learn(at(3));
    memory.learn(at(2));
    expect(await memory.find(accountId)).toEqual(at(3));
  });

  it('is nothing where nothing is projected', async () => {
    expect(await create${pascal}Memory({ read: async () => null }).find(accountId)).toBeNull();
  });
});
`;

export const listener = ({ service, projection: { camel } }: Owned, event: Name): string => `\
import { ${service.camel} } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const ${event.camel} = onBroadcast(
  ${service.camel}.${event.camel},
  async ({ ${camel}Memory }: Pick<Deps, '${camel}Memory'>, told) => void ${camel}Memory.learn(told),
);
`;
