import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cliExitCodes, generateSdkTypes, sdkRemedies } from '@tds/clients';
import { checkSurfaces } from '@tds/contracts';
import { renderComposeFile } from '@tds/docker';
import { openApiDocument, routeTable } from '@tds/http-api';
import { loadConfigs, loadSurfaces, messageMapMarkdown } from '@tds/provisioning';
import { command } from '@tds/servers/command';
import { specialVideosMarkdown } from '@tds/simulators/platform';
import { errorsReferenceMarkdown } from '@tds/site/errors-reference';
import { webhookCatalogueMarkdown } from '@tds/site/webhook-catalogue';
import { readTables, tableProblems, tablesMarkdown } from './tables.ts';

const { check } = command(
  'npm run generate --',
  'Writes the database clients, the references under docs/generated, the types and tables of SDK and CLI, and docker-compose.yml.',
)
  .option('--check', 'writes nothing, and fails if one of them is stale', false)
  .parse()
  .opts();

const root = join(import.meta.dirname, '../../../..');
const surfaces = await loadSurfaces();
const configs = await loadConfigs();
const tables = readTables(root);
const publicUrl = 'http://127.0.0.1:8080';

const document = openApiDocument(routeTable, publicUrl);
const files: Readonly<Record<string, string>> = {
  'docs/generated/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'docs/generated/errors.md': errorsReferenceMarkdown(),
  'docs/generated/messages.md': messageMapMarkdown(surfaces),
  'docs/generated/special-videos.md': specialVideosMarkdown(),
  'docs/generated/tables.md': tablesMarkdown(tables),
  'docs/generated/webhooks.md': webhookCatalogueMarkdown(),
  'packages/clients/cli/src/generated/exit-codes.ts': cliExitCodes(),
  'packages/clients/sdk/src/generated/remedies.ts': sdkRemedies(),
  'packages/clients/sdk/src/generated/schema.ts': await generateSdkTypes(document),
  'docker-compose.yml': renderComposeFile(configs),
};

const read = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

async function staleFiles(): Promise<string[]> {
  const stale = await Promise.all(
    Object.entries(files).map(async ([path, text]) => ((await read(join(root, path))) === text ? [] : [path])),
  );
  return stale.flat();
}

async function write(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), files[path] ?? '');
    console.log(`wrote ${path}`);
  }
}

const problems = [...checkSurfaces(surfaces), ...tableProblems(tables)];
for (const problem of problems) console.error(problem);

const stale = await staleFiles();
if (check) for (const path of stale) console.error(`${path} is stale: run npm run generate`);
else await write(stale);

process.exitCode = problems.length > 0 || (check && stale.length > 0) ? 1 : 0;
