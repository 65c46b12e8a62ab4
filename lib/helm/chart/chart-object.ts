import { stringMap } from '../go/typed-values';
import type { GoObject, GoValue } from '../template/values';
import type { WorkingChart, WorkingDependency } from './working-chart';

/** A field of a Go struct: its name, its name in JSON, and its value. */
type Field = readonly [name: string, key: string, value: GoValue];

/** Returns `.Chart`: the fields of Chart.yaml, and whether the chart is the outermost. */
export function chartObject(chart: WorkingChart): GoObject {
  const metadata = metadataObject(chart);
  const isRoot = chart.parent === undefined;
  const data = metadata.data instanceof Map ? metadata.data : new Map<string, GoValue>();
  return {
    goType: 'struct { chart.Metadata; IsRoot bool }',
    goKind: 'struct',
    data: new Map([...data, ['IsRoot', isRoot]]),
    fields: new Map([...metadata.fields, ['Metadata', metadata], ['IsRoot', isRoot]]),
    methods: new Map(),
  };
}

function metadataObject({ name, source: { metadata }, declared }: WorkingChart): GoObject {
  const maintainers = metadata.maintainers.map((maintainer) =>
    struct('*chart.Maintainer', [
      ['Name', 'name', maintainer.name],
      ['Email', 'email', maintainer.email],
      ['URL', 'url', maintainer.url],
    ]),
  );
  return struct('chart.Metadata', [
    ['Name', 'name', name],
    ['Home', 'home', metadata.home],
    ['Sources', 'sources', metadata.sources],
    ['Version', 'version', metadata.version],
    ['Description', 'description', metadata.description],
    ['Keywords', 'keywords', metadata.keywords],
    ['Maintainers', 'maintainers', maintainers],
    ['Icon', 'icon', metadata.icon],
    ['APIVersion', 'apiVersion', metadata.apiVersion],
    ['Condition', 'condition', metadata.condition],
    ['Tags', 'tags', metadata.tags],
    ['AppVersion', 'appVersion', metadata.appVersion],
    ['Deprecated', 'deprecated', metadata.deprecated],
    ['Annotations', 'annotations', stringMap(new Map(metadata.annotations))],
    ['KubeVersion', 'kubeVersion', metadata.kubeVersion],
    ['Dependencies', 'dependencies', (declared ?? []).map(dependencyObject)],
    ['Type', 'type', metadata.type],
  ]);
}

function dependencyObject(dependency: WorkingDependency): GoObject {
  const object = struct('*chart.Dependency', [
    ['Name', 'name', dependency.name],
    ['Version', 'version', dependency.version],
    ['Repository', 'repository', dependency.repository],
    ['Condition', 'condition', dependency.condition],
    ['Tags', 'tags', dependency.tags],
    ['Enabled', 'enabled', dependency.enabled],
    ['ImportValues', 'import-values', dependency.importValues],
    ['Alias', 'alias', dependency.alias],
  ]);
  // The one field that Go writes even if it is empty, with the name.
  const data = object.data instanceof Map ? object.data : new Map<string, GoValue>();
  return { ...object, data: new Map([['name', dependency.name], ['repository', dependency.repository], ...data]) };
}

/** Returns a struct whose JSON leaves out empty fields. */
function struct(goType: string, fields: readonly Field[]): GoObject {
  return {
    goType,
    goKind: goType.startsWith('*') ? 'ptr' : 'struct',
    data: new Map(fields.filter(([, , value]) => !isEmpty(value)).map(([, key, value]) => [key, value])),
    fields: new Map(fields.map(([name, , value]) => [name, value])),
    methods: new Map(),
  };
}

function isEmpty(value: GoValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value === '' || value === false) return true;
  return (
    typeof value === 'object' && value !== null && 'data' in value && value.data instanceof Map && value.data.size === 0
  );
}
