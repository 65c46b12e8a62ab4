import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, mergeValues, overlayValues, type Value } from '#base/values';
import { checkInjection } from '#linkerd/injection/check-injection';
import { injectorOf } from '#linkerd/injection/injector';
import { checkValueTypes } from '#linkerd/injection/typed-values';
import type { ValueType, ValueTypes } from '#linkerd/injection/value-type';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import { CONTROL_PLANE } from '#linkerd/releases/groups/control-plane';
import { LINKERD_VERSIONS, type LinkerdVersion } from '#linkerd/releases/known-releases';
import { releaseOf } from '#linkerd/releases/release';
import { releaseInjector } from '#linkerd/releases/release-injector';

/** Values of charts that have no type, since the injector ignores them. */
const NEVER_READ = [
  'commonLabels',
  'controllerImageVersion',
  'controllerResources',
  'destinationProxyResources.cores',
  'enablePSP',
  'enablePprof',
  'identityProxyResources.cores',
  'kubeAPI',
  'podMonitor.labels',
  'proxy.requireTLSOnInboundPorts',
  'proxyInjector.objectSelector',
  'proxyInjectorProxyResources.cores',
  'runtimeClassName',
  'spValidatorResources',
];
const NOT_READ_BY_EDGE = [
  ...NEVER_READ,
  'configReaders',
  'destinationController.additionalArgs',
  'destinationController.additionalEnv',
  'destinationController.experimentalArgs',
  'destinationController.experimentalEnv',
  'destinationController.livenessProbe',
  'destinationController.readinessProbe',
  'identity.additionalArgs',
  'identity.experimentalArgs',
  'identity.livenessProbe',
  'identity.readinessProbe',
  'networkValidator.enableSecurityContext',
  'policyController.additionalArgs',
  'policyController.additionalEnv',
  'policyController.experimentalArgs',
  'policyController.experimentalEnv',
  'policyController.livenessProbe',
  'policyController.readinessProbe',
  'proxyInjector.additionalArgs',
  'proxyInjector.experimentalArgs',
  'proxyInjector.livenessProbe',
  'proxyInjector.readinessProbe',
  'proxyInjector.timeoutSeconds',
];
const NOT_READ_BY_2_14 = [...NEVER_READ, 'policyControllerResources'];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const IMPORTS = join(__dirname, '../../../../imports');

/** The definition that a reference from a document leads to, and its document. */
function resolved(schema: Schema, document: string): readonly [schema: Schema, document: string] {
  const [other, name = ''] = schema.$ref?.split('#/definitions/') ?? [];
  if (other === undefined) return [schema, document];
  const target = other || document;
  const { definitions } = JSON.parse(readFileSync(join(IMPORTS, `${target}.schema.json`), 'utf8'));
  return resolved(definitions[name], target);
}

interface Key {
  readonly path: string;
  readonly type: ValueType | undefined;
}

/** All keys of the chart with their types. Excludes keys inside values that the injector reads as a whole. */
function keysOf(given: Schema, from: string, types: ValueTypes, prefix = ''): readonly Key[] {
  const [{ properties = {} }, document] = resolved(given, from);
  return Object.entries(properties).flatMap(([key, below]) => {
    const type = types[key];
    const own = { path: `${prefix}${key}`, type };
    return type?.is === 'map' ? [own, ...keysOf(below, document, type.of, `${own.path}.`)] : [own];
  });
}

function keysOfRelease(version: LinkerdVersion): readonly Key[] {
  const document = `charts/linkerd-control-plane/${releaseOf(version).charts.controlPlane.valuesOf}`;
  return keysOf({ $ref: '#/definitions/Values' }, document, releaseInjector(releaseOf(version)).types);
}

const LAST = Object.keys(CONTROL_PLANE) as readonly (LinkerdVersion & keyof typeof CONTROL_PLANE)[];

test.each(LAST)('each key of the chart of %s has a type, or is listed as ignored', (version) => {
  const untyped = keysOfRelease(version).filter(({ type }) => type === undefined);
  const notRead = version.startsWith('edge') ? NOT_READ_BY_EDGE : NOT_READ_BY_2_14;
  expect(untyped.map(({ path }) => path).sort()).toEqual(notRead.toSorted());
});

test.each(LINKERD_VERSIONS)(
  'the default values of %s have their declared types, with and without high availability',
  (version) => {
    const { controlPlane, highAvailability } = defaultsOf(releaseOf(version));
    const injector = injectorOf(controlPlane.linkerdVersion);
    expect(injector).toBe(releaseInjector(releaseOf(version)));
    expect(checkInjection(controlPlane, injector)).toEqual([]);
    expect(checkInjection(mergeValues(controlPlane, highAvailability), injector)).toEqual([]);
  },
);

/** Each value is of another kind. */
const KINDS: readonly Value[] = ['text', 1.5, true, ['text'], { key: {} }];

test.each(LAST)('each value of %s has one type', (version) => {
  const release = releaseOf(version);
  const [defaults, injector] = [defaultsOf(release).controlPlane, releaseInjector(release)];
  const isTaken = (path: string, value: Value) => {
    const values = path.split('.').reduceRight<Value>((inner, key) => ({ [key]: inner }), value);
    // First without the defaults, whose check is slow: a value that is wrong alone stays wrong among them.
    if (!isMap(values) || checkValueTypes(values, injector).length > 0) return false;
    return checkInjection(overlayValues(defaults, values), injector).length === 0;
  };
  const odd = keysOfRelease(version).filter(({ path, type }) => {
    if (type === undefined || type.is === 'anything') return false;
    // The injector also accepts numbers and booleans as text. Each other type accepts one kind.
    return KINDS.filter((value) => isTaken(path, value)).length > (type.is === 'text' ? 3 : 1);
  });
  expect(odd.map(({ path }) => path)).toEqual([]);
});
