import type { Volume } from '../../../../imports/kubernetes';
import type { ControlPlaneView } from '../control-plane-view';
import { END_ENTITY_VOLUME, TOKEN_VOLUME } from './identity-volumes';

/** Name of the volume with the labels and annotations of the pod. */
export const POD_INFO = 'linkerd-podinfo';

/** The volumes of a pod that its proxy and what redirects its traffic use. */
export function proxyVolumes({ cniEnabled, proxyInit, identity, proxy }: ControlPlaneView): readonly Volume[] {
  return [
    ...(cniEnabled ? [] : [{ emptyDir: {}, name: proxyInit.xtMountPath.name ?? '' }]),
    ...(identity.serviceAccountTokenProjection ? [TOKEN_VOLUME] : []),
    END_ENTITY_VOLUME,
    ...(proxy.tracing.enabled ? [POD_INFO_VOLUME] : []),
  ];
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
