import { MESH_ALERTS, type MeshAlertName } from '#lib/constructs/monitoring/watched-mesh';
import { checkRules, type PlayedScenario, playScenarios, printAlerts } from '../../support/promtool';
import { rulesNamed, rulesOf } from './watched';

/** The labels of a target of the control plane. */
const target = (component: string, pod: string) =>
  `job="linkerd-controller",namespace="linkerd",component="${component}",pod="${pod}"`;
const proxy = (pod: string, namespace = 'shop') =>
  `job="linkerd-proxy",control_plane_ns="linkerd",namespace="${namespace}",pod="${pod}"`;
const UP = (component: string, pod = `${component}-1`) => `up{${target(component, pod)}}`;
const CERTIFICATE = (pod: string) => `control_identity_cert_expiration_timestamp_seconds{${proxy(pod)}}`;
const WEBHOOK = 'name="linkerd-proxy-injector.linkerd.io",type="admit"';
const REJECTED = `apiserver_admission_webhook_rejection_count{${WEBHOOK},operation="CREATE",error_type="calling_webhook_error",rejection_code="0"}`;
const CERTIFY = (code: string, pod = 'identity-1') =>
  `grpc_server_handled_total{${target('identity', pod)},grpc_service="io.linkerd.proxy.identity.Identity",grpc_method="Certify",grpc_code="${code}"}`;
const SERVER = 'srv_group="policy.linkerd.io",srv_kind="server",srv_name="api",srv_port="8080"';
const ROUTE = 'route_group="",route_kind="default",route_name="default"';
const DENIED = (pod: string) => `inbound_http_authz_deny_total{${proxy(pod)},${SERVER},${ROUTE}}`;
const ALLOWED = (pod: string) => `inbound_http_authz_allow_total{${proxy(pod)},${SERVER},${ROUTE},authz_name="api"}`;
const DENIED_TCP = (pod: string) => `inbound_tcp_authz_deny_total{${proxy(pod)},${SERVER}}`;
const BUILD = (pod: string, version: string, namespace = 'shop') =>
  `proxy_build_info{${proxy(pod, namespace)},version="${version}"}`;
const LEADS = (pod: string) =>
  `leader_election_master_status{name="linkerd-reconciler",namespace="linkerd-reconciler",pod="${pod}"}`;
const OPERATOR = 'namespace="linkerd-reconciler",pod="a"';

/** Buckets of a histogram: `fast` counts up to 0.5, `slow` counts up to 2.5 and above. */
function histogram(metric: string, labels: string, [fast, slow]: readonly [string, string]) {
  return {
    [`${metric}{${labels},le="0.5"}`]: fast,
    [`${metric}{${labels},le="2.5"}`]: slow,
    [`${metric}{${labels},le="+Inf"}`]: slow,
  };
}

const kubeDeployment =
  (metric: string) =>
  (name: string, instance = '', namespace = 'linkerd') =>
    `kube_deployment_${metric}{namespace="${namespace}",deployment="${name}",instance="${instance}"}`;
const WANTED = kubeDeployment('spec_replicas');
const READY = kubeDeployment('status_replicas_ready');
const CHECKED = (policy: string, action: string) =>
  `apiserver_validating_admission_policy_check_total{policy="${policy}",enforcement_action="${action}"}`;
const DURATION = 'apiserver_admission_webhook_admission_duration_seconds_bucket';
const TTL = (pod: string) => `issuer_cert_ttl_seconds{${target('identity', pod)}}`;
const ALIVE = (cluster: string, pod: string) =>
  `gateway_alive{target_cluster_name="${cluster}",pod="controller-${cluster}-1-${pod}"}`;
const MULTICLUSTER = 'namespace="linkerd-multicluster"';
const MIRROR = (link: string) =>
  `up{job="linkerd-service-mirror",${MULTICLUSTER},pod="controller-${link}-5d8f9c-abcde"}`;
const GATEWAY = (pod: string) => `up{job="linkerd-proxy",${MULTICLUSTER},pod="${pod}"}`;
const ERRORS = (controller: string) =>
  `controller_runtime_reconcile_errors_total{${OPERATOR},controller="${controller}"}`;
const RECONCILED = (controller: string, result: string) =>
  `controller_runtime_reconcile_total{${OPERATOR},controller="${controller}",result="${result}"}`;
