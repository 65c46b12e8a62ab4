import type { Container, PodSpec, Role } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../lib/kubernetes/kubernetes-object';
import { type Values, valueAt } from '../../../../lib/kubernetes/values';
import type { ControlPlaneTemplates } from '../../../../lib/linkerd/releases/groups/control-plane';
import { chartValues, controlPlaneOf, find, NEWEST, podIn, render } from './fixture';

type Templates = Partial<ControlPlaneTemplates>;

const rendered = (templates: Templates, values: Values = {}) => render(values, { ...NEWEST, ...templates });
const problems = (templates: Templates, values: Values) =>
  controlPlaneOf({ ...NEWEST, ...templates })
    .check(chartValues(values))
    .map(({ about }) => about);
const specOf = (objects: readonly KubernetesObject[], component: string): PodSpec =>
  podIn(objects, component).spec ?? { containers: [] };

function container(objects: readonly KubernetesObject[], component: string, name: string): Container {
  const { containers, initContainers = [] } = specOf(objects, component);
  const found = [...containers, ...initContainers].find((one) => one.name === name);
  if (found === undefined) throw new Error(`no container ${name}`);
  return found;
}

const variables = (objects: readonly KubernetesObject[]) =>
  new Map(container(objects, 'destination', 'linkerd-proxy').env?.map(({ name, value }) => [name, value]));

test('portNames shared: controllers call their ports alike, and are asked by these names', () => {
  const objects = rendered({ portNames: 'shared' });
  const { ports, livenessProbe } = container(objects, 'destination', 'policy');
  expect(ports?.map(({ name }) => name)).toEqual(['grpc', 'admin-http', 'policy-https']);
  expect(livenessProbe?.httpGet?.port).toBe('admin-http');
  const names = ['destination', 'identity', 'proxy-injector'].flatMap((component) =>
    specOf(objects, component).containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
  );
  expect(names.filter((name) => name === 'admin-http')).toHaveLength(5);
  expect(names.filter((name) => name !== 'linkerd-admin' && name?.endsWith('-admin'))).toEqual([]);
});

test.each(['destination', 'heartbeat', 'identity', 'proxy-injector'])(
  'apiAccess automount: Kubernetes mounts the token of %s',
  (component) => {
    const [own, automounted] = (['volume', 'automount'] as const).map((apiAccess) => rendered({ apiAccess }));
    const access = (objects: readonly KubernetesObject[] = []) => {
      const { automountServiceAccountToken, containers, volumes = [] } = specOf(objects, component);
      const names = [...volumes, ...containers.flatMap(({ volumeMounts = [] }) => volumeMounts)].map(
        ({ name }) => name,
      );
      return [automountServiceAccountToken, names.includes('kube-api-access')];
    };
    expect(access(own)).toEqual([false, true]);
    expect(access(automounted)).toEqual([undefined, false]);
  },
);

describe('policyImage own', () => {
  const image = { name: 'registry/policy', version: '', pullPolicy: 'Always' };
  const policyOf = (values: Values) => container(rendered({ policyImage: 'own' }, values), 'destination', 'policy');

  test('the policy controller is all of its image', () => {
    const policy = policyOf({ policyController: { image } });
    expect(policy).toMatchObject({ image: 'registry/policy:edge-26.8.3', imagePullPolicy: 'Always' });
    expect(policy.command).toBeUndefined();
    expect(container(rendered({}), 'destination', 'policy').command).toEqual(['/linkerd-policy-controller']);
  });

  test('it has the resources of the destination controller unless it has some', () => {
    const destinationResources = { cpu: { limit: '2' } };
    expect(policyOf({ policyController: { resources: null }, destinationResources }).resources?.limits).toEqual({
      cpu: '2',
    });
    const own = { policyController: { resources: { cpu: { limit: '1' } } }, destinationResources };
    expect(policyOf(own).resources?.limits).toEqual({ cpu: '1' });
  });

  test('it must be there, and have a version', () => {
    expect(problems({ policyImage: 'own' }, { policyController: { image: null } })).toEqual([
      'values.policyController.image',
    ]);
    const others = { controllerImageVersion: 'v1', proxy: { image: { version: 'v1' } }, linkerdVersion: '' };
    expect(problems({ policyImage: 'own' }, { ...others, policyController: { image } })).toEqual([
      'values.linkerdVersion',
    ]);
    expect(problems({}, { ...others, policyController: { image } })).toEqual([]);
  });
});

