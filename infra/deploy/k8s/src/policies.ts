import { type Network, PORTS } from '@tds/docker';
import type {
  INetworkPolicy,
  INetworkPolicyEgressRule,
  INetworkPolicyIngressRule,
} from 'kubernetes-models/networking.k8s.io/v1';
import { named, podsOf, selectorOf } from './objects.ts';

const port = (number: number, protocol: 'TCP' | 'UDP' = 'TCP') => ({ protocol, port: number });
export const to = (pod: string, number: number): INetworkPolicyEgressRule => ({
  to: podsOf(pod),
  ports: [port(number)],
});
export const from = (pods: readonly string[], number: number): INetworkPolicyIngressRule => ({
  from: podsOf(...pods),
  ports: [port(number)],
});
const fromNamespaces = (label: string, number: number): INetworkPolicyIngressRule => ({
  from: [{ namespaceSelector: { matchLabels: { [label]: 'true' } } }],
  ports: [port(number)],
});

const kubeDns: INetworkPolicyEgressRule = {
  to: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    },
  ],
  ports: [port(53, 'UDP'), port(53)],
};

/** Private and special ranges: nothing in the cluster or on its machines is reached by way of the Internet. */
const PRIVATE = {
  '0.0.0.0/0': [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  ],
  '::/0': ['::1/128', '64:ff9b::/96', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
};
export const internet = (...ports: number[]): INetworkPolicyEgressRule => ({
  to: Object.entries(PRIVATE).map(([cidr, except]) => ({ ipBlock: { cidr, except } })),
  ports: ports.map((number) => port(number)),
});

const MONITORING = 'tds.dev/monitoring';

/** The pods of servers, by the network in which they stand alone. */
const servers = {
  postgres: PORTS.postgres,
  nats: PORTS.nats,
  redis: PORTS.redis,
  'redis-cache': PORTS.redis,
} as const satisfies Partial<Record<Network, number>>;
type Server = keyof typeof servers;
const isServer = (network: Network): network is Server => network in servers;

/** Where a network leads to if no server stands in it; undefined for the bucket, which its component opens. */
const egressOf: Partial<Record<Network, INetworkPolicyEgressRule>> = {
  platform: internet(443),
  processor: internet(443),
  receivers: internet(443),
  smtp: internet(25, 465, 587),
};
const ingressOf: Partial<Record<Network, INetworkPolicyIngressRule>> = {
  measures: fromNamespaces(MONITORING, PORTS.health),
  front: fromNamespaces('tds.dev/ingress', PORTS.http),
};

export const policy = (
  name: string,
  ingress: INetworkPolicyIngressRule[],
  egress: INetworkPolicyEgressRule[],
  podSelector: NonNullable<INetworkPolicy['spec']>['podSelector'] = selectorOf(name),
): INetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: named(name),
  spec: { podSelector, policyTypes: ['Ingress', 'Egress'], ingress, egress },
});

/** What a pod reaches and is reached by, of its networks. */
export const podPolicy = (name: string, networks: readonly Network[]): INetworkPolicy =>
  policy(
    name,
    networks.flatMap((network) => ingressOf[network] ?? []),
    [
      kubeDns,
      ...networks.flatMap((network) =>
        isServer(network) ? to(network, servers[network]) : (egressOf[network] ?? []),
      ),
    ],
  );

type Reach = Readonly<Record<string, readonly Network[]>>;

/** What the pods of `jobs.yaml` reach. */
export const jobReach: Reach = {
  databases: ['postgres'],
  streams: ['nats'],
  books: ['postgres', 'processor'],
};

/** The other side: nothing reaches or leaves a pod by default, and a server is open to the pods in its network. */
export const serverPolicies = (reach: Reach): INetworkPolicy[] => [
  policy('default-deny', [], [], {}),
  ...(Object.keys(servers) as Server[]).map((server) => {
    const members = Object.keys(reach).filter((name) => reach[name]?.includes(server));
    const isBroker = server === 'nats';
    return policy(
      server,
      [from(members, servers[server]), ...(isBroker ? [from(['nats'], PORTS.natsRoutes)] : [])],
      isBroker ? [kubeDns, to('nats', PORTS.natsRoutes)] : [],
    );
  }),
];
