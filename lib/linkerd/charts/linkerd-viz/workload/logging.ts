import { print } from '../../print';
import type { VizView } from '../viz-view';
import type { ComponentValues } from './component-values';

/** Arguments that say what a component logs, and how. */
export function logArguments(
  values: VizView,
  { logLevel, logFormat }: Pick<ComponentValues, 'logLevel' | 'logFormat'>,
): readonly string[] {
  return [
    print`-log-level=${logLevel || values.defaultLogLevel}`,
    print`-log-format=${logFormat || values.defaultLogFormat}`,
  ];
}

/** The components can serve profiles of themselves, but the chart has no value for it. */
export const NO_PROFILES = '-enable-pprof=false';
