import { RELEASES } from '#linkerd/releases/known-releases';
import { RENDERED_CHART_NAMES } from '#linkerd/renderers/chart-names';
import { nativeChartOf } from '#linkerd/renderers/native-charts';
import { fingerprintFile, readFingerprints } from '#tools/conformance/fingerprint';
import { allVariants, FINGERPRINTS, knownRenders, unlikeKnown } from '#tools/conformance/known-renders';
import { groupOf, releaseNamed } from '#tools/conformance/releases';
import { renderedReleases } from '#tools/conformance/rendered-releases';
import { runs } from '../support/depth';

// These tests compare a sample of the variants; `npx tsx tools/conformance/run.ts --all` compares all of them.

/** The number of compared variants in each group. */
const SAMPLE = runs(16);

const charts = RENDERED_CHART_NAMES.flatMap((name) =>
  renderedReleases(name).map(({ release }) => ({ name, version: release })),
);
const groups = [...Map.groupBy(charts, ({ name, version }) => `${name} ${groupOf(name, version)}`)].map(
  ([title, ofGroup]) => ({
    title,
    releases: ofGroup.map(({ version }) => version),
    name: ofGroup[0]?.name ?? 'linkerd-viz',
  }),
);

/** Returns each n-th item. Groups start at different items, so that together they cover nearly all. */
function sample<T>(items: readonly T[], group: number): readonly T[] {
  const step = Math.ceil(items.length / SAMPLE);
  return items.filter((_, index) => index % step === group % step);
}

test('known renders name only groups of known releases', () => {
  for (const { group } of knownRenders()) expect(RELEASES.map(([version]) => version)).toContain(group);
});

describe.each(groups)('the renderer of $title', ({ title, name, releases }) => {
  const [newest = ''] = releases;
  const { base, variants } = readFingerprints(fingerprintFile(FINGERPRINTS, name, groupOf(name, newest)));
  const number = groups.findIndex((group) => group.title === title);

  test.each(sample(allVariants({ base, variants }), number))('renders what the chart renders with $name', (variant) => {
    expect(unlikeKnown(nativeChartOf(name, releaseNamed(newest)), base, variant)).toEqual([]);
  });

  test.each(releases)('renders what the chart of %s renders with the base values', (release) => {
    const [variant] = allVariants({ base, variants });
    expect(variant && unlikeKnown(nativeChartOf(name, releaseNamed(release)), base, variant)).toEqual([]);
  });
});
