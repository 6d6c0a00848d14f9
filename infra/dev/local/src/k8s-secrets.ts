import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { type Overlay, overlays } from '@tds/k8s';
import { loadSurfaces } from '@tds/provisioning';
import { localDir, openSecrets, writePrivate } from '@tds/servers';
import { command, Option } from '@tds/servers/command';
import { kubernetesSecrets, secretList } from './kubernetes-secrets.ts';

const program = command(
  'npm run create-secrets:k8s --',
  'Writes the Secrets of an installation in Kubernetes as a file for kubectl apply. Existing secrets stay.',
)
  .addOption(
    new Option('--overlay <name>', 'the one that the installation is made of').choices(overlays).default('ha'),
  )
  .option('--settings <files...>', 'NAME=value lines: the settings.env of your overlay, and a file of secrets')
  .option('--namespace <name>', 'of the services', 'tds')
  .option('--to <folder>', 'where the secrets stay', path.join(localDir, 'k8s'))
  .parse();
const { overlay, settings = [], namespace, to } = program.opts();
const dir = path.resolve(to);
mkdirSync(dir, { recursive: true, mode: 0o700 });
const overrides = Object.assign(
  {},
  ...(settings as string[]).map((file) => parseEnv(readFileSync(file, 'utf8'))),
);
const secrets = await kubernetesSecrets(
  await loadSurfaces(),
  openSecrets(path.join(dir, 'secrets.json')),
  overlay as Overlay,
  overrides,
).catch((error: Error) => program.error(`error: ${error.message}`));
const file = path.join(dir, `${overlay}.json`);
writePrivate(file, `${JSON.stringify(secretList(secrets, namespace), null, 2)}\n`);
console.log(
  `${Object.keys(secrets).length} Secrets: kubectl apply --server-side -f ${path.relative('.', file)}\nKeep secrets.json beside it: without it the databases stay shut.`,
);
