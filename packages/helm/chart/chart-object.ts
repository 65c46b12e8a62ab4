import { entriesOf } from '../go/reflect';
import { DeclaredFields, structObject } from '../go/struct-object';
import { stringList, stringMap, typedList } from '../go/typed-values';
import type { GoObject, GoValue } from '../go/values';
import type { WorkingChart, WorkingDependency } from './working-chart';

/** Returns `.Chart`: the fields of Chart.yaml, and whether the chart is the outermost one. */
export function chartObject(chart: WorkingChart): GoObject {
  const metadata = metadataObject(chart);
  const isRoot = chart.parent === undefined;
  return {
    goType: 'struct { chart.Metadata; IsRoot bool }',
    goKind: 'struct',
    data: new DeclaredFields([...(entriesOf(metadata.data) ?? []), ['IsRoot', isRoot]]),
    fields: new Map<string, GoValue>([
      ['Metadata', metadata],
      ['IsRoot', isRoot],
    ]),
    embedded: 'Metadata',
    methods: new Map(),
  };
}

function metadataObject({ name, source: { metadata }, declared }: WorkingChart): GoObject {
  const maintainers = metadata.maintainers?.map((maintainer) =>
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
      ['Sources', 'sources', stringList(metadata.sources)],
      ['Version', 'version', metadata.version],
      ['Description', 'description', metadata.description],
      ['Keywords', 'keywords', stringList(metadata.keywords)],
      ['Maintainers', 'maintainers', typedList('[]*chart.Maintainer', maintainers)],
      ['Icon', 'icon', metadata.icon],
      ['APIVersion', 'apiVersion', metadata.apiVersion],
      ['Condition', 'condition', metadata.condition],
      ['Tags', 'tags', metadata.tags],
      ['AppVersion', 'appVersion', metadata.appVersion],
      ['Deprecated', 'deprecated', metadata.deprecated],
      ['Annotations', 'annotations', stringMap(metadata.annotations)],
      ['KubeVersion', 'kubeVersion', metadata.kubeVersion],
      ['Dependencies', 'dependencies', typedList('[]*chart.Dependency', declared?.map(dependencyObject))],
      ['Type', 'type', metadata.type],
    ],
    'not empty',
  );
}

function dependencyObject(dependency: WorkingDependency): GoObject {
  return structObject(
    '*chart.Dependency',
    [
      ['Name', 'name', dependency.name],
      ['Version', 'version', dependency.version],
      ['Repository', 'repository', dependency.repository],
      ['Condition', 'condition', dependency.condition],
      ['Tags', 'tags', stringList(dependency.tags)],
      ['Enabled', 'enabled', dependency.enabled],
      ['ImportValues', 'import-values', typedList('[]interface {}', dependency.importValues)],
      ['Alias', 'alias', dependency.alias],
    ],
    ['name', 'repository'],
  );
}
