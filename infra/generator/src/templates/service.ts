import type { Name } from '../names.ts';

/** The files of a new service, by their path below its folder. */
export const serviceFiles = (name: Name, versions: Versions): Readonly<Record<string, string>> => ({
  'package.json': packageJson(name, versions),
  'tsconfig.json': '{\n  "extends": "../../tsconfig.base.json",\n  "include": ["src"]\n}\n',
  'README.md': readme(name),
  'prisma/schema.prisma': schema(name),
  'src/create-deps.ts': createDeps,
  'src/deps.ts': deps,
  'src/index.ts': index,
  'src/main.ts': main,
  'src/store/database.ts': database,
  'src/surface.ts': surface(name),
  [`src/test-support/start-${name.kebab}.ts`]: startForTests(name),
});

export const contract = ({ kebab, camel }: Name): string => `\
import { defineContract } from '../contract/define-contract.ts';

/** What ${kebab} gives to others, and its own work. */
export const ${camel} = defineContract('${kebab}', {});
`;

/** Exact versions, as another service has them. */
export type Versions = Readonly<Record<string, string>>;

const packageJson = ({ kebab }: Name, versions: Versions): string =>
  `${JSON.stringify(
    {
      name: `@tds/${kebab}`,
      version: '1.0.0',
      private: true,
      type: 'module',
      exports: { '.': './src/index.ts', './surface': './src/surface.ts' },
      scripts: { test: 'node ../../infra/local/package-tests.mjs', 'check:types': 'tsc -p tsconfig.json' },
      dependencies: versions,
      devDependencies: { '@tds/test-kit': 'workspace:*' },
    },
    null,
    2,
  )}\n`;

const readme = ({ kebab }: Name): string => `\
# ${kebab}

What it is for, in two sentences.

## Words
The words that somebody who reads its code has to know.

## Rules that always hold
1. Each a sentence that a test has as its title.

## What it owns and does not own
Its tables; what it asks others for.

## When it fails
What callers see while it is away, and what goes on by itself when it is back.
`;

const schema = ({ kebab }: Name): string => `\
// The tables of ${kebab}. \`node packages/servers/src/new-migration.ts ${kebab}\` adds to the migration what it lacks.
generator client {
  provider            = "prisma-client"
  output              = "../src/store/prisma"
  runtime             = "nodejs"
  moduleFormat        = "esm"
  importFileExtension = "ts"
  compilerBuild       = "small"
}

datasource db {
  provider = "postgresql"
}
`;

const deps = `\
import type { Messaging } from '@tds/service-kit';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

/** What handlers work with. */
export type Deps = {
  readonly db: Database;
  readonly messaging: Messaging<Surface>;
  readonly now: () => Date;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>>;
`;

const createDeps = `\
import type { Kit } from '@tds/service-kit';
import type { Deps, Overrides } from './deps.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';

export const createDeps = (
  kit: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  return { db, messaging: kit.messaging, now: () => new Date(), ...overrides };
};
`;

const index = `\
import { defineService } from '@tds/service-kit';
import { createDeps } from './create-deps.ts';
import { surface } from './surface.ts';

export const service = defineService({ surface, createDeps });
`;

const main = `\
import { runService } from '@tds/service-kit';
import { service } from './index.ts';

await runService(service, process.env);
`;

const database = `\
import type { Kit } from '@tds/service-kit';
import { prismaOptions } from '@tds/service-kit/prisma';
import type { Surface } from '../surface.ts';
import { type Prisma, PrismaClient } from './prisma/client.ts';

export const createDatabase = (pool: Kit<Surface>['db']): PrismaClient =>
  new PrismaClient(prismaOptions(pool));

export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;
`;

const surface = ({ camel }: Name): string => `\
import { defineSurface, ${camel} } from '@tds/contracts';

export const surface = defineSurface(${camel}, {});

export type Surface = typeof surface;
`;

const startForTests = ({ kebab, camel, pascal }: Name): string => `\
import { ${camel} } from '@tds/contracts';
import { callerOf, observed, startHarness } from '@tds/service-kit/testing';
import { service } from '../index.ts';

/** The clock of the tests stands still. */
export const NOW = new Date('2026-01-15T12:00:00.000Z');

/** The service on real servers, called over the bus as others call it. */
export const start${pascal} = async () => {
  const harness = await startHarness({ databases: { '${kebab}': '${kebab}' } });
  const own = observed(service.with({ now: () => NOW }));
  const caller = callerOf(${camel});
  await harness.start(own.service);
  await harness.start(caller.service);
  return { ...harness, call: caller.call, kit: own.kit, handlers: own.handlers, handled: own.handled };
};

export type Test${pascal} = Awaited<ReturnType<typeof start${pascal}>>;
`;
