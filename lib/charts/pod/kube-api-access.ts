import type { Volume, VolumeMount } from '../../../imports/kubernetes';

const NAME = 'kube-api-access';

/** The mount at which a container finds what it needs to call the API server. */
export const KUBE_API_ACCESS_MOUNT: VolumeMount = {
  mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  name: NAME,
  readOnly: true,
};

/**
 * The volume that Kubernetes mounts into every container of a pod unless told otherwise; here only the containers that
 * call the API server get it. Mode and lifetime are those of the API server's own admission plugin.
 */
export const KUBE_API_ACCESS: Volume = {
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
