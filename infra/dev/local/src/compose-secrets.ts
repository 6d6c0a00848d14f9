import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { takenPorts } from '@tds/docker';
import { loadSurfaces } from '@tds/provisioning';
import { localDir, openSecrets, workspaceRoot, writePrivate } from '@tds/servers';
import { command, Option } from '@tds/servers/command';
import { type BrokerCount, endpointsOf, installationFiles, type PostgresCount } from './installation.ts';
import { findTrialContainers } from './settings.ts';

const program = command(
  'npm run create-secrets:compose --',
  'Writes the files with the addresses and secrets of the containers of docker-compose.yml. Existing secrets stay.',
)
  .option(
    '--settings <file>',
    'NAME=value lines, as docs/operations.md lists them; service.NAME=value is for one service',
  )
  .addOption(
    new Option('--brokers <count>', 'one NATS, or three of which one may die').choices(['1', '3']).default('1'),
  )
  .addOption(
    new Option('--postgres <count>', 'one, or each database has one (only tests start those)')
      .choices(['one', 'each'])
      .default('one'),
  )
  .option('--to <folder>', 'where they stand', path.join(localDir, 'compose'))
  .parse();
const { settings, brokers, postgres, to } = program.opts();
const dir = path.resolve(to);

/** Only its owner enters the folder. Containers read its files as users that this machine does not know. */
const writeFileFor = (name: string, text: string): void => {
  const file = path.join(dir, name);
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  chmodSync(`${file}.new`, 0o444);
  renameSync(`${file}.new`, file);
};

/** The variables that docker-compose uses: those of the shell, else those of `.env`. */
const composeVariables = (): NodeJS.ProcessEnv => {
  const file = path.join(workspaceRoot, '.env');
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env };
};

const isNew = !existsSync(path.join(dir, 'secrets.json'));
mkdirSync(dir, { recursive: true });
chmodSync(dir, 0o700);
const variables = composeVariables();
const endpoints = endpointsOf(variables);
const parsedSettings = settings === undefined ? {} : parseEnv(readFileSync(settings, 'utf8'));
const { ALERTMANAGER_CONFIG: alerts = 'infra/deploy/observability/alertmanager.yml' } = variables;
const problem = findTrialContainers(variables, readFileSync(path.resolve(workspaceRoot, alerts), 'utf8'));
if (problem && parsedSettings.NODE_ENV === 'production') program.error(`error: ${problem}`);
const files = await installationFiles(
  await loadSurfaces(),
  openSecrets(path.join(dir, 'secrets.json')),
  { PUBLIC_URL: endpoints.gateway, ...parsedSettings },
  Number(brokers) as BrokerCount,
  postgres as PostgresCount,
).catch((error: Error) => program.error(`error: ${error.message}`));
for (const [name, text] of Object.entries(files)) writeFileFor(name, text);
writePrivate(path.join(dir, 'endpoints.json'), `${JSON.stringify(endpoints, null, 2)}\n`);
console.log(
  `${Object.keys(files).length} files in ${path.relative('.', dir)}/. Keep secrets.json: without it the databases stay shut.`,
);
// A later run finds the ports of its own containers.
for (const { variable, port } of isNew ? await takenPorts(variables) : [])
  console.error(
    `Another program has port ${port}: set another ${variable} in .env and run this again, or docker-compose stops half way.`,
  );
