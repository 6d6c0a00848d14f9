import { PORTS } from '@tds/docker';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IEnvVar, IService } from 'kubernetes-models/v1';
import { account, fromSecret, named, outsideImage, podTemplate, resources, selectorOf } from './objects.ts';
import { from, kubeDns, policy, to } from './policies.ts';

type Simulator = {
  readonly part: 'platform' | 'payments' | 'mail';
  readonly ports: readonly number[];
  readonly callers: readonly string[];
  readonly env?: IEnvVar[];
};

/** The third parties of `dev`, by their names in docker-compose.yml; webhooks go nowhere there. */
export const simulators: Readonly<Record<string, Simulator>> = {
  'platform-simulator': {
    part: 'platform',
    ports: [PORTS.platform],
    callers: ['transcript-fetcher', 'search', 'monitor-scheduler'],
  },
  'payment-simulator': {
    part: 'payments',
    ports: [PORTS.payments],
    callers: ['billing', 'books'],
    env: [
      { name: 'PUBLIC_ORIGIN', value: `http://127.0.0.1:${PORTS.payments}` },
      { name: 'PAYMENT_EVENTS_URL', value: 'http://gateway/v1/billing/payment' },
      fromSecret('payment-simulator', 'PAYMENT_EVENTS_SECRET'),
    ],
  },
  'mail-catcher': {
    part: 'mail',
    ports: [PORTS.mailbox, PORTS.smtp],
    callers: ['identity'],
    env: [{ name: 'SMTP_PORT', value: String(PORTS.smtp) }],
  },
};

const deployment = (name: string, { part, ports, env = [] }: Simulator): IDeployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: named(name),
  spec: {
    replicas: 1,
    selector: selectorOf(name),
    template: podTemplate(
      name,
      {
        container: {
          image: outsideImage,
          args: [part],
          env: [
            { name: 'HOST', value: '0.0.0.0' },
            { name: 'PORT', value: String(ports[0]) },
            ...(part === 'mail' ? [] : [{ name: 'NAME', value: name }]),
            ...env,
          ],
          ports: ports.map((containerPort) => ({ containerPort })),
          readinessProbe: { tcpSocket: { port: Number(ports[0]) } },
          livenessProbe: { tcpSocket: { port: Number(ports[0]) }, periodSeconds: 20 },
          resources: resources('50m', '96Mi', '384Mi'),
        },
      },
      'simulator',
    ),
  },
});

const service = (name: string, { ports }: Simulator): IService => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: named(name),
  spec: {
    selector: selectorOf(name).matchLabels,
    ports: ports.map((port) => ({ name: `tcp-${port}`, port })),
  },
});

/** Both sides: callers may reach it, and the payment processor the gateway. */
const policies = (name: string, { part, ports, callers }: Simulator) => [
  policy(
    name,
    ports.map((port) => from(callers, port)),
    part === 'payments' ? [kubeDns, to('gateway', PORTS.http)] : [],
  ),
  ...callers.map((caller) =>
    policy(
      `${caller}-to-${name}`,
      [],
      ports.map((port) => to(name, port)),
      selectorOf(caller),
    ),
  ),
];

export const simulatorObjects = () => [
  ...Object.entries(simulators).flatMap(([name, one]) => [
    deployment(name, one),
    service(name, one),
    account(name),
    ...policies(name, one),
  ]),
  policy(
    'gateway-from-payment-simulator',
    [from(['payment-simulator'], PORTS.http)],
    [],
    selectorOf('gateway'),
  ),
];