const ANSWERED = (webhook: string, code: string) =>
  `controller_runtime_webhook_requests_total{${OPERATOR},webhook="${webhook}",code="${code}"}`;
const MUTATE = `${OPERATOR},webhook="/mutate-pods"`;

/** `firing`: the number of firing alerts by time. */
type Case = readonly [title: string, PlayedScenario['series'], firing: Readonly<Record<string, number>>];

const NONE = {};

const alertsAt = (name: string, firing: Case[2]): PlayedScenario['firing'] =>
  Object.fromEntries(Object.entries(firing).map(([at, count]) => [at, count === 0 ? NONE : { [name]: count }]));

/** Cases of each alert for the engine of Prometheus, with one sample a minute. */
const CASES: Readonly<Record<MeshAlertName, readonly Case[]>> = {
  LinkerdInjectorDown: [
    [
      'fires five minutes after the last pod is gone',
      { [UP('proxy-injector')]: '1x10 stale' },
      { '10m': 0, '15m': 0, '16m': 1 },
    ],
    ['fires while its only pod cannot be scraped', { [UP('proxy-injector')]: '0x20' }, { '5m': 1 }],
    [
      'ignores one of two replicas that is down, and a missed scrape of the other',
      { [UP('proxy-injector')]: '0x20', [UP('proxy-injector', 'b')]: '1x8 _x3 1x9' },
      { '10m': 0, '20m': 0 },
    ],
    [
      'ignores a rollout to a pod of another name',
      { [UP('proxy-injector')]: '1x10 stale', [UP('proxy-injector', 'b')]: '_x12 1x20' },
      { '12m': 0, '30m': 0 },
    ],
  ],
  LinkerdInjectorUnreachable: [
    ['fires while calls fail', { [REJECTED]: '0x5 0+2x30' }, { '5m': 0, '15m': 1 }],
    [
      'fires while calls of a webhook that fails open fail',
      { [`apiserver_admission_webhook_fail_open_count{${WEBHOOK}}`]: '0+1x30' },
      { '10m': 1 },
    ],
    [
      'is one alert with several API servers',
      { [REJECTED.replace('{', '{instance="1",')]: '0+1x30', [REJECTED.replace('{', '{instance="2",')]: '0+1x30' },
      { '10m': 1 },
    ],
    ['ignores failures before Prometheus started', { [REJECTED]: '500x30' }, { '10m': 0, '30m': 0 }],
    ['ignores a restarted API server', { [REJECTED]: '500x10 0x30' }, { '12m': 0, '30m': 0 }],
    ['ignores its rejections', { [REJECTED.replace('calling_webhook_error', 'no_error')]: '0+5x30' }, { '20m': 0 }],
  ],
  LinkerdPodsWithoutProxyRefused: [
    ['fires at rejections', { [CHECKED('linkerd-require-proxy-shop', 'deny')]: '0+1x40' }, { '10m': 0, '20m': 1 }],
    [
      'ignores allowed and audited pods, and other policies',
      {
        [CHECKED('linkerd-require-proxy-shop', 'allow')]: '0+9x40',
        [CHECKED('linkerd-require-proxy-shop', 'audit')]: '0+9x40',
        [CHECKED('other', 'deny')]: '0+9x40',
      },
      { '30m': 0 },
    ],
  ],
  LinkerdIdentityDown: [
    ['fires without any pod', { [UP('destination')]: '1x20' }, { '4m': 0, '6m': 1 }],
    ['is quiet with a pod', { [UP('identity')]: '1x20' }, { '20m': 0 }],
  ],
  LinkerdIdentityErrors: [
    [
      'fires when more than a tenth of the requests fail, over all replicas',
      { [CERTIFY('OK')]: '0+8x40', [CERTIFY('Internal', 'identity-2')]: '0+2x40' },
      { '12m': 0, '30m': 1 },
    ],
    [
      'ignores a single failure while few proxies renew',
      { [CERTIFY('OK')]: '0x20 1x40', [CERTIFY('Internal')]: '0x20 1x40' },
      { '22m': 0, '35m': 0, '50m': 0 },
    ],
    [
      'ignores a pod that retries with a wrong token',
      { [CERTIFY('OK')]: '0+1x40', [CERTIFY('FailedPrecondition')]: '0+6x40', [CERTIFY('InvalidArgument')]: '0+6x40' },
      { '30m': 0 },
    ],
    ['is quiet without requests', { [CERTIFY('OK')]: '5x40', [CERTIFY('Internal')]: '5x40' }, { '30m': 0 }],
    ['is quiet if no request ever failed', { [CERTIFY('OK')]: '0+9x40' }, { '30m': 0 }],
  ],
  LinkerdIdentityIssuerNotReloaded: [
    [
      'fires for the pod that missed a renewal',
      {
        [TTL('a')]: '88300-60x60',
        [TTL('b')]: '170000-60x60',
        'certmanager_certificate_expiration_timestamp_seconds{name="linkerd-identity-issuer"}': '172800x60',
      },
      { '1m': 0, '20m': 1 },
    ],
    [
      'ignores an issuer that cert-manager did not renew, which other alerts report',
      {
        [TTL('a')]: '80000-60x60',
        'certmanager_certificate_expiration_timestamp_seconds{name="linkerd-identity-issuer"}': '80000x60',
      },
      { '30m': 0 },
    ],
    ['fires for a pod without an issuer', { [TTL('a')]: '0x60' }, { '10m': 1 }],
  ],
  LinkerdProxyWithoutIdentity: [
    [
      'fires once for several pods of a namespace',
      { [CERTIFICATE('a')]: '0x30', [CERTIFICATE('b')]: '0x30', [CERTIFICATE('c')]: '86400x30' },
      { '9m': 0, '10m': 1 },
    ],
    ['ignores a proxy that has just started', { [CERTIFICATE('a')]: '0x3 86400x30' }, { '2m': 0, '20m': 0 }],
  ],
  LinkerdProxyCertificateExpiring: [
    [
      'fires when half of the time for renewals has passed',
      // The certificate has 3.6 hours left after 84 minutes.
      { [CERTIFICATE('a')]: '18000x200' },
      { '80m': 0, '92m': 1 },
    ],
    ['reads the metric of Linkerd 2.14', { [CERTIFICATE('a').replace('control_', '')]: '3600x30' }, { '5m': 1 }],
    ['ignores proxies without a certificate', { [CERTIFICATE('a')]: '0x30' }, { '6m': 0 }],
    ['ignores a proxy that restarts in time', { [CERTIFICATE('a')]: '18000x83 104400x60' }, { '84m': 0, '140m': 0 }],
  ],
  LinkerdProxyOutdated: [
    [
      'fires for each namespace and version, after the time for updates',
      {
        [BUILD('linkerd-destination-1', '2.366.0', 'linkerd')]: '1x300',
        [BUILD('a', '2.366.0')]: '1x300',
        [BUILD('b', '2.360.0')]: '1x300',
        [BUILD('c', '2.360.0')]: '1x300',
        [BUILD('d', '2.350.0')]: '1x300',
      },
      { '179m': 0, '180m': 2 },
    ],
    ['is quiet while the control plane is not scraped', { [BUILD('b', '2.360.0')]: '1x300' }, { '200m': 0 }],
    [
      'is quiet once the workloads have restarted',
      {
        [BUILD('linkerd-destination-1', '2.366.0', 'linkerd')]: '1x300',
        [BUILD('b', '2.360.0')]: '1x100 stale',
        [BUILD('b2', '2.366.0')]: '_x100 1x200',
      },
      { '150m': 0, '290m': 0 },
    ],
  ],
  LinkerdDestinationDown: [
    ['fires without any pod', { [UP('identity')]: '1x20' }, { '6m': 1 }],
    ['is quiet with a pod', { [UP('destination')]: '1x20' }, { '20m': 0 }],
  ],
  LinkerdControlPlaneNotReady: [
    [
      'fires when a replica is not ready for a quarter of an hour',
      { [WANTED('linkerd-destination', '1')]: '3x40', [READY('linkerd-destination', '1')]: '3x10 2x30' },
      { '20m': 0, '27m': 1 },
    ],
    [
      'ignores a rollout, a restarted kube-state-metrics and other Deployments',
      {
        [WANTED('linkerd-identity', '1')]: '3x15 stale',
        [READY('linkerd-identity', '1')]: '3x5 2x5 3x5 stale',
        [WANTED('linkerd-identity', '2')]: '_x18 3x20',
        [READY('linkerd-identity', '2')]: '_x18 3x20',
        [WANTED('linkerd-identity', '', 'shop')]: '3x40',
        [READY('linkerd-identity', '', 'shop')]: '0x40',
      },
      { '12m': 0, '38m': 0 },
    ],
  ],
  LinkerdWebhookUnreachable: [
    [
      'fires for other webhooks of the mesh, not for the injector',
      {
        [REJECTED.replace('proxy-injector', 'policy-validator')]: '0+1x30',
        [REJECTED.replace('linkerd-proxy-injector.linkerd.io', 'validate.linkerdconfigs.config.linkerd.io')]: '0+1x30',
        [REJECTED]: '0+1x30',
        [REJECTED.replace('linkerd-proxy-injector.linkerd.io', 'webhook.cert-manager.io')]: '0+1x30',
      },
      { '4m': 0, '10m': 2 },
    ],
  ],
  LinkerdWebhookSlow: [
    [
      'fires when the slowest calls take longer than a second',
      histogram(DURATION, WEBHOOK, ['0+9x60', '0+10x60']),
      { '10m': 0, '20m': 1 },
    ],
    [
      'is quiet for fast calls, and without any',
      {
        ...histogram(DURATION, WEBHOOK, ['0+10x60', '0+10x60']),
        ...histogram(DURATION, 'name="linkerd-sp-validator.linkerd.io"', ['9x60', '10x60']),
      },
      { '40m': 0 },
    ],
  ],
  LinkerdMetricsMissing: [
    ['fires for each of three sources after half an hour', {}, { '29m': 0, '30m': 3 }],
    [
      'ignores a restart of Prometheus, which scrapes within minutes',
      {
        [BUILD('a', '2.366.0')]: '_x3 1x60',
        'apiserver_admission_controller_admission_duration_seconds_count{name="MutatingAdmissionWebhook"}':
          '_x2 0+1x60',
        [WANTED('linkerd-identity')]: '_x4 3x60',
      },
      { '10m': 0, '59m': 0 },
    ],
  ],
  LinkerdDenialsIncreased: [
    [
      'fires after a policy change, once for a Server with two pods, until the denials are an hour old',
      { [DENIED('a')]: '0x90 0+60x100', [DENIED('b')]: '0x90 0+60x100', [BUILD('a', '2.366.0')]: '1x200' },
      { '90m': 0, '105m': 1, '170m': 0 },
    ],
    [
      'fires for the first denial ever, and for TCP',
      { [DENIED_TCP('a')]: '_x90 1+60x100', [BUILD('a', '2.366.0')]: '1x200' },
      { '90m': 0, '105m': 1 },
    ],
    [
      'ignores denials at a constant rate, a restart, and a missed scrape',
      { [DENIED('a')]: '0+60x90 0+60x40 _ 2460+60x60', [BUILD('a', '2.366.0')]: '1x200' },
      { '70m': 0, '95m': 0, '135m': 0, '180m': 0 },
    ],
    [
      'ignores proxies that were not scraped an hour ago',
      { [DENIED('a')]: '0+60x50', [BUILD('a', '2.366.0')]: '1x50' },
      { '20m': 0, '50m': 0 },
    ],
    ['ignores a few', { [DENIED('a')]: '0x90 0+1x60', [BUILD('a', '2.366.0')]: '1x200' }, { '105m': 0, '140m': 0 }],
  ],
  LinkerdDenialsHigh: [
    [
      'fires for a Server that denies most requests from its first minute on',
      { [DENIED('a')]: '1+60x60', [ALLOWED('a')]: '1+20x60' },
      { '10m': 0, '20m': 1 },
    ],
    [
      'is quiet while most requests are allowed, and without any',
      { [DENIED('a')]: '1+20x60', [ALLOWED('a')]: '1+60x60', [DENIED('b').replace('api', 'other')]: '7x60' },
      { '50m': 0 },
    ],
    ['is quiet for a few denials without other traffic', { [DENIED('a')]: '0+1x60' }, { '50m': 0 }],
    ['fires for a Server that allows nothing', { [DENIED_TCP('a')]: '0+60x60' }, { '30m': 1 }],
  ],
  LinkerdTargetGatewayDown: [
    [
      'fires for the gateway that does not respond',
      { [ALIVE('west', 'a')]: '1x10 0x20', [ALIVE('north', 'a')]: '1x30' },
      { '12m': 0, '17m': 1 },
    ],
    [
      'ignores a replica that starts, and another leader of the mirror',
      { [ALIVE('west', 'a')]: '0x2 1x10 stale', [ALIVE('west', 'b')]: '_x12 0x1 1x20' },
      { '1m': 0, '14m': 0, '30m': 0 },
    ],
    [
      'is quiet if one replica reaches the gateway, and is one alert if none does',
      { [ALIVE('west', 'a')]: '0x30', [ALIVE('west', 'b')]: '1x15 0x15' },
      { '12m': 0, '25m': 1 },
    ],
  ],
  LinkerdServiceMirrorDown: [
    [
      'fires for the link without a mirror, also if another name begins like it',
      { [MIRROR('west-2')]: '1x30', [MIRROR('north.example')]: '1x30' },
      { '9m': 0, '10m': 1 },
    ],
    [
      'is quiet with a mirror of each link, of which scrapes may be missed',
      { [MIRROR('west')]: '1x10 _x2 1x20', [MIRROR('north.example')]: '1x30' },
      { '30m': 0 },
    ],
  ],
  LinkerdGatewayDown: [
    ['fires without any pod of the gateway', { [GATEWAY('controller-west-1-a')]: '1x30' }, { '6m': 1 }],
    [
      'is quiet with one of three pods',
      { [GATEWAY('linkerd-gateway-1-a')]: '0x30', [GATEWAY('linkerd-gateway-1-b')]: '1x30' },
      { '20m': 0 },
    ],
  ],
  LinkerdOperatorWithoutLeader: [
    ['fires while no pod leads', { [LEADS('a')]: '1x10 0x20', [LEADS('b')]: '0x30' }, { '14m': 0, '16m': 1 }],
    ['fires without any pod', {}, { '5m': 1 }],
    ['fires while two pods lead', { [LEADS('a')]: '1x30', [LEADS('b')]: '1x30' }, { '5m': 1 }],
    [
      'ignores the next leader after a crash, and missed scrapes',
      { [LEADS('a')]: '1x10 stale', [LEADS('b')]: '0x11 _x2 1x20' },
      { '12m': 0, '30m': 0 },
    ],
  ],
  LinkerdOperatorReconcileErrors: [
    [
      'fires for the controller that fails',
      {
        [ERRORS('linkerdconfig')]: '0+1x60',
        [RECONCILED('linkerdconfig', 'error')]: '0+1x60',
        [RECONCILED('linkerdconfig', 'success')]: '0+1x60',
        [RECONCILED('trustanchor', 'success')]: '0+1x60',
      },
      { '10m': 0, '20m': 1 },
    ],
    [
      'ignores a single conflict, and errors before a restart',
      {
        [ERRORS('linkerdconfig')]: '9x20 0x10 1x40',
        [RECONCILED('linkerdconfig', 'error')]: '9x20 0x10 1x40',
        [RECONCILED('linkerdconfig', 'success')]: '0+2x20 0+2x50',
      },
      { '22m': 0, '40m': 0, '65m': 0 },
    ],
  ],
  LinkerdOperatorWebhookErrors: [
    [
      'fires for answers with a status other than 200',
      { [ANSWERED('/mutate-pods', '200')]: '0+9x60', [ANSWERED('/mutate-pods', '500')]: '0+1x60' },
      { '10m': 0, '20m': 1 },
    ],
    [
      'is quiet if all answers are 200, and without requests',
      { [ANSWERED('/mutate-pods', '200')]: '0+9x60', [ANSWERED('/other', '500')]: '3x60' },
      { '50m': 0 },
    ],
  ],
  LinkerdOperatorWebhookSlow: [
    [
      'fires when the slowest answers take longer than a second',
      histogram('controller_runtime_webhook_latency_seconds_bucket', MUTATE, ['0+9x60', '0+10x60']),
      { '20m': 1 },
    ],
    [
      'is quiet for fast answers',
      histogram('controller_runtime_webhook_latency_seconds_bucket', MUTATE, ['0+10x60', '0+10x60']),
      { '50m': 0 },
    ],
  ],
};

