import type { Volume, VolumeMount } from '../../../../../imports/kubernetes';

/** The folder in which a proxy keeps its key and its certificate, in memory. */
export const IDENTITY_DIR = '/var/run/linkerd/identity/end-entity';
/** The folder in which a proxy finds the token by which it proves its service account. */
export const TOKEN_DIR = '/var/run/secrets/tokens';
export const TOKEN_NAME = 'linkerd-identity-token';

const END_ENTITY = 'linkerd-identity-end-entity';

export const END_ENTITY_MOUNT: VolumeMount = { mountPath: IDENTITY_DIR, name: END_ENTITY };
export const END_ENTITY_VOLUME: Volume = { emptyDir: { medium: 'Memory' }, name: END_ENTITY };

export const TOKEN_MOUNT: VolumeMount = { mountPath: TOKEN_DIR, name: TOKEN_NAME };

/** A token of one day that is good for nothing but to ask for a certificate. */
export const TOKEN_VOLUME: Volume = {
  name: TOKEN_NAME,
  projected: {
    sources: [
      { serviceAccountToken: { audience: 'identity.l5d.io', expirationSeconds: 24 * 60 * 60, path: TOKEN_NAME } },
    ],
  },
};
