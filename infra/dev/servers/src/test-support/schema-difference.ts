import { readFileSync } from 'node:fs';
import path from 'node:path';
import { migrate, prismaDirsOf, workspaceRoot } from '@tds/migrations';
import { withSchemaEngine } from './schema-engine.ts';

/**
 * The SQL that leads from what the migrations make of this database to what schema.prisma says; empty if they
 * agree. Functions, triggers and partial indexes, which Prisma's schema cannot express, are not compared.
 */
export const schemaDifference = async (service: string, databaseUrl: string): Promise<string> => {
  const schemaFile = path.join(workspaceRoot, 'services', service, 'prisma/schema.prisma');
  const files = [{ path: schemaFile, content: readFileSync(schemaFile, 'utf8') }];
  await migrate({ databaseUrl, prismaDirs: prismaDirsOf(service) });
  const result = await withSchemaEngine(databaseUrl, (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: path.dirname(schemaFile) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return result.exitCode === 2 ? (result.stdout ?? '') : '';
};
