import { remembered } from '#base/remembered';
import { type Values, valueAt } from '#base/values';
import type { Reference } from '#kubernetes/objects/references';
import type { NativeRenderer, RenderedChart } from '../../charts/chart';
import { partDefaults } from '../../releases/chart-defaults';
import type { MulticlusterTemplates } from '../../releases/groups/multicluster';
import type { Release } from '../../releases/release';
import { controlPlaneNamespace, named, pullSecrets } from '../chart-references';
import { ownChart } from '../own-chart';
import { linkNames, remoteAccounts } from './named-values';

/** The namespace of the multi-cluster extension. */
export const MULTICLUSTER_NAMESPACE = 'linkerd-multicluster';

/** Returns the chart linkerd-multicluster of a release; undefined if its chart has no service mirrors. */
export function multiclusterChart(release: Release): RenderedChart | undefined {
  const { multicluster: pinned } = release.charts;
  const { multicluster: group } = release.groups;
  if (pinned === undefined || group === undefined) return undefined;
  const own = ownChart(release, 'multicluster', MULTICLUSTER_NAMESPACE);
  return {
    pinned,
    namespace: MULTICLUSTER_NAMESPACE,
    get defaults() {
      return partDefaults(release, 'multicluster');
    },
    provides,
    requires: (values, namespace) => [
      ...linkNames(values).flatMap((name) => named('Secret', namespace, [`cluster-credentials-${name}`])),
      ...pullSecrets(values, namespace),
    ],
    get native() {
      return own?.native ?? native(group.templates);
    },
    writesTo: controlPlaneNamespace,
    checkGiven: own?.checkGiven,
  };
}

function provides(values: Values, namespace: string): readonly Reference[] {
  const mirrors = linkNames(values).map((name) => `controller-${name}`);
  const gateway = valueAt(values, 'gateway.enabled') === true ? [`${valueAt(values, 'gateway.name')}`] : [];
  const accounts = ['linkerd-local-service-mirror', ...mirrors, ...gateway, ...remoteAccounts(values)];
  return [
    ...named('ServiceAccount', namespace, accounts),
    ...named('Service', namespace, gateway),
    { kind: 'CustomResourceDefinition', name: 'links.multicluster.linkerd.io' },
  ];
}

const native = remembered((templates: MulticlusterTemplates): NativeRenderer => {
  const { multiclusterRenderer } = require('./multicluster') as typeof import('./multicluster');
  return multiclusterRenderer(templates);
});
