import { LAST_RESORT_MS } from '@tds/kit';
import { serviceNames } from '@tds/provisioning';
import {
  type Any,
  configs,
  containersOf,
  filterKinds,
  holdRules,
  listPods,
  nameOf,
  podNamed,
  type Rule,
  servicePods,
} from './test-support/rules.ts';

const rules: readonly Rule[] = [
  {
    promise: 'a pod is restricted: no root, no capability, no writable image, no privilege to gain',
    breaches: (objects) =>
      listPods(objects).filter(
        (pod) =>
          pod.spec.securityContext.runAsNonRoot !== true ||
          !(pod.spec.securityContext.runAsUser > 0) ||
          pod.spec.securityContext.seccompProfile.type !== 'RuntimeDefault' ||
          containersOf(pod).some(
            ({ securityContext: own }) =>
              own?.readOnlyRootFilesystem !== true ||
              own.allowPrivilegeEscalation !== false ||
              own.capabilities.drop[0] !== 'ALL',
          ),
      ),
    mutate: (objects) => {
      podNamed(objects, 'search').spec.containers[0].securityContext.readOnlyRootFilesystem = false;
    },
  },
  {
    promise: 'the namespace admits restricted pods only',
    breaches: (objects) =>
      filterKinds(objects, 'Namespace').filter(
        ({ metadata }) => metadata.labels['pod-security.kubernetes.io/enforce'] !== 'restricted',
      ),
    mutate: (objects) => {
      const [namespace] = filterKinds(objects, 'Namespace');
      (namespace as Any).metadata.labels['pod-security.kubernetes.io/enforce'] = 'baseline';
    },
  },
  {
    promise: 'a pod has an account of its own and no token of the cluster',
    breaches: (objects) => {
      const accounts = filterKinds(objects, 'ServiceAccount').map(nameOf);
      return listPods(objects).filter(
        ({ name, spec }) =>
          spec.serviceAccountName !== name ||
          !accounts.includes(name) ||
          spec.automountServiceAccountToken !== false,
      );
    },
    mutate: (objects) => {
      podNamed(objects, 'search').spec.automountServiceAccountToken = true;
    },
  },
  {
    promise: 'an image has a version',
    breaches: (objects) =>
      listPods(objects)
        .flatMap(containersOf)
        .filter(({ image }) => !/(:[^:]*\d[^:]*|@sha256:[0-9a-f]{64})$/.test(image)),
    mutate: (objects) => {
      podNamed(objects, 'search').spec.containers[0].image = 'tds-services:latest';
    },
  },
  {
    promise: 'a service takes requests when it is ready, and is restarted only if its event loop stands still',
    breaches: (objects) =>
      servicePods(objects).filter(({ spec }) => {
        const [{ startupProbe, readinessProbe, livenessProbe }] = spec.containers;
        const probes = [startupProbe, readinessProbe, livenessProbe].map((one) => one?.httpGet);
        const isHealth = probes.every((one) => one?.port === 'health');
        return !isHealth || probes.map(({ path }) => path).join(' ') !== '/ready /ready /live';
      }),
    mutate: (objects) => {
      podNamed(objects, 'search').spec.containers[0].livenessProbe.httpGet.path = '/ready';
    },
  },
  {
    promise: 'a service has longer to end than it takes at most, after the seconds in which the gateway drains',
    breaches: (objects) =>
      servicePods(objects).filter(({ name, spec }) => {
        const drain = spec.containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
        const isDrained = name !== 'gateway' || drain >= 5;
        return !isDrained || spec.terminationGracePeriodSeconds <= drain + LAST_RESORT_MS / 1_000;
      }),
    mutate: (objects) => {
      podNamed(objects, 'gateway').spec.terminationGracePeriodSeconds = 30;
    },
  },
  {
    promise: 'a container requests CPU and memory, is bounded in memory, and is never throttled',
    breaches: (objects) =>
      listPods(objects)
        .flatMap(containersOf)
        .filter(
          ({ resources: { requests, limits } = {} as Any }) =>
            !(requests?.cpu && requests.memory && limits?.memory) || limits.cpu,
        ),
    mutate: (objects) => {
      podNamed(objects, 'search').spec.containers[0].resources.limits.cpu = '1';
    },
  },
  {
    promise: 'no value of a secret stands in a manifest',
    breaches: (objects) => {
      const secret = new Set(Object.values(configs).flatMap(({ secrets }) => secrets.map(({ name }) => name)));
      const literal = listPods(objects)
        .flatMap(containersOf)
        .flatMap(({ env = [] }) => env);
      return [
        ...literal.filter(({ name, value }) => value !== undefined && secret.has(name)),
        ...filterKinds(objects, 'ConfigMap').flatMap(({ data }) =>
          Object.keys(data).filter((key) => secret.has(key)),
        ),
        ...filterKinds(objects, 'Secret'),
      ];
    },
    mutate: (objects) => {
      const [map] = filterKinds(objects, 'ConfigMap');
      (map as Any).data.SMTP_URL = 'smtps://user:password@mail.example.com';
    },
  },
  {
    promise: 'a pod reads its own Secret and no other',
    breaches: (objects) =>
      listPods(objects).filter((pod) => {
        const references = [
          ...containersOf(pod).flatMap(({ env = [], envFrom = [] }) => [...env, ...envFrom]),
          ...(pod.spec.volumes ?? []),
        ];
        const names = references.map(
          (one) =>
            one.valueFrom?.secretKeyRef?.name ?? one.secretRef?.name ?? one.secret?.secretName ?? pod.name,
        );
        return names.some((name) => name !== pod.name);
      }),
    mutate: (objects) => {
      const [container] = podNamed(objects, 'search').spec.containers;
      container.env.find((one: Any) => one.valueFrom?.secretKeyRef).valueFrom.secretKeyRef.name = 'billing';
    },
  },
  {
    promise: 'a service runs its own code with the secrets that it declares, and no other',
    breaches: (objects) =>
      servicePods(objects).filter(({ name, spec }) => {
        const [{ workingDir, env }] = spec.containers;
        const referred = env
          .flatMap((one: Any) => one.valueFrom?.secretKeyRef ?? [])
          .map(({ key, optional = false }: Any) => `${key} ${optional}`);
        const declared = configs[name]?.secrets.map((one) => `${one.name} ${one.optional}`) ?? [];
        const isSame = referred.toSorted().join() === declared.toSorted().join();
        return !isSame || workingDir !== `/app/services/${name}`;
      }),
    mutate: (objects) => {
      const [container] = podNamed(objects, 'identity').spec.containers;
      container.env = container.env.filter(({ name }: Any) => name !== 'PEPPER');
    },
  },
  {
    promise: 'a drained machine takes one instance at a time, also while the broker is away',
    breaches: (objects) => {
      const budgets = filterKinds(objects, 'PodDisruptionBudget').filter(
        ({ spec }) => spec.maxUnavailable === 1 && spec.unhealthyPodEvictionPolicy === 'AlwaysAllow',
      );
      const kept = budgets.map(nameOf);
      const stateful = filterKinds(objects, 'StatefulSet').map(nameOf);
      return [...serviceNames, ...stateful].filter((name) => !kept.includes(name));
    },
    mutate: (objects) => {
      const budget = filterKinds(objects, 'PodDisruptionBudget').find((one) => nameOf(one) === 'search');
      (budget as Any).spec.maxUnavailable = 0;
    },
  },
  {
    promise: 'instances of a service stand on different machines, and a rollout never takes one away first',
    breaches: (objects) =>
      servicePods(objects).filter(
        ({ owner, spec }) =>
          owner.spec.strategy.rollingUpdate.maxUnavailable !== 0 ||
          !spec.topologySpreadConstraints?.some(
            (one: Any) =>
              one.topologyKey === 'kubernetes.io/hostname' && one.whenUnsatisfiable === 'DoNotSchedule',
          ),
      ),
    mutate: (objects) => {
      podNamed(objects, 'search').spec.topologySpreadConstraints = [];
    },
  },
  {
    promise: 'the next release creates a job anew, also by Argo CD and Flux: a template cannot be changed',
    breaches: (objects) =>
      filterKinds(objects, 'Job').filter(({ metadata: { annotations = {} } }) => {
        const byArgo = annotations['argocd.argoproj.io/hook-delete-policy'] === 'BeforeHookCreation';
        const byFlux = annotations['kustomize.toolkit.fluxcd.io/force'] === 'enabled';
        return !(byArgo && annotations['argocd.argoproj.io/hook'] === 'Sync' && byFlux);
      }),
    mutate: (objects) => {
      delete (filterKinds(objects, 'Job')[0] as Any).metadata.annotations['kustomize.toolkit.fluxcd.io/force'];
    },
  },
];

holdRules(rules);
