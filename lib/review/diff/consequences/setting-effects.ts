import { type Inline, listed } from '../formats/page';
import type { SettingEffect } from './proxy-settings';

const MAX_NAMES = 12;

type EffectText = (of: readonly string[]) => readonly Inline[];

const listing =
  (before: string, after = ''): EffectText =>
  (of) => [before, ...listed(of, MAX_NAMES), ...(after === '' ? [] : [after])];

export const SETTING_EFFECTS: Readonly<Record<SettingEffect, EffectText>> = {
  'access-log': () => ['Proxies write another access log'],
  'debug-container': () => ['The debug container, which can read the traffic of its pod, is added, removed or changed'],
  'gateway-closed': () => ['Other clusters can no longer reach services through this gateway'],
  'gateway-opened': () => ['Other clusters can reach services of this cluster through this gateway'],
  'identity-not-required': listing('Clients without an identity are allowed at the ports '),
  'identity-required': listing('Clients without an identity are refused at the ports '),
  image: () => ['Proxies use another image'],
  'inbound-leaves-proxy': listing(
    'Connections to the ports ',
    ' bypass the proxy: without mTLS, and any client is allowed',
  ),
  'inbound-returns-to-proxy': listing(
    'Connections to the ports ',
    ' pass the proxy again: clients that no policy allows are refused',
  ),
  lifecycle: () => ['Proxies start or stop at another time relative to their containers'],
  'load-balancing': () => ['Clients balance requests differently'],
  log: () => ['Proxies log differently'],
  'opaque-ports-added': listing(
    'The protocol of the ports ',
    ' is no longer detected: they carry TCP with mTLS, without routes, retries, per-request metrics or request policies',
  ),
  'opaque-ports-removed': listing(
    'The protocol of the ports ',
    ' is detected: if the server speaks first, each connection waits 10 seconds',
  ),
  'outbound-leaves-proxy': listing(
    'Connections to the ports ',
    ' of other workloads bypass the proxy: no mTLS, and servers that require an identity refuse them',
  ),
  'outbound-returns-to-proxy': listing('Connections to the ports ', ' of other workloads go through the proxy again'),
  'policy-admits': (of) => [`Ports without a Server allow ${of.join(', ')}`],
  'policy-audits': listing('The default policy changes, but allows the same clients: '),
  'policy-refuses': (of) => [`Ports without a Server refuse ${of.join(', ')}`],
  'policy-unknown': listing('The effect of a default policy is unknown: '),
  'proxy-added': () => ['Pods get a proxy'],
  'proxy-ports': () => ['Proxies listen on other ports: adapt scrapers, probes and network policies'],
  'proxy-removed': () => [
    'Pods lose their proxy: no mTLS, no policy protects them, and servers that require an identity refuse them',
  ],
  resources: () => ['Proxies request other resources'],
  routing: () => ['Proxies detect their ports and hosts differently'],
  'subnets-leave-proxy': listing('Connections from ', ' bypass the proxy: no mTLS, no policy'),
  'subnets-return-to-proxy': listing(
    'Connections from ',
    ' pass the proxy again: clients that no policy allows are refused',
  ),
  timeouts: () => ['Timeouts or retries of proxies change'],
  tracing: () => ['Traces are sent to another collector, or contain other data'],
  unknown: () => ['Linkerd may read this setting; its consequences are unknown'],
  user: () => ['Proxies run as another user'],
  variables: () => ['Environment variables of proxies change'],
};
