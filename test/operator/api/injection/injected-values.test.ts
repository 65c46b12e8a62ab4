import defaults from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3.defaults.json';
import ha from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3.ha.json';
import chart from '../../../../imports/charts/linkerd-control-plane/edge-26.8.3.schema.json';
import { checkInjection } from '../../../../operator/api/injection/check-injection';
import { INJECTED_VALUES } from '../../../../operator/api/injection/injected-values';
import type { ValueType } from '../../../../operator/api/injection/value-type';
import { isMap, mergeValues, overlayValues, type Value, type Values } from '../../../../operator/api/values-merge';

/** Values that the chart has and the injector has no type for, so that it passes over them. */
const NOT_READ = [
  'commonLabels',
  'configReaders',
  'controllerImageVersion',
  'controllerResources',
  'destinationController.additionalArgs',
  'destinationController.additionalEnv',
  'destinationController.experimentalArgs',
  'destinationController.experimentalEnv',
  'destinationController.livenessProbe',
  'destinationController.readinessProbe',
  'destinationProxyResources.cores',
  'enablePSP',
  'enablePprof',
  'identity.additionalArgs',
  'identity.experimentalArgs',
  'identity.livenessProbe',
  'identity.readinessProbe',
  'identityProxyResources.cores',
  'kubeAPI',
  'networkValidator.enableSecurityContext',
  'podMonitor.labels',
  'policyController.additionalArgs',
  'policyController.additionalEnv',
  'policyController.experimentalArgs',
  'policyController.experimentalEnv',
  'policyController.livenessProbe',
  'policyController.readinessProbe',
  'proxy.requireTLSOnInboundPorts',
  'proxyInjector.additionalArgs',
  'proxyInjector.experimentalArgs',
  'proxyInjector.livenessProbe',
  'proxyInjector.objectSelector',
  'proxyInjector.readinessProbe',
  'proxyInjector.timeoutSeconds',
  'proxyInjectorProxyResources.cores',
  'runtimeClassName',
  'spValidatorResources',
];

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const DEFINITIONS: Readonly<Record<string, Schema>> = chart.definitions;

/** All keys of the chart, each with the injector's type for it; in what the injector takes as a whole there are none. */
function keysOf(schema: Schema, prefix = '', types: Readonly<Record<string, ValueType>> = INJECTED_VALUES): Key[] {
  const resolved = DEFINITIONS[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return Object.entries(resolved.properties ?? {}).flatMap(([key, below]) => {
    const type = types[key];
    const own = { path: `${prefix}${key}`, type };
    return type?.is === 'map' ? [own, ...keysOf(below, `${own.path}.`, type.of)] : [own];
  });
}

interface Key {
  readonly path: string;
  readonly type: ValueType | undefined;
}

const KEYS = keysOf({ $ref: '#/definitions/Values' });

test('each key of the chart has a type, or is passed over', () => {
  const untyped = KEYS.filter(({ type }) => type === undefined).map(({ path }) => path);
  expect(untyped.sort()).toEqual(NOT_READ);
});

test("the chart's own values have these types, with high availability and without", () => {
  expect(checkInjection(defaults)).toEqual([]);
  expect(checkInjection(mergeValues(defaults, ha as Values))).toEqual([]);
});

/** Of each kind of value one that no other kind takes. */
const KINDS: readonly Value[] = ['text', 1.5, true, ['text'], { key: {} }];

test.each(KEYS.filter(({ type }) => type !== undefined && type.is !== 'anything'))(
  '$path has one type',
  ({ path, type }) => {
    const wrong = KINDS.filter((value) => {
      const values = path.split('.').reduceRight<Value>((inner, key) => ({ [key]: inner }), value);
      return isMap(values) && checkInjection(overlayValues(defaults, values)).length > 0;
    });
    // Text, numbers and booleans are text to the reader of the injector; anything else is one kind.
    const most = type?.is === 'text' ? 3 : 1;
    expect(KINDS.length - wrong.length).toBeLessThanOrEqual(most);
  },
);
