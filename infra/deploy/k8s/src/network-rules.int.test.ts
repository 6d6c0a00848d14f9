import { listNetworks, PORTS } from '@tds/docker';
import { routeTable } from '@tds/http-api';
import { serviceNames } from '@tds/provisioning';
import type { Rendered } from './test-support/rendered.ts';
import {
  type Any,
  configs,
  filterKinds,
  holdRules,
  listPods,
  nameOf,
  type Rule,
} from './test-support/rules.ts';

const NAME = 'app.kubernetes.io/name';
const policiesOf = (objects: readonly Rendered[]) => filterKinds(objects, 'NetworkPolicy');
/** The pods of a selector: one by its name, some by a list of names, or all services. */
const selectedBy = ({ matchLabels = {}, matchExpressions = [] }: Any): readonly string[] => {
  if (matchLabels['tds.dev/role'] === 'service') return serviceNames;
  return matchLabels[NAME] ? [matchLabels[NAME]] : matchExpressions.flatMap(({ values }: Any) => values);
};

/** `pod -> server:port` of one direction. */
const flowsOf = (objects: readonly Rendered[], direction: 'egress' | 'ingress'): string[] =>
  policiesOf(objects).flatMap(({ spec }) =>
    (spec[direction] ?? []).flatMap((rule: Any) =>
      (rule.to ?? rule.from ?? [])
        .filter((peer: Any) => peer.podSelector && !peer.namespaceSelector)
        .flatMap(({ podSelector }: Any) => {
          const sides = [selectedBy(spec.podSelector), selectedBy(podSelector)];
          const [from = [], to = []] = direction === 'egress' ? sides : sides.toReversed();
          return from.flatMap((one) =>
            to.flatMap((other) => rule.ports.map(({ port }: Any) => `${one} -> ${other}:${port}`)),
          );
        }),
    ),
  );
const internetPeers = (objects: readonly Rendered[]) =>
  policiesOf(objects).flatMap(({ spec }) =>
    (spec.egress ?? []).flatMap((rule: Any) =>
      (rule.to ?? [])
        .filter(({ ipBlock }: Any) => ipBlock?.cidr.endsWith('/0'))
        .flatMap(({ ipBlock }: Any) => selectedBy(spec.podSelector).map((name) => ({ name, ipBlock, rule }))),
    ),
  );
const SERVERS = {
  postgres: PORTS.postgres,
  nats: PORTS.nats,
  redis: PORTS.redis,
  'redis-cache': PORTS.redis,
} as const;
const isServer = (name: string): name is keyof typeof SERVERS => name in SERVERS;
const MAIL_PORTS = '25,465,587';
/** What a service reaches, by its configuration: servers by name, third parties by their ports. */
const reachOf = (name: string): string[] => {
  const networks = listNetworks(configs[name] as Any);
  const outside = configs[name]?.outside ?? [];
  return [
    ...networks.flatMap((network) => (isServer(network) ? [`${name} -> ${network}:${SERVERS[network]}`] : [])),
    ...(outside.includes('smtp') ? [`${name} -> ${MAIL_PORTS}`] : []),
    ...(outside.some((network) => network !== 'smtp') ? [`${name} -> 443`] : []),
  ];
};
const policyNamed = (objects: readonly Rendered[], name: string): Any =>
  policiesOf(objects).find((one) => nameOf(one) === name);

