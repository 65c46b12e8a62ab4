import type { Volume } from '../../../../../imports/kubernetes';
import type { ControlPlaneView } from '../control-plane-view';
import { END_ENTITY_VOLUME, TOKEN_VOLUME } from './identity-volumes';

/** Name of the volume with the labels and annotations of the pod. */
export const POD_INFO = 'linkerd-podinfo';

/** The volumes of a pod that its proxy and what redirects its traffic use. */
export function proxyVolumes(values: ControlPlaneView): readonly Volume[] {
  const { cniEnabled, proxyInit, identity } = values;
  return [
    ...(cniEnabled ? [] : [{ emptyDir: {}, name: proxyInit.xtMountPath.name ?? '' }]),
    ...(identity.serviceAccountTokenProjection ? [TOKEN_VOLUME] : []),
    END_ENTITY_VOLUME,
    ...(hasPodInfo(values) ? [POD_INFO_VOLUME] : []),
  ];
}

/** Tells whether the proxy reads its pod's labels and annotations, to send them along with its traces. */
export function hasPodInfo({ proxy, templates }: ControlPlaneView): boolean {
  return templates.podInfo && Boolean(proxy.tracing.enabled);
}

const POD_INFO_VOLUME: Volume = {
  downwardAPI: {
    items: [
      { fieldRef: { fieldPath: 'metadata.labels' }, path: 'labels' },
      { fieldRef: { fieldPath: 'metadata.annotations' }, path: 'annotations' },
    ],
  },
  name: POD_INFO,
};
