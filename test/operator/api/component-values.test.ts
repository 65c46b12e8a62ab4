import { meshedContainers } from '../../../lib/charts/linkerd-control-plane/proxy/meshed-containers';
import type { MeshedPod } from '../../../lib/charts/linkerd-control-plane/proxy/meshed-pod';
import { proxyVolumes } from '../../../lib/charts/linkerd-control-plane/proxy/volumes';
import { isMap, type Value, type Values, valueAt } from '../../../lib/releases/values';
import { COMPONENT_VALUES } from '../../../operator/api/component-values';
import { render, viewOf } from '../../charts/linkerd-control-plane/fixture';

const POD: MeshedPod = {
  name: 'linkerd-destination',
  inboundPorts: '8086',
  isNativeSidecar: true,
  isAwaited: true,
  cores: undefined,
  resources: undefined,
};

/** Switches by which proxies and what comes with them look at other values. */
const SWITCHES: readonly Values[] = [
  {},
  { cniEnabled: true },
  { proxy: { tracing: { enabled: true }, nativeSidecar: false } },
  { identity: { serviceAccountTokenProjection: false }, disableIPv6: false },
];

/** The paths that are looked at while the containers and volumes of a proxy are made. */
function readByProxies(): ReadonlySet<string> {
  const read = new Set<string>();
  for (const values of SWITCHES) {
    const view = recorded(viewOf(values), '', read);
    for (const isNativeSidecar of [true, false]) {
      meshedContainers(view, { namespace: 'linkerd' }, { ...POD, isNativeSidecar }, []);
    }
    proxyVolumes(view);
  }
  return read;
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

const READ = readByProxies();

describe('what proxies are made of', () => {
  test.each(['proxy.logLevel', 'proxyInit.skipSubnets', 'networkValidator.timeout', 'clusterNetworks', 'disableIPv6'])(
    'includes %s',
    (path) => {
      expect(READ).toContain(path);
    },
  );

  test.each(COMPONENT_VALUES)('does not include %s', (path) => {
    expect([...READ].filter((one) => one === path || one.startsWith(`${path}.`))).toEqual([]);
  });

  test('shares identity with its component, so that the whole of it is not on the list', () => {
    expect(READ).toContain('identity.serviceAccountTokenProjection');
    expect(COMPONENT_VALUES).not.toContain('identity');
  });
});

const RESOURCES: Values = { cpu: { limit: '1' } };
const ENVIRONMENT: readonly Value[] = [{ name: 'ADDED', value: 'yes' }];
/** Values that the chart's defaults lack, or that change nothing while something else is switched off. */
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

/** Another value of the same type. */
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

/** Returns a component's manifests as text, without the values themselves and what tells that they changed. */
function components(values: Values): string {
  const objects = render(values).filter(
    ({ kind, metadata }) => kind !== 'ConfigMap' || metadata.name !== 'linkerd-config',
  );
  return JSON.stringify(objects).replace(/"[^"]*checksum[^"]*":"[^"]*"/g, '');
}

describe('what is on the list', () => {
  const unchanged = components({});

  test.each(COMPONENT_VALUES)('%s changes manifests of components', (path) => {
    const value = valueAt(ABSENT, path) ?? another(valueAt(viewOf() as unknown as Values, path) ?? null);
    expect(components(only(path, value)) === unchanged).toBe(false);
  });
});