const PLAYED = MESH_ALERTS.flatMap((name) =>
  CASES[name].map(([title, series, firing]) => ({
    name,
    title,
    scenario: { alerts: rulesNamed(name), series, firing: alertsAt(name, firing) },
  })),
);

describe('the engine of Prometheus', () => {
  let problems: readonly string[];

  beforeAll(() => {
    problems = playScenarios(PLAYED.map(({ scenario }) => scenario));
  });

  test.each(PLAYED.map((each, index) => ({ ...each, index })))('$name $title', ({ index }) => {
    expect(problems[index]).toBe('');
  });
});

test('Prometheus accepts all rules of alerts', () => {
  expect(checkRules([{ name: 'linkerd', rules: rulesOf() }])).toBe('');
});

test('every alert fires in some test case, and Prometheus expands its texts there', () => {
  const firing = MESH_ALERTS.map((name) => {
    const [, series = {}, firing = {}] =
      CASES[name].find(([, , times]) => Object.values(times).some((count) => count > 0)) ?? [];
    const [at = ''] = Object.entries(firing).find(([, count]) => count > 0) ?? [];
    return { alerts: rulesNamed(name), series, at };
  });
  for (const [index, printed] of printAlerts(firing).entries()) {
    expect([MESH_ALERTS[index], printed]).toEqual([MESH_ALERTS[index], expect.stringContaining('summary')]);
    expect(printed).not.toMatch(/error expanding|<no value>/);
  }
});

