import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** Findings about charts and their values. */
export const CHART_FINDINGS = catalogue({
  'chart-incomplete': {
    severity: 'error',
    what: ({ missing }: { missing: string }) => `chart has no ${missing}`,
    why: 'Without it, Argo CD would not know what to deploy, and its project would not know what to permit',
    fix: ({ missing }: { missing: string }) => `set ${missing} of the chart`,
  },
  'value-contradicts-prop': {
    severity: 'error',
    what: ({ path, value, construct, decided }: Record<'path' | 'value' | 'construct' | 'decided', string>) =>
      `values.${path} is ${value}, but the props of ${construct} set it to ${decided}`,
    why: 'Everything else that is derived from the prop would disagree with the chart',
    fix: ({ path }: { path: string }) => `remove ${path} from values and set the prop`,
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
      `${from} decides values of ${release}, whose objects were rendered before`,
    why: 'The objects, and the changes that code made to them, belong to other values',
    fix: ({ from, release }: { from: string; release: string }) =>
      `create ${from} before the code that calls objects() or synth() of ${release}`,
  },
  'chart-delivery-refused': {
    severity: 'error',
    what: ({ chart }: { chart: string }) => `delivery is 'manifests', but there is no archive of chart ${chart}`,
    why: 'Without the archive its objects are not known at synth',
    fix: ({ chart }: { chart: string }) =>
      `run cdk8s-linkerd charts pull for ${chart}, and set charts of the Platform to the folder of the archives`,
  },
  'patch-unmatched': {
    severity: 'error',
    what: ({ object }: { object: string }) => `patch() changes ${object}, which the chart does not have`,
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
