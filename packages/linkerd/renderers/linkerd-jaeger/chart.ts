import { valueAt } from '#base/values';
import type { NativeRenderer, RenderedChart } from '../../charts/chart';
import { partDefaults } from '../../releases/chart-defaults';
import type { Release } from '../../releases/release';
import { controlPlaneNamespace, named, pullSecrets } from '../chart-references';
import { ownChart } from '../own-chart';

/** Returns the chart linkerd-jaeger of a release; undefined if tracing is part of the control plane. */
export function jaegerChart(release: Release): RenderedChart | undefined {
  const { jaeger: pinned } = release.charts;
  if (pinned === undefined) return undefined;
  const own = ownChart(release, 'jaeger', 'linkerd-jaeger');
  return {
    pinned,
    namespace: 'linkerd-jaeger',
    get defaults() {
      return partDefaults(release, 'jaeger');
    },
    provides: (values, namespace) => {
      const parts = ['collector', 'jaeger'].filter((part) => valueAt(values, `${part}.enabled`) === true);
      const components = ['jaeger-injector', ...parts];
      return [...named('Service', namespace, components), ...named('ServiceAccount', namespace, components)];
    },
    requires: pullSecrets,
    get native() {
      return own?.native ?? native();
    },
    writesTo: controlPlaneNamespace,
    checkGiven: own?.checkGiven,
  };
}

function native(): NativeRenderer {
  const { JAEGER_RENDERER } = require('./jaeger') as typeof import('./jaeger');
  return JAEGER_RENDERER;
}
