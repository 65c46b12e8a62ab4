import type { Volume, VolumeMount } from '#imports/kubernetes';
import { isEmpty } from '../../empty';
import { unquoted } from '../../print';
import type { ControlPlaneView } from '../control-plane-view';
import { IDENTITY_DIR, TOKEN_DIR, TOKEN_NAME } from './environment';

/** Name of the volume with the labels and annotations of the pod. */
export const POD_INFO = 'linkerd-podinfo';

/** Returns the volumes for a pod's proxy and the redirection of its traffic. */
export function proxyVolumes(values: ControlPlaneView): readonly Volume[] {
  const { cniEnabled, proxyInit, identity } = values;
  return [
    ...(cniEnabled ? [] : [{ emptyDir: {}, name: unquoted(proxyInit.xtMountPath.name) ?? '' }]),
    ...(identity.serviceAccountTokenProjection ? [TOKEN_VOLUME] : []),
    END_ENTITY_VOLUME,
    ...(hasPodInfo(values) ? [POD_INFO_VOLUME] : []),
  ];
}

/** Whether the proxy reads its pod's labels and annotations, to add them to its traces. */
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

const END_ENTITY = 'linkerd-identity-end-entity';

export const END_ENTITY_MOUNT: VolumeMount = { mountPath: IDENTITY_DIR, name: END_ENTITY };
const END_ENTITY_VOLUME: Volume = { emptyDir: { medium: 'Memory' }, name: END_ENTITY };

export const TOKEN_MOUNT: VolumeMount = { mountPath: TOKEN_DIR, name: TOKEN_NAME };

/** A token that is valid for one day, and only for requesting a certificate. */
const TOKEN_VOLUME: Volume = {
  name: TOKEN_NAME,
  projected: {
    sources: [
      { serviceAccountToken: { audience: 'identity.l5d.io', expirationSeconds: 24 * 60 * 60, path: TOKEN_NAME } },
    ],
  },
};

interface TokenMountValues {
  readonly mountPath?: string | undefined;
  readonly name?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** Mounts the service account's token if the values contain a path. */
export function tokenMount(values: TokenMountValues | undefined): readonly VolumeMount[] {
  if (values === undefined || isEmpty(values)) return [];
  return [
    { mountPath: unquoted(values.mountPath) ?? '', name: unquoted(values.name) ?? '', readOnly: values.readOnly },
  ];
}
