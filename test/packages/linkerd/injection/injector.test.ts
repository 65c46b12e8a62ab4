import { overlayValues, type Values } from '#base/values';
import { checkInjection } from '#linkerd/injection/check-injection';
import { injectorOf } from '#linkerd/injection/injector';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { CONTROL_PLANE } from '#linkerd/releases/groups/control-plane';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { releaseInjector } from '#linkerd/releases/release-injector';

const LAST = ['edge-26.8.3', 'edge-26.5.1', 'edge-25.11.2', 'stable-2.14.10'] as const;

function problemsOf(version: LinkerdVersion, values: Values): readonly string[] {
  const release = releaseOf(version);
  return checkInjection(overlayValues(defaultsOf(release).controlPlane, values), releaseInjector(release)).map(
    ({ code, about }) => `${code} ${about}`,
  );
}

/**
 * Values with their problem in the last release of each group. A group that is not listed has the problem of the next
 * newer one.
 */
const DIFFERENCES: readonly (readonly [values: Values, problems: Partial<Record<(typeof LAST)[number], string>>])[] = [
  [
    { podMonitor: { proxy: { honorTimestamps: 'yes' } } },
    { 'edge-26.8.3': 'injected-value-refused values.podMonitor.proxy.honorTimestamps', 'edge-26.5.1': '' },
  ],
  [
    { proxy: { nativeSidecar: true, waitBeforeExitSeconds: 5 } },
    {
      'edge-26.8.3': '',
      'edge-26.5.1': 'injected-value-refused values.proxy.waitBeforeExitSeconds',
      'stable-2.14.10': '',
    },
  ],
  [{ proxy: { nativeSidecar: false, waitBeforeExitSeconds: 5 } }, { 'edge-26.8.3': '' }],
  [
    { proxyInit: { image: { version: null } } },
    { 'edge-26.8.3': '', 'edge-25.11.2': 'injected-value-missing values.proxyInit.image.version' },
  ],
  [
    { proxyInit: { image: null } },
    { 'edge-26.8.3': '', 'edge-25.11.2': 'injected-value-missing values.proxyInit.image' },
  ],
  [
    { proxyInit: { resources: null } },
    { 'edge-26.8.3': '', 'stable-2.14.10': 'injected-value-missing values.proxyInit.resources' },
  ],
  [
    { proxy: { logHTTPHeaders: 'all' } },
    { 'edge-26.8.3': 'injected-value-refused values.proxy.logHTTPHeaders', 'stable-2.14.10': '' },
  ],
  [
    { proxy: { tracing: { enabled: true, collector: { endpoint: 'a:1', meshIdentity: { namespace: 'a' } } } } },
    { 'edge-26.8.3': 'injected-value-missing values.proxy.tracing.collector.meshIdentity', 'stable-2.14.10': '' },
  ],
  [
    { proxy: { additionalEnv: [{ name: 'A', value: 'b', valueFrom: {} }] } },
    { 'edge-26.8.3': 'injected-value-refused values.proxy.additionalEnv[0]', 'stable-2.14.10': '' },
  ],
  [
    { networkValidator: { securityContext: { privileged: true, allowPrivilegeEscalation: false } } },
    {
      'edge-26.8.3': 'injected-value-refused values.networkValidator.securityContext.privileged',
      'stable-2.14.10': '',
    },
  ],
  [
    { networkValidator: { connectAddr: '' } },
    { 'edge-26.8.3': '', 'stable-2.14.10': 'injected-value-missing values.networkValidator.connectAddr' },
  ],
  [
    { networkValidator: { listenAddr: '[::]:4140' } },
    { 'edge-26.8.3': '', 'stable-2.14.10': 'injected-value-refused values.networkValidator.listenAddr' },
  ],
  [
    { proxy: { defaultInboundPolicy: 'audit' } },
    { 'edge-26.8.3': '', 'stable-2.14.10': 'injected-value-refused values.proxy.defaultInboundPolicy' },
  ],
  [
    { controlPlaneTracing: 'yes' },
    { 'edge-26.8.3': '', 'stable-2.14.10': 'injected-value-refused values.controlPlaneTracing' },
  ],
  [{ proxyInit: { iptablesMode: 'plain' } }, { 'edge-26.8.3': 'injected-value-refused values.proxyInit.iptablesMode' }],
  [{ proxy: { metrics: null, startupProbe: null } }, { 'stable-2.14.10': '' }],
];

