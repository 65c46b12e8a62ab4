import { catalogue } from '#base/findings/catalogue';

/** Findings about charts and their values. */
export const CHART_FINDINGS = catalogue({
  'chart-incomplete': {
    severity: 'error',
    what: ({ missing }: { missing: string }) => `chart has no ${missing}`,
    why: "Without it, Argo CD does not find the chart, or its AppProject does not permit the chart's objects",
    fix: ({ missing }: { missing: string }) => `set ${missing} of the chart`,
  },
  'chart-exceeds-declaration/kinds': {
    severity: 'error',
    what: ({ chart, objects }: Record<'chart' | 'objects', string>) =>
      `Chart ${chart} renders objects of kinds that it does not declare: ${objects}`,
    why: 'Synth and the AppProject permit a chart only the kinds that it declares: objects of other kinds may grant or change more than its user expects',
    fix: ({ kinds }: { kinds: string }) =>
      `if the cluster should have them, set kinds of the chart: kinds: [${kinds}]; otherwise set the values that leave them out`,
  },
  'chart-exceeds-declaration/namespaces': {
    severity: 'error',
    what: ({ chart, objects, namespace }: Record<'chart' | 'objects' | 'namespace', string>) =>
      `Chart ${chart} renders objects outside of its namespace (${namespace}) and its foreignNamespaces: ${objects}`,
    why: 'Synth and the AppProject permit a chart only the namespaces that it declares: an object in another namespace can change the workloads in it',
    fix: ({ namespaces }: { namespaces: string }) =>
      `if the cluster should have them, set foreignNamespaces of the chart: foreignNamespaces: [${namespaces}]; otherwise set the values that leave them out`,
  },
  'chart-claims-object': {
    severity: 'error',
    what: ({ chart, annotation, value, objects }: Record<'chart' | 'annotation' | 'value' | 'objects', string>) =>
      `Chart ${chart} sets annotation ${annotation}: ${value} of ${objects}`,
    why: 'Argo CD sets this annotation itself, except on CRDs: it would treat a CRD as part of another Application, and prune it with that Application',
    fix: "set the values that leave the annotation out, or leave the chart to Argo CD with delivery: 'helm'",
  },
  'chart-steers-sync': {
    severity: 'warning',
    what: ({ chart, annotation, value, objects }: Record<'chart' | 'annotation' | 'value' | 'objects', string>) =>
      `Chart ${chart} sets annotation ${annotation}: ${value} of ${objects}`,
    why: 'It changes how Argo CD syncs, orders or compares the object: Argo CD may replace or delete the object at a sync, apply it before its dependencies, or ignore drift',
    fix: 'remove the annotation by the values of the chart or by patch(), or acknowledge the warning',
  },
  'value-contradicts-prop': {
    severity: 'error',
    what: ({ path, value, construct, decided }: Record<'path' | 'value' | 'construct' | 'decided', string>) =>
      `values.${path} is ${value}, but the props of ${construct} set it to ${decided}`,
    why: 'Everything else that is derived from the prop would disagree with the chart',
    fix: ({ path, prop }: { path: string; prop: string }) => `remove ${path} from values, and set the prop ${prop}`,
  },
  'value-contradicts-prop/own': {
    severity: 'error',
    what: ({ path, value, construct, decided }: Record<'path' | 'value' | 'construct' | 'decided', string>) =>
      `values.${path} is ${value}, but ${construct} sets it to ${decided}`,
    why: 'Everything else that the construct creates would disagree with the chart',
    fix: ({ path }: { path: string }) => `remove ${path} from values: no prop changes it`,
  },
  'value-set-twice': {
    severity: 'error',
    what: ({ path, one, value, other, decided }: Record<'path' | 'one' | 'value' | 'other' | 'decided', string>) =>
      `${one} sets values.${path} to ${value}, but ${other} sets it to ${decided}`,
    why: 'The chart uses one of the two, and the output of the other construct would disagree with it',
    fix: 'keep one of the two constructs, or give both the same props',
  },
  'values-set-late': {
    severity: 'error',
    what: ({ from, release }: { from: string; release: string }) =>
      `${from} sets values of ${release} after its objects were rendered`,
    why: 'The rendered objects, and the changes of them in code, do not have these values',
    fix: ({ from, release }: { from: string; release: string }) =>
      `create ${from} before the code that calls objects() or synth() of ${release}`,
  },
  'chart-delivery-refused': {
    severity: 'error',
    what: ({ chart }: { chart: string }) => `delivery is 'manifests', but there is no archive of chart ${chart}`,
    why: 'Synth renders the objects of a chart from its archive',
    fix: ({ chart }: { chart: string }) =>
      `run cdk8s-linkerd charts pull for ${chart}, and set charts of the Platform to the folder of the archives`,
  },
  'patch-unmatched': {
    severity: 'error',
    what: ({ object }: { object: string }) => `patch() changes ${object}, which is not in the chart`,
    why: 'The change would silently be lost',
    fix: ({ known }: { known: string }) => `name an object of the chart (${known}), or remove the patch`,
  },
  'patch-not-rendered': {
    severity: 'error',
    what: ({ object }: { object: string }) => `patch() changes ${object}, but Helm renders the chart in the cluster`,
    why: 'Its objects do not exist at synth: the change would silently be lost',
    fix: "set delivery to 'manifests' where the release can be rendered, or set values of the chart instead",
  },
});
