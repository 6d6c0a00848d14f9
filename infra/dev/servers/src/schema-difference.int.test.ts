import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './paths.ts';
import { schemaDifference } from './test-support/schema-difference.ts';
import { createTestDatabase } from './testing/index.ts';

const services = readdirSync(path.join(workspaceRoot, 'services')).filter((service) =>
  existsSync(path.join(workspaceRoot, 'services', service, 'prisma/schema.prisma')),
);

describe('the migrations of each service', () => {
  it.each(services)('make the tables that the client of %s expects', async (service) => {
    const database = await createTestDatabase(service);
    expect(await schemaDifference(service, database.ownerUrl)).toBe('');
    await database.drop();
  });
});