test('ipv6 false: nothing is said of address families, and nothing put in the place of an address', () => {
  const built = { ipv6: false, builtIn: { disableIPv6: true } };
  const objects = rendered(built, { disableIPv6: false });
  expect(container(objects, 'destination', 'destination').args?.join()).not.toContain('ipv6');
  expect(container(objects, 'destination', 'linkerd-init').args?.join()).not.toContain('ipv6');
  expect(variables(objects).get('LINKERD2_PROXY_ADMIN_LISTEN_ADDR')).toBe('0.0.0.0:4191');
  expect(variables(objects).has('LINKERD2_PROXY_OUTBOUND_LISTEN_ADDRS')).toBe(false);
  const validator = (values: Values) =>
    container(rendered(built, { cniEnabled: true, ...values }), 'destination', 'linkerd-network-validator').args;
  expect(validator({ networkValidator: { connectAddr: '1.2.3.4:5', listenAddr: '' } })).toEqual(
    expect.arrayContaining(['1.2.3.4:5', '--listen-addr', '']),
  );
});

test('tracing extension: controllers have the collector of linkerd-jaeger, and proxies none', () => {
  const values = { controlPlaneTracing: true, controlPlaneTracingNamespace: 'tracing', clusterDomain: 'k8s.corp' };
  const objects = rendered({ tracing: 'extension' }, values);
  const argument = '-trace-collector=collector.tracing.svc.k8s.corp:55678';
  expect(container(objects, 'identity', 'identity').args).toContain(argument);
  expect(container(objects, 'destination', 'destination').args).toContain(argument);
  expect(variables(objects).has('_pod_uid')).toBe(false);
  expect(variables(rendered({})).has('_pod_uid')).toBe(true);
  expect(container(rendered({}, values), 'identity', 'identity').args).not.toContain(argument);
});

test('componentSettings false: what is set by component may be gone', () => {
  const values = {
    destinationController: null,
    identity: { podAnnotations: null },
    podAnnotations: null,
    controller: null,
    enablePodDisruptionBudget: true,
  };
  expect(problems({ componentSettings: false }, values)).toEqual([]);
  expect(problems({}, values)).toEqual([
    'values.destinationController',
    'values.identity.podAnnotations',
    'values.podAnnotations',
    'values.controller',
  ]);
});

describe('proxyBounds false', () => {
  test('proxies have no bounds but a number of threads', () => {
    const bounded = variables(rendered({}, { proxy: { cores: 2 } }));
    const unbounded = variables(rendered({ proxyBounds: false }, { proxy: { cores: 2 } }));
    const names = [...bounded.keys()].filter((name) => !unbounded.has(name));
    expect(names).toEqual([
      'LINKERD2_PROXY_CORES_MIN',
      'LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED',
      'LINKERD2_PROXY_CONTROL_STREAM_INITIAL_TIMEOUT',
      'LINKERD2_PROXY_CONTROL_STREAM_IDLE_TIMEOUT',
      'LINKERD2_PROXY_CONTROL_STREAM_LIFETIME',
      'LINKERD2_PROXY_INBOUND_ACCEPT_USER_TIMEOUT',
      'LINKERD2_PROXY_OUTBOUND_CONNECT_USER_TIMEOUT',
      'LINKERD2_PROXY_OUTBOUND_METRICS_HOSTNAME_LABELS',
    ]);
    expect(unbounded.get('LINKERD2_PROXY_CORES')).toBe('2');
  });

  test('the destination controller is told of no transport, and no value has to say it', () => {
    const { args } = container(rendered({ proxyBounds: false }), 'destination', 'destination');
    expect(args?.join()).not.toContain('outbound-transport-mode');
    const values = { proxy: { metrics: null, livenessProbe: null, readinessProbe: null, logLevel: null } };
    expect(problems({ proxyBounds: false }, values)).toEqual([]);
  });
});

test('initResources own: the init container and the network validator have resources of their own', () => {
  const values = {
    proxyInit: { resources: { cpu: { limit: '100m' } } },
    proxy: { resources: { cpu: { limit: '2' } } },
  };
  const limit = (initResources: 'own' | 'proxy', cniEnabled: boolean) =>
    specOf(rendered({ initResources }, { ...values, cniEnabled }), 'identity').initContainers?.[0]?.resources?.limits;
  expect(limit('own', false)).toEqual({ cpu: '100m' });
  expect(limit('own', true)).toEqual({ cpu: '100m' });
  expect(limit('proxy', false)).toEqual({ cpu: '2' });
  expect(problems({ initResources: 'own' }, { cniEnabled: true })).toEqual(['values.proxyInit.resources']);
  expect(problems({ initResources: 'own' }, { ...values, proxy: { resources: null } })).toEqual([]);
  const single = { ...values, proxy: { resources: null }, identityProxyResources: { cpu: { limit: '1' } } };
  expect(problems({ initResources: 'own' }, single)).toEqual(['values.proxy.resources']);
});

test('closeWaitNeedsRoot false: a kernel parameter may be asked for without root', () => {
  const values = { proxyInit: { closeWaitTimeoutSecs: 3 } };
  expect(problems({ closeWaitNeedsRoot: false }, values)).toEqual([]);
  expect(problems({}, values)).toEqual(['values.proxyInit.closeWaitTimeoutSecs']);
  expect(problems({ closeWaitNeedsRoot: false }, { proxyInit: { iptablesMode: 'ebpf' } })).toEqual([
    'values.proxyInit.iptablesMode',
  ]);
});

