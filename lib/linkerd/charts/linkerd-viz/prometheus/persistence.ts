import type { PersistentVolumeClaim, PersistentVolumeClaimSpec, Volume } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { isEmpty } from '../../empty';
import { applicationLabels } from '../../metadata/labels';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { component, withCommonLabels } from '../metadata/labels';
import type { VizView } from '../viz-view';

const CLAIM = 'prometheus';

/** Tells whether Prometheus keeps what it scraped when its pod goes. */
export function hasVolume({ persistence }: VizView['prometheus']): boolean {
  return !isEmpty(persistence);
}

/**
 * Returns the volume on which Prometheus keeps what it scraped: one of its own, or one that lives as long as the pod.
 */
export function dataVolume(values: VizView['prometheus']): Volume {
  return hasVolume(values)
    ? { name: 'data', persistentVolumeClaim: { claimName: CLAIM } }
    : { name: 'data', emptyDir: {} };
}

/** The claim of that volume, if there is one. */
export function volumeClaim(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { persistence } = values.prometheus;
  if (persistence === undefined || !hasVolume(values.prometheus)) return [];
  const labels = { ...applicationLabels('prometheus', values.linkerdVersion), ...component('prometheus') };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: CLAIM, namespace, labels: withCommonLabels(values, labels) },
      spec: {
        accessModes: [persistence.accessMode] as PersistentVolumeClaimSpec['accessModes'],
        resources: { requests: { storage: print`${persistence.size}` } },
        ...(persistence.storageClass ? { storageClassName: persistence.storageClass } : {}),
      },
    } satisfies PersistentVolumeClaim,
  ];
}
