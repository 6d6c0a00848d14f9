import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '@tds/servers';
import type {
  IContainer,
  IEnvVar,
  IPodSpec,
  IPodTemplateSpec,
  IResourceRequirements,
  IServiceAccount,
  IVolumeMount,
} from 'kubernetes-models/v1';

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

/** The only place where our containers write. */
export const TMP: IVolumeMount = { name: 'tmp', mountPath: '/tmp' };

export const confined: NonNullable<IContainer['securityContext']> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

type PodParts = Omit<IPodSpec, 'containers' | 'volumes'> & {
  readonly container: Omit<IContainer, 'name'>;
  readonly tmp?: string;
  /** Files of a ConfigMap that an installation may have or not. */
  readonly files?: { readonly configMap: string; readonly mountPath: string } | undefined;
};

/** The user of our own images. */
const USER = 1_000;

/** A pod of one container within the restricted pod security standard, without a token of the cluster. */
export const podTemplate = (
  name: string,
  { container, tmp = '256Mi', files, ...pod }: PodParts,
): IPodTemplateSpec => ({
  metadata: { labels: { ...labelsOf(name), 'tds.dev/role': 'service' } },
  spec: {
    serviceAccountName: name,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...pod,
    containers: [
      {
        ...container,
        name,
        securityContext: confined,
        volumeMounts: [
          TMP,
          ...(files ? [{ name: files.configMap, mountPath: files.mountPath, readOnly: true }] : []),
        ],
      },
    ],
    volumes: [
      { name: 'tmp', emptyDir: { sizeLimit: tmp } },
      ...(files ? [{ name: files.configMap, configMap: { name: files.configMap, optional: true } }] : []),
    ],
  },
});

export const account = (name: string): IServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: named(name),
  automountServiceAccountToken: false,
});
