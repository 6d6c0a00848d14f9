import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { createTestDatabase } from '@tds/test-kit';
import { workspaceRoot } from './paths.ts';
import { schemaDifference } from './schema-difference.ts';

const services = readdirSync(path.join(workspaceRoot, 'services')).filter((service) =>
  existsSync(path.join(workspaceRoot, 'services', service, 'prisma/schema.prisma')),
);

jest.setTimeout(60_000); // servers start here, and the machine may be busy

describe('the migrations of each service', () => {
  it.each(services)('make the tables that the client of %s expects', async (service) => {
    const database = await createTestDatabase(service);
    expect(await schemaDifference(service, database.ownerUrl)).toBe('');
    await database.drop();
  });
});
