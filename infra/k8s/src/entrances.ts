import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { routeTable } from '@tds/http-api';
import type { IIngress } from 'kubernetes-models/networking.k8s.io/v1';
import { named } from './objects.ts';
import { baseSettings } from './places.ts';
import { SERVICE_PORT } from './service.ts';

const HOST = new URL(String(baseSettings.PUBLIC_URL)).host;

const MIB = 1_024 ** 2;
const MAX_BODY_MIB = Math.max(...routeTable.map(({ largestBodyBytes = 0 }) => largestBodyBytes)) / MIB;

/**
 * By default ingress-nginx takes 1 MiB. One more than the API takes, so that the gateway says itself what is too large. Its 60 s of
 * silence are enough: a stream has a heartbeat every ten seconds, and no answer begins later than after thirty.
 */
export const ingress: IIngress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    ...named('gateway'),
    annotations: {
      'nginx.ingress.kubernetes.io/proxy-body-size': `${Math.ceil(MAX_BODY_MIB) + 1}m`,
      'nginx.ingress.kubernetes.io/proxy-buffering': 'off',
    },
  },
  spec: {
    ingressClassName: 'nginx',
    tls: [{ hosts: [HOST], secretName: 'gateway-tls' }],
    rules: [
      {
        host: HOST,
        http: {
          paths: [
            {
              path: '/',
              pathType: 'Prefix',
              backend: { service: { name: 'gateway', port: { name: 'http' } } },
            },
          ],
        },
      },
    ],
  },
};

/** On a Gateway that an installation names. Without a limit of time: services have theirs. */
export const httpRoute: IHTTPRoute = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: named('gateway'),
  spec: {
    parentRefs: [{ name: 'public', namespace: 'gateways' }],
    hostnames: [HOST],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        timeouts: { request: '0s' },
        backendRefs: [{ name: 'gateway', port: SERVICE_PORT }],
      },
    ],
  },
};