test('without any metrics, only the alerts on missing metrics fire', () => {
  const down = {
    LinkerdInjectorDown: 1,
    LinkerdIdentityDown: 1,
    LinkerdDestinationDown: 1,
    LinkerdGatewayDown: 1,
    LinkerdOperatorWithoutLeader: 1,
  };
  const firing = { '5m': down, '30m': { ...down, LinkerdServiceMirrorDown: 2, LinkerdMetricsMissing: 3 } };
  expect(playScenarios([{ alerts: rulesOf(), series: {}, firing }])).toEqual(['']);
});

test('in a healthy mesh with two replicas, a restart and missed scrapes, no alert fires', () => {
  const controlPlane = ['identity', 'destination', 'proxy-injector'].flatMap((component) => [
    [UP(component, `${component}-1`), '1x60 stale'],
    [UP(component, `${component}-2`), '1x30 _x2 1x150'],
    [UP(component, `${component}-3`), '_x60 0x1 1x120'],
  ]);
  const deployments = ['identity', 'destination', 'proxy-injector'].flatMap((component) => [
    [WANTED(`linkerd-${component}`), '2x180'],
    [READY(`linkerd-${component}`), '2x60 1x3 2x120'],
  ]);
  const proxies = ['a', 'b'].flatMap((pod) => [
    [BUILD(pod, '2.366.0'), '1x180'],
    [CERTIFICATE(pod), '0x2 86400x180'],
    [ALLOWED(pod), '0+600x60 0+600x120'],
    [DENIED(pod), '0x70 1x110'],
  ]);
  const series = {
    ...Object.fromEntries([...controlPlane, ...deployments, ...proxies]),
    [BUILD('linkerd-identity-1', '2.366.0', 'linkerd')]: '1x180',
    [CERTIFY('OK')]: '0+1x60 0+1x120',
    [TTL('identity-1')]: '172800-60x180',
    ...histogram(DURATION, WEBHOOK, ['0+3x180', '0+3x180']),
    'apiserver_admission_controller_admission_duration_seconds_count{name="MutatingAdmissionWebhook"}': '0+5x180',
    [MIRROR('west')]: '1x180',
    [MIRROR('north.example')]: '1x180',
    'gateway_alive{target_cluster_name="west"}': '0x1 1x180',
    [GATEWAY('linkerd-gateway-1-a')]: '1x180',
    [LEADS('a')]: '1x60 stale',
    [LEADS('b')]: '0x61 1x120',
    [RECONCILED('linkerdconfig', 'success')]: '0+1x180',
    [ANSWERED('/mutate-pods', '200')]: '0+1x180',
  };
  const firing = Object.fromEntries([0, 5, 20, 33, 62, 75, 120, 180].map((minute) => [`${minute}m`, NONE]));
  expect(playScenarios([{ alerts: rulesOf(), series, firing }])).toEqual(['']);
});
