import { isMap, mergeValues, type Value, type Values, valueAt } from '#base/values';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { CONTROL_PLANE } from '#linkerd/releases/groups/control-plane';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { withoutNulls } from '#linkerd/renderers/chart-view';
import { type ControlPlaneView, controlPlaneView } from '#linkerd/renderers/linkerd-control-plane/control-plane-view';
import { meshedContainers } from '#linkerd/renderers/linkerd-control-plane/proxy/meshed-containers';
import type { MeshedPod } from '#linkerd/renderers/linkerd-control-plane/proxy/meshed-pod';
import { proxyVolumes } from '#linkerd/renderers/linkerd-control-plane/proxy/volumes';
import { componentValues } from '#operator/api/component-values';
import { chartValues, controlPlaneOf } from '../../packages/linkerd/renderers/linkerd-control-plane/fixture';

const POD: MeshedPod = {
  name: 'linkerd-destination',
  inboundPorts: '8086',
  isNativeSidecar: true,
  isAwaited: true,
  cores: undefined,
  resources: undefined,
};

/** Values that make the containers and volumes of a proxy read other values. */
const SWITCHES: readonly Values[] = [
  {},
  { cniEnabled: true },
  { proxy: { tracing: { enabled: true }, nativeSidecar: false } },
  { identity: { serviceAccountTokenProjection: false }, disableIPv6: false },
];

const RESOURCES: Values = { cpu: { limit: '1' } };
const ENVIRONMENT: readonly Value[] = [{ name: 'ADDED', value: 'yes' }];
/** Values without a default in the chart, or without an effect until other values are set. */
const ABSENT: Values = {
  configReaders: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'tools' }],
  destinationProxyResources: RESOURCES,
  destinationResources: RESOURCES,
  heartbeat: { additionalEnv: ENVIRONMENT },
  heartbeatResources: RESOURCES,
  heartbeatSchedule: '1 2 * * *',
  identity: { additionalEnv: ENVIRONMENT, experimentalEnv: ENVIRONMENT, podAnnotations: { added: 'yes' } },
  identityProxyResources: RESOURCES,
  identityResources: RESOURCES,
  nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] },
  podMonitor: { enabled: true },
  proxyInjectorProxyResources: RESOURCES,
  proxyInjectorResources: RESOURCES,
  spValidatorResources: RESOURCES,
  tolerations: [{ operator: 'Exists' }],
};

/** This value enables others, in the releases that have it. */
const SWITCHED_ON: Values = { controlPlaneTracing: true };

function another(value: Value): Value {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}x`;
  if (!isMap(value)) return [];
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, another(inside ?? null)]));
}

function only(path: string, value: Value): Values {
  return path.split('.').reduceRight<Value>((inside, key) => ({ [key]: inside }), value) as Values;
}

function recorded<T extends object>(values: T, prefix: string, read: Set<string>): T {
  return new Proxy(values, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol') return value;
      read.add(`${prefix}${key}`);
      return isMap(value) ? recorded(value, `${prefix}${key}.`, read) : value;
    },
  });
}

describe.each(Object.keys(CONTROL_PLANE) as (LinkerdVersion & keyof typeof CONTROL_PLANE)[])('in %s,', (version) => {
  const { templates } = CONTROL_PLANE[version];
  const valuesWith = (values: Values) => chartValues(values, defaultsOf(releaseOf(version)).controlPlane);
  const viewOf = (values: Values): ControlPlaneView => controlPlaneView(withoutNulls(valuesWith(values)), templates);
  const list = componentValues(version);

  /** The paths of all values that the containers and volumes of a proxy read. */
  const read = new Set<string>();
  for (const values of SWITCHES) {
    const view = recorded(viewOf(values), '', read);
    for (const isNativeSidecar of [true, false]) {
      meshedContainers(view, { namespace: 'linkerd' }, { ...POD, isNativeSidecar }, []);
    }
    proxyVolumes(view);
  }

  /** Returns the manifests of components as text, without the ConfigMap of values and without checksums. */
  const components = (values: Values): string => {
    const objects = controlPlaneOf(templates)
      .render(valuesWith(values), { namespace: 'linkerd' })
      .filter(({ kind, metadata }) => kind !== 'ConfigMap' || metadata.name !== 'linkerd-config');
    return JSON.stringify(objects).replace(/"[^"]*checksum[^"]*":"[^"]*"/g, '');
  };

  test.each([
    'proxy.logLevel',
    'proxyInit.skipSubnets',
    'networkValidator.timeout',
    'clusterNetworks',
    'identity.serviceAccountTokenProjection',
  ])('the injector uses %s for proxies', (path) => {
    expect(read).toContain(path);
    expect(list).not.toContain(path);
  });

  test('the injector uses no value of COMPONENT_VALUES for proxies', () => {
    expect([...read].filter((one) => list.some((path) => one === path || one.startsWith(`${path}.`)))).toEqual([]);
  });

  test('COMPONENT_VALUES lacks identity as a whole, since proxies use a part of it', () => {
    expect(list).not.toContain('identity');
  });

  test('each value of COMPONENT_VALUES changes the manifests of components', () => {
    const [unchanged, view] = [components(SWITCHED_ON), viewOf(SWITCHED_ON) as unknown as Values];
    const isIdle = (path: string) => {
      const changed = only(path, valueAt(ABSENT, path) ?? another(valueAt(view, path) ?? null));
      return components(mergeValues(SWITCHED_ON, changed)) === unchanged;
    };
    expect(list.filter(isIdle)).toEqual([]);
  });
});
