import { mergeValues } from '#base/values';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { expectedFingerprints, readFingerprints } from '#tools/conformance/fingerprint';
import { allVariants, chartNameOf, knownRenders } from '#tools/conformance/known-renders';
import { releaseNamed } from '#tools/conformance/releases';

test.each(knownRenders().filter(({ chart }) => chart !== 'linkerd-crds'))(
  '$chart of $group declares all kinds and namespaces that Helm renders, with any values',
  ({ chart, group, file }) => {
    const { pinned, namespace, defaults, writesTo } = nativeChartOf(chartNameOf(chart), releaseNamed(group));
    const known = readFingerprints(file);
    const undeclared = new Set<string>();
    for (const variant of allVariants(known)) {
      const values = mergeValues(mergeValues(defaults, known.base.baseValues), variant.values);
      const namespaces = ['', '-', namespace, ...pinned.foreignNamespaces, ...(writesTo?.(values) ?? [])];
      for (const key of Object.keys(expectedFingerprints(known.base, variant))) {
        const [, apiGroup = '', kind = key, place = key] =
          /^(?:(.*)\/)?[^/]+\/([^/]+)\/([^/]*)\/[^/]+$/.exec(key) ?? [];
        if (!pinned.kinds.some((declared) => declared === `${apiGroup}/${kind}`)) undeclared.add(`${apiGroup}/${kind}`);
        if (!namespaces.includes(place)) undeclared.add(`${variant.name}: ${place}`);
      }
    }
    expect([...undeclared]).toEqual([]);
  },
);
