import { readFileSync } from 'node:fs';
import path from 'node:path';
import { composeTemplate } from '@tds/docker';
import { workspaceRoot } from '@tds/servers';
import type {
  IContainer,
  IEnvVar,
  IPodSpec,
  IPodTemplateSpec,
  IResourceRequirements,
  IServiceAccount,
  IVolume,
  IVolumeMount,
} from 'kubernetes-models/v1';
import { parse } from 'yaml';

const NAME = 'app.kubernetes.io/name';
export const labelsOf = (name: string) => ({
  [NAME]: name,
  'app.kubernetes.io/part-of': 'transcript-delivery-service',
});
export const named = (name: string) => ({ name, labels: labelsOf(name) });
export const podsOf = (...names: string[]) => names.map((name) => ({ podSelector: selectorOf(name) }));
export const selectorOf = (name: string) => ({ matchLabels: { [NAME]: name } });

const readRoot = (file: string): string => readFileSync(path.join(workspaceRoot, file), 'utf8');
const { version } = JSON.parse(readRoot('package.json')) as { version: string };
/** An overlay names the registry, and for a release the digest. */
export const servicesImage = `tds-services:${version}`;
export const outsideImage = `tds-outside:${version}`;

type ComposeServer = { readonly image: string; readonly command: string[]; readonly environment?: object };
const compose = parse(composeTemplate(), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeServer>>;
};
/** Of variables that an installation may set in `.env`. */
const withDefaults = (text: string): string => text.replaceAll(/\$\{\w+:-([^}]+)\}/g, '$1');
/** The image and command of a server, which are those of docker-compose.yml. */
export const serverOf = (name: string) => {
  const { image = '', command = [], environment = {} } = compose.services[name] ?? {};
  return {
    image: withDefaults(image),
    command: command.map(withDefaults),
    environment: environment as Readonly<Record<string, string>>,
  };
};

/** No CPU limit: throttling would delay leases and probes, and requests share a busy machine fairly. */
export const resources = (cpu: string, memory: string, most: string): IResourceRequirements => ({
  requests: { cpu, memory },
  limits: { memory: most },
});

/** A variable of the Secret, under its own name. */
export const fromSecret = (secret: string, name: string, optional = false): IEnvVar => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key: name, ...(optional ? { optional } : {}) } },
});
export const settings = [{ configMapRef: { name: 'settings' } }];

/** The only place where containers write, beside the volumes of servers. */
export const TMP: IVolumeMount = { name: 'tmp', mountPath: '/tmp' };

export const confined: NonNullable<IContainer['securityContext']> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

type PodParts = Omit<IPodSpec, 'containers' | 'volumes'> & {
  readonly container: Omit<IContainer, 'name'>;
  /** A user of the image; 1000 is that of our own. */
  readonly user?: number;
  readonly tmp?: string;
  readonly volumes?: IVolume[];
};

/** A pod of one container within the restricted pod security standard, without a token of the cluster. */
export const podTemplate = (
  name: string,
  { container, user = 1000, tmp = '256Mi', volumes = [], ...pod }: PodParts,
  role: string,
): IPodTemplateSpec => ({
  metadata: { labels: { ...labelsOf(name), 'tds.dev/role': role } },
  spec: {
    serviceAccountName: name,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      runAsGroup: user,
      fsGroup: user,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...pod,
    containers: [
      {
        ...container,
        name,
        securityContext: confined,
        volumeMounts: [TMP, ...(container.volumeMounts ?? [])],
      },
    ],
    volumes: [{ name: 'tmp', emptyDir: { sizeLimit: tmp } }, ...volumes],
  },
});

/** The files of a Secret, where docker-compose.yml has them, too. */
export const secretFiles = (secretName: string) => ({
  mount: { name: 'secrets', mountPath: '/run/secrets', readOnly: true } satisfies IVolumeMount,
  volume: { name: 'secrets', secret: { secretName, defaultMode: 0o440 } } satisfies IVolume,
});

export const account = (name: string): IServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: named(name),
  automountServiceAccountToken: false,
});