test.each([true, false])('initGroups %s: init containers have a group, or not', (initGroups) => {
  const context = (values: Values) =>
    specOf(rendered({ initGroups }, values), 'destination').initContainers?.[0]?.securityContext ?? {};
  for (const values of [{}, { proxyInit: { runAsRoot: true } }]) {
    expect('runAsGroup' in context(values)).toBe(initGroups);
  }
  expect('runAsGroup' in context({ cniEnabled: true, networkValidator: { securityContext: null } })).toBe(initGroups);
});

test('validatorUser switch: without the switch, the network validator is nobody in particular', () => {
  const context = (enableSecurityContext: boolean | null) =>
    specOf(
      rendered({ validatorUser: 'switch' }, { cniEnabled: true, networkValidator: { enableSecurityContext } }),
      'destination',
    ).initContainers?.[0]?.securityContext;
  expect(context(true)).toMatchObject({ runAsUser: 65534 });
  expect(context(false)).toBeUndefined();
  expect(context(null)).toBeUndefined();
});

test('egressAndExternalWorkloads false: nobody may read, or asks about, what is not known', () => {
  const known = rendered({});
  const unknown = rendered({ egressAndExternalWorkloads: false });
  const kinds = /egressnetworks|httplocalratelimitpolicies|grpcroutes|tcproutes|externalworkloads|egress-network/;
  expect(JSON.stringify(known)).toMatch(kinds);
  expect(JSON.stringify(unknown)).not.toMatch(kinds);
  const slices = (objects: readonly KubernetesObject[]) =>
    (find(objects, 'ClusterRole', 'linkerd-linkerd-destination') as Role | undefined)?.rules?.find(({ resources }) =>
      resources?.includes('endpointslices'),
    )?.verbs;
  expect(slices(known)).toContain('delete');
  expect(slices(unknown)).toEqual(['list', 'get', 'watch']);
  expect(variables(known).get('LINKERD2_PROXY_POLICY_WORKLOAD')).toContain('"ns"');
  expect(variables(unknown).get('LINKERD2_PROXY_POLICY_WORKLOAD')).toBe('$(_pod_ns):$(_pod_name)');
  expect(problems({ egressAndExternalWorkloads: false }, { egress: null })).toEqual([]);
});

test('boundedInjection false: the webhook says nothing of time and scope', () => {
  const webhook = (templates: Templates) => {
    const name = 'linkerd-proxy-injector-webhook-config';
    const configuration = find(rendered(templates), 'MutatingWebhookConfiguration', name);
    return (configuration as unknown as { readonly webhooks: readonly [Values] }).webhooks[0];
  };
  expect(webhook({})).toMatchObject({ timeoutSeconds: 10, rules: [{ scope: 'Namespaced' }] });
  const unbounded = webhook({ boundedInjection: false });
  expect(unbounded).not.toHaveProperty('timeoutSeconds');
  expect(JSON.stringify(unbounded)).not.toContain('scope');
});

test('labelledConfigRole false: the role has the labels that all objects are given, if any', () => {
  const labels = (values: Values) =>
    find(rendered({ labelledConfigRole: false }, values), 'Role', 'ext-namespace-metadata-linkerd-config')?.metadata
      .labels;
  expect(labels({})).toBeUndefined();
  expect(labels({ commonLabels: { team: 'mesh' } })).toEqual({ team: 'mesh' });
});

test('chartMonitors: the PodMonitors look for what they are told', () => {
  const chartMonitors = {
    controllers: { keep: 'admin' },
    mirrors: { name: 'mirror', components: 'one', ports: { keep: 'two', drop: 'three' } },
  };
  const objects = rendered({ chartMonitors }, { podMonitor: { enabled: true } });
  const regexes = (name: string) =>
    JSON.stringify(find(objects, 'PodMonitor', name))
      .match(/"regex":"[^"]*"/g)
      ?.map((text) => text.slice(9, -1));
  expect(regexes('linkerd-controller')).toEqual(['admin']);
  expect(regexes('mirror')).toEqual(['one;two', 'three']);
});

test('builtIn: the templates have it so, whatever the values say, and the configuration tells the values', () => {
  const builtIn = { controllerReplicas: 7, priorityClassName: null };
  const objects = rendered({ builtIn }, { controllerReplicas: 2, priorityClassName: 'high' });
  const deployment = find(objects, 'Deployment', 'linkerd-identity') as unknown as Values;
  expect(valueAt(deployment, 'spec.replicas')).toBe(7);
  expect(valueAt(deployment, 'spec.template.spec')).not.toHaveProperty('priorityClassName');
  const config = find(objects, 'ConfigMap', 'linkerd-config') as unknown as Values;
  expect(valueAt(config, 'data.values')).toContain('controllerReplicas: 2');
});
