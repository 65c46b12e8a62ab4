import { structObject } from '../go/struct-object';
import { stringMap } from '../go/typed-values';
import type { GoObject, GoValue } from '../go/values';
import type { WorkingChart, WorkingDependency } from './working-chart';

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
    structObject(
      '*chart.Maintainer',
      [
        ['Name', 'name', maintainer.name],
        ['Email', 'email', maintainer.email],
        ['URL', 'url', maintainer.url],
      ],
      'not empty',
    ),
  );
  return structObject(
    'chart.Metadata',
    [
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
    ],
    'not empty',
  );
}

function dependencyObject(dependency: WorkingDependency): GoObject {
  const object = structObject(
    '*chart.Dependency',
    [
      ['Name', 'name', dependency.name],
      ['Version', 'version', dependency.version],
      ['Repository', 'repository', dependency.repository],
      ['Condition', 'condition', dependency.condition],
      ['Tags', 'tags', dependency.tags],
      ['Enabled', 'enabled', dependency.enabled],
      ['ImportValues', 'import-values', dependency.importValues],
      ['Alias', 'alias', dependency.alias],
    ],
    'not empty',
  );
  // The one field that Go writes even if it is empty, with the name.
  const data = object.data instanceof Map ? object.data : new Map<string, GoValue>();
  return { ...object, data: new Map([['name', dependency.name], ['repository', dependency.repository], ...data]) };
}
