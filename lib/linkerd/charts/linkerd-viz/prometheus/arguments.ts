import { print } from '../../print';
import type { VizView } from '../viz-view';

/** The command line of Prometheus: the values' own options, and what it logs unless these say it. */
export function prometheusArguments(values: VizView): readonly string[] {
  const { args = {}, logLevel, logFormat } = values.prometheus;
  const given = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  // Prometheus has another name for what Linkerd calls plain.
  const format = (logFormat || values.defaultLogFormat)?.replaceAll('plain', 'logfmt');
  return [
    ...('log.level' in args ? [] : [print`--log.level=${logLevel || values.defaultLogLevel}`]),
    ...('log.format' in args ? [] : [print`--log.format=${format}`]),
    ...given.map(([option, value]) => (value ? `--${option}=${value}` : `--${option}`)),
  ];
}
