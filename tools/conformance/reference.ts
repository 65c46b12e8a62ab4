import { basename, dirname, resolve } from 'node:path';
import { mergeValues, type Values } from '#base/values';
import { changedValues } from '#lib/cli/migrate/remaining-values';
import type { Release } from '#linkerd/releases/release';
import type { RenderedChartName } from '#linkerd/renderers/chart-names';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { fingerprintFile } from './fingerprint';
import { chartDefaults, chartIdentity, type HelmChart, type HelmRender, helmRender } from './helm-chart';
import { chartNameOf, FINGERPRINTS } from './known-renders';
import { readRecording } from './recording';
import { groupOf, releaseNamed, releaseOfChart, statedRelease } from './releases';
import { BASE, readVariants, type Variant } from './variants';

/** Renders of variants by Helm, new or recorded, and the release that they are compared with. */
export interface Reference {
  readonly chart: RenderedChartName;
  /** The name of the release of the renders. */
  readonly of: string;
  /** The known release whose renderer is compared with them. */
  readonly release: Release;
  readonly variants: readonly Variant[];
  /** The default values of the chart that are missing or different in the known release. */
  readonly ownValues: Values;
  readonly render: (variant: Variant) => Promise<HelmRender>;
}

interface ReferenceOptions {
  /**
   * The name of the known release.
   *
   * @default - the release of the chart, or of the folder of renders
   */
  readonly release?: string | undefined;
}

/** A chart that Helm renders for all known variants, or for those in a file. */
export async function chartReference(
  chart: HelmChart,
  options: ReferenceOptions & { readonly variants?: string | undefined },
): Promise<Reference> {
  const identity = await chartIdentity(chart);
  const name = chartNameOf(identity.name);
  const release = releaseOfChart(name, identity, options.release);
  const { defaults, namespace } = nativeChartOf(name, release);
  const known = fingerprintFile(FINGERPRINTS, name, groupOf(name, release.version));
  const own = await chartDefaults(chart);
  return {
    chart: name,
    of: options.release === undefined ? release.version : statedRelease(identity),
    release,
    // The native renderer needs the version, which a chart of another release contains, as a value.
    variants: readVariants(options.variants ?? known).map(({ name: variant, values }) => ({
      name: variant,
      values: own.linkerdVersion === undefined ? values : { linkerdVersion: own.linkerdVersion, ...values },
    })),
    ownValues: changedValues(defaults, own),
    render: ({ values }) => helmRender(chart, namespace, values),
  };
}

/** A folder CHART/RELEASE of recorded renders. */
export function recordedReference(folder: string, { release }: ReferenceOptions): Reference {
  const { baseValues, base, variants } = readRecording(folder);
  const recorded = new Map(variants.map(({ name, objects }) => [name, objects]));
  const of = basename(resolve(folder)).replace(/-mixed$/, '');
  return {
    chart: chartNameOf(basename(dirname(resolve(folder)))),
    of,
    release: releaseNamed(release ?? of),
    ownValues: {},
    variants: [
      { name: BASE, values: baseValues },
      ...variants.map(({ name, values }) => ({ name, values: mergeValues(baseValues, values) })),
    ],
    render: async ({ name }) => {
      const objects = name === BASE ? base : recorded.get(name);
      return objects === undefined ? { refused: 'these values' } : { objects };
    },
  };
}
