import type { AskedSigner } from '../../../../packages/anchor/trust-anchor';
import { anchorName, GENERATION_LABEL, type TrustAnchorSpec } from '../../../../packages/anchor/trust-anchor';
import { goDurationMs } from '../../../../packages/base/go-duration';
import { MINUTE } from '../../../../packages/base/time-units';
import type { KubeObject } from '../../../../packages/controller-runtime/objects/kube-object';
import { anchorCertificate } from '../../../api/anchor-certificate';
import type { Certificate, Issuer } from '../../pki/cert-manager';

/** cert-manager's minimum renewBefore. A renewal keeps the key, so a late one is better. */
const RENEW_BEFORE_MS = 5 * MINUTE;

/** For anchors that live for minutes, the share of their life before expiry at which they are renewed. */
const SHARE = 3;

/**
 * Returns the Certificate of a generation. An existing one keeps the fields that would make cert-manager reissue it,
 * whatever the spec says now.
 */
export function anchorBody(
  spec: TrustAnchorSpec,
  wanted: { readonly generation: number; readonly signer: AskedSigner; readonly bundled: boolean },
  live: Certificate | undefined,
): KubeObject {
  const duration = live?.spec.duration ?? spec.duration;
  const made = anchorCertificate({ ...spec, duration }, { ...wanted, renewBefore: renewBefore(duration) });
  if (live === undefined) return made;
  const { commonName = made.spec.commonName, privateKey } = live.spec;
  const { algorithm = made.spec.privateKey.algorithm, size = made.spec.privateKey.size } = privateKey ?? {};
  return {
    ...made,
    spec: { ...made.spec, commonName, privateKey: { ...made.spec.privateKey, algorithm, size } },
  } as KubeObject;
}

function renewBefore(duration: string): string {
  const ms = goDurationMs(duration) ?? 0;
  return ms > SHARE * RENEW_BEFORE_MS ? '5m' : `${Math.max(1, Math.floor(ms / SHARE / 1_000))}s`;
}

/** Returns the Issuer that signs with a generation's key. */
export function issuerBody(
  { certManagerNamespace: namespace }: TrustAnchorSpec,
  generation: number,
  annotations?: Readonly<Record<string, string>>,
): Issuer {
  const name = anchorName(generation);
  const labels = { 'app.kubernetes.io/part-of': 'Linkerd', [GENERATION_LABEL]: `${generation}` };
  return {
    metadata: { name, namespace, labels, ...(annotations && { annotations }) },
    spec: { ca: { secretName: name } },
  };
}
