import { showValue } from '#base/value-path';
import { isMap, type Values } from '#base/values';
import { ChartError } from '#helm/chart/chart-error';
import { jsonOf } from '#helm/chart/objects';
import type { OpenedChart } from '#helm/chart/open-chart';
import { readYaml } from '#helm/yaml/read-yaml';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { ChartFolder } from '../charts/chart-folder';
import { releaseChartFault } from './chart-faults';
import type { LinkerdCharts, LinkerdPart } from './charts';

/** A chart of a release, read from its archive. */
export interface ReleaseChart extends OpenedChart {
  /** Its `values.yaml`. */
  readonly defaults: Values;
  /** Its `values-ha.yaml`; empty if it has none. */
  readonly highAvailability: Values;
  /** The text of its templates, including those of its subcharts. */
  readonly source: string;
}

type Attempt = { readonly chart: ReleaseChart } | { readonly error: ChartError };

/** The charts of a release in a folder, each read on demand, once. */
export class ReleaseArchives {
  private readonly attempts = new Map<LinkerdPart, Attempt>();

  constructor(
    private readonly folder: ChartFolder,
    private readonly pinned: LinkerdCharts,
  ) {}

  /** Returns a chart, or the error if it cannot be read. */
  attempt(part: LinkerdPart): Attempt {
    const known = this.attempts.get(part);
    if (known !== undefined) return known;
    const attempt = this.read(part);
    this.attempts.set(part, attempt);
    return attempt;
  }

  /** Returns a chart; undefined if it cannot be read. */
  find(part: LinkerdPart): ReleaseChart | undefined {
    const attempt = this.attempt(part);
    return 'chart' in attempt ? attempt.chart : undefined;
  }

  /**
   * Returns a chart without which the release cannot be rendered.
   *
   * @throws ChartError if it cannot be read
   */
  need(part: LinkerdPart): ReleaseChart {
    const attempt = this.attempt(part);
    if ('error' in attempt) throw attempt.error;
    return attempt.chart;
  }

  private read(part: LinkerdPart): Attempt {
    const { name = '', version = '', repository = '', linkerdVersion = '' } = this.pinned[part] ?? {};
    if (version === '') {
      const fault = releaseChartFault('version-unset', { release: linkerdVersion, name });
      return { error: new ChartError({ chart: name, ...fault }) };
    }
    try {
      const opened = this.folder.open({ name, version });
      if (opened !== undefined) {
        const chart = releaseChart(opened);
        checkRelease(chart, linkerdVersion, part);
        return { chart };
      }
      const fault = releaseChartFault('version-missing', { folder: this.folder.path, name, version, repository });
      return { error: new ChartError({ chart: name, ...fault }) };
    } catch (error) {
      if (error instanceof ChartError) return { error };
      throw error;
    }
  }
}

/** Checks that a chart is of the release. Only the chart of the control plane must contain its release. */
function checkRelease({ chart, defaults }: ReleaseChart, release: string, part: LinkerdPart): void {
  const { linkerdVersion } = defaults;
  if (linkerdVersion === release || (linkerdVersion === undefined && part !== 'controlPlane')) return;
  throw new ChartError({
    chart: chart.metadata.name,
    file: 'values.yaml',
    subject: 'linkerdVersion',
    ...releaseChartFault('release-differs', { value: showValue(linkerdVersion), release }),
  });
}

function releaseChart(opened: OpenedChart): ReleaseChart {
  const { chart } = opened;
  const profile = chart.files.find(({ name }) => name === 'values-ha.yaml');
  return {
    ...opened,
    defaults: deepFreeze(jsonOf(chart.values) as Values),
    highAvailability: deepFreeze(profile === undefined ? {} : valuesIn(profile.data, chart.metadata.name)),
    source: sourceOf(chart),
  };
}

function valuesIn(data: Uint8Array, chart: string): Values {
  const file = 'values-ha.yaml';
  try {
    const values = jsonOf(readYaml(new TextDecoder().decode(data)));
    if (values === null || isMap(values)) return values ?? {};
  } catch (cause) {
    const fault = releaseChartFault('profile-invalid', { quote: (cause as Error).message });
    throw new ChartError({ chart, file, ...fault }, { cause });
  }
  throw new ChartError({ chart, file, ...releaseChartFault('profile-no-map', {}) });
}

function sourceOf({ templates, dependencies }: OpenedChart['chart']): string {
  const texts = templates.map(({ data }) => new TextDecoder().decode(data));
  return [...texts, ...dependencies.map(sourceOf)].join('\n');
}
