import type { EnvVar } from '../../../../../imports/kubernetes';
import { TRUST_ROOTS, TRUST_ROOTS_KEY } from '../../../../../operator/api/trust-anchor';
import { env, envFromField } from '../../pod/environment';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';
import { IDENTITY_DIR, TOKEN_DIR, TOKEN_NAME } from './identity-volumes';
import type { MeshedPod } from './meshed-pod';

/** Returns the variables by which a proxy gets its certificate, and knows whose to expect of the control plane. */
export function identityEnvironment(
  values: ControlPlaneView,
  { namespace }: RenderContext,
  pod: MeshedPod,
): readonly EnvVar[] {
  const domain = trustDomain(values);
  const identityOf = (account: string) => `${account}.serviceaccount.identity.${namespace}.${domain}`;
  const service = `linkerd-identity-headless.${namespace}.svc.${values.clusterDomain ?? ''}.:8080`;
  return [
    envFromField('_pod_sa', 'spec.serviceAccountName'),
    env('_l5d_ns', namespace),
    env('_l5d_trustdomain', domain),
    env('LINKERD2_PROXY_IDENTITY_DIR', IDENTITY_DIR),
    {
      name: 'LINKERD2_PROXY_IDENTITY_TRUST_ANCHORS',
      // Pods outside of the control plane are given their text instead.
      valueFrom: { configMapKeyRef: { key: TRUST_ROOTS_KEY, name: TRUST_ROOTS } },
    },
    env('LINKERD2_PROXY_IDENTITY_TOKEN_FILE', tokenFile(values)),
    env('LINKERD2_PROXY_IDENTITY_SVC_ADDR', pod.name === 'linkerd-identity' ? 'localhost.:8080' : service),
    env('LINKERD2_PROXY_IDENTITY_LOCAL_NAME', identityOf('$(_pod_sa).$(_pod_ns)')),
    env('LINKERD2_PROXY_IDENTITY_SVC_NAME', identityOf(`linkerd-identity.${namespace}`)),
    env('LINKERD2_PROXY_DESTINATION_SVC_NAME', identityOf(`linkerd-destination.${namespace}`)),
    env('LINKERD2_PROXY_POLICY_SVC_NAME', identityOf(`linkerd-destination.${namespace}`)),
  ];
}

function tokenFile({ identity }: ControlPlaneView): string {
  return identity.serviceAccountTokenProjection
    ? print`${TOKEN_DIR}/${TOKEN_NAME}`
    : '/var/run/secrets/kubernetes.io/serviceaccount/token';
}