const rules: readonly Rule[] = [
  {
    promise: 'nothing reaches or leaves a pod unless a policy says so',
    breaches: (objects) => {
      const deny = policiesOf(objects).some(
        ({ spec }) =>
          !spec.podSelector.matchLabels &&
          spec.policyTypes.join() === 'Ingress,Egress' &&
          !(spec.ingress?.length || spec.egress?.length),
      );
      return deny ? [] : ['no default deny'];
    },
    mutate: (objects) => {
      policyNamed(objects, 'default-deny').spec.policyTypes = ['Ingress'];
    },
  },
  {
    promise: 'what one side of a connection opens, the other side opens, too',
    breaches: (objects) => {
      const [out, into] = [flowsOf(objects, 'egress'), flowsOf(objects, 'ingress')];
      return [...out.filter((flow) => !into.includes(flow)), ...into.filter((flow) => !out.includes(flow))];
    },
    mutate: (objects) => {
      policyNamed(objects, 'services').spec.egress.splice(1, 1);
    },
  },
  {
    promise: 'a service reaches the servers and third parties of its configuration, and no other',
    breaches: (objects) => {
      const wanted = serviceNames.flatMap(reachOf);
      const isServices = (flow: string) => serviceNames.includes(flow.split(' ')[0] ?? '');
      const opened = [
        ...flowsOf(objects, 'egress').filter((flow) => /:(5432|4222|6379)$/.test(flow)),
        ...internetPeers(objects).map(
          ({ name, rule }) => `${name} -> ${rule.ports.map(({ port }: Any) => port).join()}`,
        ),
      ].filter(isServices);
      return [...new Set([...wanted, ...opened])].filter(
        (flow) => !(wanted.includes(flow) && opened.includes(flow)),
      );
    },
    mutate: (objects) => {
      const [{ values }] = policyNamed(objects, 'to-redis').spec.podSelector.matchExpressions;
      values.push('archiver');
    },
  },
  {
    promise: 'only services with a third party, backups and the books reach the Internet',
    breaches: (objects) => {
      const may = Object.keys(configs).filter((name) => (configs[name]?.outside ?? []).length > 0);
      return internetPeers(objects).filter(({ name }) => ![...may, 'books', 'postgres'].includes(name));
    },
    mutate: (objects) => {
      const open = policyNamed(objects, 'to-internet').spec.egress.at(-1);
      policyNamed(objects, 'nats').spec.egress.push(open);
    },
  },
  {
    promise: 'no way to the Internet leads to a private or special range',
    breaches: (objects) =>
      internetPeers(objects).filter(({ ipBlock: { cidr, except } }) => {
        const closed =
          cidr === '::/0'
            ? ['fc00::/7', 'fe80::/10', '::1/128']
            : ['10.0.0.0/8', '169.254.0.0/16', '127.0.0.0/8'];
        return closed.some((range) => !except.includes(range));
      }),
    mutate: (objects) => {
      const [{ ipBlock }] = policyNamed(objects, 'to-internet').spec.egress.at(-1).to;
      ipBlock.except = ipBlock.except.filter((range: string) => range !== '169.254.0.0/16');
    },
  },
  {
    promise: 'there is one public way in, to the gateway',
    breaches: (objects) => [
      ...filterKinds(objects, 'Service').filter(({ spec }) => /LoadBalancer|NodePort/.test(spec.type ?? '')),
      ...filterKinds(objects, 'Ingress').filter(
        ({ spec }) => !spec.tls || /"name":"(?!gateway|http)/.test(JSON.stringify(spec.rules)),
      ),
      ...policiesOf(objects).filter(
        (policy) =>
          JSON.stringify(policy).includes('tds.dev/ingress') &&
          selectedBy(policy.spec.podSelector).join() !== 'gateway',
      ),
      ...listPods(objects).filter(({ spec }) => spec.hostNetwork || /hostPort/.test(JSON.stringify(spec))),
    ],
    mutate: (objects) => {
      (filterKinds(objects, 'Service')[0] as Any).spec.type = 'LoadBalancer';
    },
  },
  {
    promise: 'the way in admits the largest body of the API, and passes a stream on as it comes',
    breaches: (objects) =>
      filterKinds(objects, 'Ingress').filter(({ metadata: { annotations = {} } }) => {
        const [, mib = 0] = /^(\d+)m$/.exec(annotations['nginx.ingress.kubernetes.io/proxy-body-size']) ?? [];
        const isLarge = routeTable.every(
          ({ largestBodyBytes = 0 }) => largestBodyBytes < Number(mib) * 1_024 ** 2,
        );
        return !isLarge || annotations['nginx.ingress.kubernetes.io/proxy-buffering'] !== 'off';
      }),
    mutate: (objects) => {
      delete (filterKinds(objects, 'Ingress')[0] as Any).metadata.annotations[
        'nginx.ingress.kubernetes.io/proxy-body-size'
      ];
    },
  },
  {
    promise: 'what monitoring scrapes is open to it',
    breaches: (objects) => {
      const ports = { services: 9_090, postgres: 9_187 } as Readonly<Record<string, number>>;
      const open = policiesOf(objects)
        .flatMap(({ spec }) => spec.ingress ?? [])
        .filter(({ from }: Any) => JSON.stringify(from).includes('tds.dev/monitoring'))
        .flatMap((rule: Any) => rule.ports.map(({ port }: Any) => port));
      return filterKinds(objects, 'PodMonitor').filter((one) => !open.includes(ports[nameOf(one)]));
    },
    mutate: (objects) => {
      policyNamed(objects, 'postgres-operator').spec.ingress.pop();
    },
  },
];

holdRules(rules);
