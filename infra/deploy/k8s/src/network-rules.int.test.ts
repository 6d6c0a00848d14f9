import { routeTable } from '@tds/http-api';
import type { Rendered } from './test-support/rendered.ts';
import { type Any, configs, holdRules, kindsOf, nameOf, podsOf, type Rule } from './test-support/rules.ts';

const NAME = 'app.kubernetes.io/name';
const policiesOf = (objects: readonly Rendered[]) => kindsOf(objects, 'NetworkPolicy');
const selects = (policy: Rendered, name: string) =>
  (policy.spec.podSelector.matchLabels?.[NAME] ?? name) === name;

/** `pod -> server:port` of one direction. */
const flowsOf = (objects: readonly Rendered[], direction: 'egress' | 'ingress'): string[] =>
  policiesOf(objects).flatMap(({ spec }) =>
    (spec[direction] ?? []).flatMap((rule: Any) =>
      (rule.to ?? rule.from ?? []).flatMap((peer: Any) => {
        const other = peer.namespaceSelector ? undefined : peer.podSelector?.matchLabels[NAME];
        const own = spec.podSelector.matchLabels?.[NAME];
        const [from, to] = direction === 'egress' ? [own, other] : [other, own];
        return other ? rule.ports.map(({ port }: Any) => `${from} -> ${to}:${port}`) : [];
      }),
    ),
  );
const internetPeers = (objects: readonly Rendered[]) =>
  policiesOf(objects).flatMap((policy) =>
    (policy.spec.egress ?? []).flatMap((rule: Any) =>
      (rule.to ?? [])
        .filter(({ ipBlock }: Any) => ipBlock?.cidr.endsWith('/0'))
        .map(({ ipBlock }: Any) => ({ name: policy.spec.podSelector.matchLabels?.[NAME], ipBlock })),
    ),
  );
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
      policyNamed(objects, 'search').spec.egress.splice(1, 1);
    },
  },
  {
    promise: 'only services with a third party, backups and the books reach the Internet',
    breaches: (objects) => {
      const may = Object.keys(configs).filter((name) => (configs[name]?.outside ?? []).length > 0);
      return internetPeers(objects).filter(({ name }) => ![...may, 'books', 'postgres'].includes(name));
    },
    mutate: (objects) => {
      const open = policyNamed(objects, 'billing').spec.egress.at(-1);
      policyNamed(objects, 'archiver').spec.egress.push(open);
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
      const [{ ipBlock }] = policyNamed(objects, 'webhook-dispatcher').spec.egress.at(-1).to;
      ipBlock.except = ipBlock.except.filter((range: string) => range !== '169.254.0.0/16');
    },
  },
  {
    promise: 'there is one public way in, to the gateway',
    breaches: (objects) => [
      ...kindsOf(objects, 'Service').filter(({ spec }) => /LoadBalancer|NodePort/.test(spec.type ?? '')),
      ...kindsOf(objects, 'Ingress').filter(
        ({ spec }) => !spec.tls || /"name":"(?!gateway|http)/.test(JSON.stringify(spec.rules)),
      ),
      ...policiesOf(objects).filter(
        (policy) => JSON.stringify(policy).includes('tds.dev/ingress') && !selects(policy, 'gateway'),
      ),
      ...podsOf(objects).filter(({ spec }) => spec.hostNetwork || /hostPort/.test(JSON.stringify(spec))),
    ],
    mutate: (objects) => {
      (kindsOf(objects, 'Service')[0] as Any).spec.type = 'LoadBalancer';
    },
  },
  {
    promise: 'the way in admits the largest body of the API, and passes a stream on as it comes',
    breaches: (objects) =>
      kindsOf(objects, 'Ingress').filter(({ metadata: { annotations = {} } }) => {
        const [, mib = 0] = /^(\d+)m$/.exec(annotations['nginx.ingress.kubernetes.io/proxy-body-size']) ?? [];
        const isLarge = routeTable.every(
          ({ largestBodyBytes = 0 }) => largestBodyBytes < Number(mib) * 1_024 ** 2,
        );
        return !isLarge || annotations['nginx.ingress.kubernetes.io/proxy-buffering'] !== 'off';
      }),
    mutate: (objects) => {
      delete (kindsOf(objects, 'Ingress')[0] as Any).metadata.annotations[
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
      return kindsOf(objects, 'PodMonitor').filter((one) => !open.includes(ports[nameOf(one)]));
    },
    mutate: (objects) => {
      policyNamed(objects, 'postgres-operator').spec.ingress.pop();
    },
  },
];

holdRules(rules);