describe.each(LAST)('the check of an injector of %s,', (version) => {
  const until = LAST.slice(0, LAST.indexOf(version) + 1);
  const expected = DIFFERENCES.flatMap(([values, problems]) => {
    const said = until.map((release) => problems[release]).findLast((problem) => problem !== undefined);
    return said === undefined ? [] : [[values, said] as const];
  });

  test.each(expected)('given %j, reports %j', (values, problem) => {
    expect(problemsOf(version, values)).toEqual(problem === '' ? [] : [problem]);
  });
});

test.each(Object.entries(CONTROL_PLANE).filter(([version]) => version.startsWith('edge-')))(
  'the injector of %s refuses the same native sidecar values as its chart',
  (version, { templates }) => {
    expect(injectorOf(version).nativeSidecarRefusesWait).toBe(templates.nativeSidecarRefusesWait);
  },
);

test.each(Object.entries(CONTROL_PLANE))(
  'the injector of %s refuses the same init container values as its chart',
  (version, { templates }) => expect(injectorOf(version).closeWaitNeedsRoot).toBe(templates.closeWaitNeedsRoot),
);

/** Values that all injectors from 2.14 to 2.19 accept, with values that only some of them read. */
const ON_THE_WAY = overlayValues(defaultsOf(releaseOf('edge-25.10.7')).controlPlane, {
  networkValidator: { connectAddr: '1.1.1.1:20001', listenAddr: '0.0.0.0:4140', enableSecurityContext: true },
  proxyInit: { resources: {} },
});

test.each([
  [
    'edge-24.2.4',
    { networkValidator: { connectAddr: '' } },
    'injected-value-missing values.networkValidator.connectAddr',
  ],
  ['edge-24.8.2', { networkValidator: { connectAddr: '' } }, ''],
  ['edge-24.2.4', { proxyInit: { resources: null } }, 'injected-value-missing values.proxyInit.resources'],
  ['edge-24.8.2', { proxyInit: { resources: null } }, ''],
  [
    'edge-24.2.4',
    { proxy: { defaultInboundPolicy: 'audit' } },
    'injected-value-refused values.proxy.defaultInboundPolicy',
  ],
  ['edge-24.8.2', { proxy: { defaultInboundPolicy: 'audit' } }, ''],
  ['edge-24.2.4', { proxy: { logHTTPHeaders: 'all' } }, ''],
  ['edge-24.8.2', { proxy: { logHTTPHeaders: 'all' } }, 'injected-value-refused values.proxy.logHTTPHeaders'],
  ['edge-24.11.8', { proxy: { metrics: null } }, ''],
  ['edge-25.4.4', { proxy: { metrics: null } }, 'injected-value-missing values.proxy.metrics'],
  [
    'edge-25.4.4',
    { networkValidator: { enableSecurityContext: 'no' } },
    'injected-value-refused values.networkValidator.enableSecurityContext',
  ],
  ['edge-25.10.7', { networkValidator: { enableSecurityContext: 'no' } }, ''],
  ['edge-24.2.4', { proxyInit: { closeWaitTimeoutSecs: 30 } }, ''],
  ['edge-24.11.8', { proxyInit: { closeWaitTimeoutSecs: 30 } }, ''],
  [
    'edge-25.4.4',
    { proxyInit: { closeWaitTimeoutSecs: 30 } },
    'injected-value-refused values.proxyInit.closeWaitTimeoutSecs',
  ],
  [
    'edge-25.4.4',
    { controller: { podDisruptionBudget: { maxUnavailable: '25%' } } },
    'injected-value-refused values.controller.podDisruptionBudget.maxUnavailable',
  ],
  ['edge-25.10.7', { controller: { podDisruptionBudget: { maxUnavailable: '25%' } } }, ''],
  [
    'edge-24.2.4',
    { proxy: { nativeSidecar: true, waitBeforeExitSeconds: 5 } },
    'injected-value-refused values.proxy.waitBeforeExitSeconds',
  ],
])(
  'the check of an injector of %s, between 2.14 and 2.19, follows its source code: given %j, it reports %j',
  (release, values, problem) => {
    const found = checkInjection(overlayValues(ON_THE_WAY, values), injectorOf(release));
    expect(found.map(({ code, about }) => `${code} ${about}`)).toEqual(problem === '' ? [] : [problem]);
  },
);
