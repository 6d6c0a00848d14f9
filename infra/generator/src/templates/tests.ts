import type { Name } from '../names.ts';

/** What starts a service for its tests: `startLedger` and `TestLedger` of `test-support/start-ledger.ts`. */
export type TestStart = { readonly file: string; readonly start: string; readonly type: string };

type Owned = { readonly service: Name; readonly message: Name; readonly testStart: TestStart };

const startOf = ({ start, type }: TestStart): string => `
let running: ${type};
beforeAll(async () => {
  running = await ${start}();
});
afterAll(() => running.stop());
`;

const importOf = ({ file, start, type }: TestStart): string =>
  `import { ${start}, type ${type} } from '../test-support/${file}';`;

/** Imports of a sample that has ids of its own. */
const forSample = (sample: string): string =>
  sample.includes('randomUUID') ? `import { randomUUID } from 'node:crypto';\n` : '';

export const commandTest = (message: Name): string => `\
import { describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/service-kit/testing';
import { ${message.camel} } from './${message.kebab}.ts';

const accountId = '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001';

describe('${message.kebab}', () => {
  it('says who has asked', async () => {
    const reply = await ${message.camel}.run({}, { accountId }, testContext());
    expect(reply).toEqual({ accountId });
  });
});
`;

export const taskTest = ({ service, message, testStart }: Owned): string => `\
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ${service.camel} } from '@tds/contracts';
import { LeaseLost } from '@tds/service-kit';
import { holdTask } from '@tds/service-kit/testing';
${importOf(testStart)}
${startOf(testStart)}
const hold = async (payload = { id: randomUUID() }) => {
  const held = await holdTask(running.kit().db, ${service.camel}.${message.camel}, payload);
  return { ...held, run: () => running.handlers().tasks.${message.camel}(payload, held.context) };
};

describe('${message.kebab}', () => {
  it('ends, and so does a second run of the same work', async () => {
    const payload = { id: randomUUID() };
    for (const held of [await hold(payload), await hold(payload)]) {
      await held.run();
      expect(await held.state()).toBe('done');
    }
  });

  it('changes nothing where another worker has taken it over', async () => {
    const held = await hold();
    await held.lose();
    await expect(held.run()).rejects.toBeInstanceOf(LeaseLost);
    expect(await held.state()).toBe('ready');
  });
});
`;

type Subscribed = {
  readonly owner: Name;
  readonly event: Name;
  readonly testStart: TestStart;
  /** The source of a payload. */
  readonly sample: string;
};

export const subscriptionTest = ({ owner, event, testStart, sample }: Subscribed): string => `\
${forSample(sample)}import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ${owner.camel}, type PayloadOf } from '@tds/contracts';
import { delivered } from '@tds/service-kit/testing';
${importOf(testStart)}
${startOf(testStart)}
const told: PayloadOf<typeof ${owner.camel}.${event.camel}> = ${sample};

describe('${event.kebab}', () => {
  it('that is delivered twice has its effect once', async () => {
    const effects: object[] = [];
    const record = { add: (fields: object) => void effects.push(fields) };
    const delivery = delivered(${owner.camel}.${event.camel}, told, { record });
    for (const _time of [1, 2]) await running.handlers().subscriptions.${event.camel}(told, delivery);
    expect(effects).toEqual([told]);
  });
});
`;

export const scheduleTest = ({ kebab, camel }: Name): string => `\
import { describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/service-kit/testing';
import { ${camel} } from './${kebab}.ts';

describe('${kebab}', () => {
  it('tells what it has done', async () => {
    const told: object[] = [];
    await ${camel}({}, testContext({ record: { add: (fields) => void told.push(fields) } }));
    expect(told).toEqual([{ rows: 0 }]);
  });
});
`;

export const storeTest = (one: Name, many: Name, testStart: TestStart): string => `\
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
${importOf(testStart)}
import { find${one.pascal}, insert${one.pascal} } from './${many.kebab}.ts';
import { createDatabase, type Database } from './database.ts';

let running: ${testStart.type};
let db: Database;
beforeAll(async () => {
  running = await ${testStart.start}();
  db = createDatabase(running.kit().db);
});
afterAll(async () => {
  await db.$disconnect();
  await running.stop();
});

describe('${many.kebab}', () => {
  it('are saved once: whoever saves the same one again changes nothing', async () => {
    const saved = { id: randomUUID(), createdAt: new Date('2026-01-15T12:00:00.000Z') };
    expect(await insert${one.pascal}(db, saved)).toBe(true);
    expect(await insert${one.pascal}(db, { ...saved, createdAt: new Date() })).toBe(false);
    expect(await find${one.pascal}(db, saved.id)).toEqual(saved);
    expect(await find${one.pascal}(db, randomUUID())).toBeNull();
  });
});
`;

export const objectsTest = (kind: Name, testStart: TestStart): string => `\
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
${importOf(testStart)}
import { store${kind.pascal} } from './store-${kind.kebab}.ts';
${startOf(testStart)}
describe('${kind.kebab}', () => {
  it('are stored once, and read again as they were', async () => {
    const { objects } = running.kit();
    const key = await store${kind.pascal}(objects, Buffer.from('the same'));
    expect(await store${kind.pascal}(objects, Buffer.from('the same'))).toBe(key);
    expect((await objects.getBytes(key))?.toString()).toBe('the same');
    expect(await store${kind.pascal}(objects, Buffer.from('another'))).not.toBe(key);
  });
});
`;
