import type { PodSpec, Volume, VolumeMount } from '#imports/kubernetes';

const NAME = 'kube-api-access';

const KUBE_API_ACCESS_MOUNT: VolumeMount = {
  mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  name: NAME,
  readOnly: true,
};

/**
 * The volume that Kubernetes mounts into every container of a pod by default. Only the containers that call the API
 * server get it. Mode and lifetime are those of the API server's own admission plugin.
 */
const KUBE_API_ACCESS: Volume = {
  name: NAME,
  projected: {
    defaultMode: 0o644,
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
      {
        downwardAPI: {
          items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }],
        },
      },
    ],
  },
};

/** Values for mounting a service account's token into the containers that call the API server. */
export interface ApiAccessValues {
  readonly templates: { readonly apiAccess: 'volume' | 'automount' };
}

/** Keeps Kubernetes from mounting the token into all containers of a pod, if containers mount it themselves. */
export function tokenAutomount({ templates }: ApiAccessValues): Pick<PodSpec, 'automountServiceAccountToken'> {
  return templates.apiAccess === 'volume' ? { automountServiceAccountToken: false } : {};
}

/** Returns the volume with the token. */
export function apiAccessVolumes({ templates }: ApiAccessValues): readonly Volume[] {
  return templates.apiAccess === 'volume' ? [KUBE_API_ACCESS] : [];
}

/** Returns the mount of the token. */
export function apiAccessMounts({ templates }: ApiAccessValues): readonly VolumeMount[] {
  return templates.apiAccess === 'volume' ? [KUBE_API_ACCESS_MOUNT] : [];
}
