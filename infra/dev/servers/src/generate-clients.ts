// node generate-clients.ts <service>...: writes the database clients of these services, all by one process.
import { createRequire } from 'node:module';
import path from 'node:path';
import { workspaceRoot } from '@tds/migrations';

type Generators = typeof import('@prisma/client-generator-ts');
type Schemas = typeof import('@prisma/internals');

/** The generator's modules for `import` name files that it does not have. */
const require = createRequire(import.meta.url);
const { PrismaClientTsGenerator }: Generators = require('@prisma/client-generator-ts');
const { getGenerators, loadSchemaContext }: Schemas = require('@prisma/internals');

const registry = {
  'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() },
} as const;

for (const service of process.argv.slice(2)) {
  const cliProvidedPath = path.join(workspaceRoot, 'services', service, 'prisma/schema.prisma');
  const schemaContext = await loadSchemaContext({ schemaPath: { cliProvidedPath }, printLoadMessage: false });
  const generators = await getGenerators({ schemaContext, registry, skipDownload: true, cliCommand: '' });
  for (const generator of generators) {
    await generator.generate();
    generator.stop();
  }
}
