import { anchorPolicy } from '../../../../operator/api/anchor/policy';
import { TRUST_ANCHOR_DEFAULTS, type TrustAnchorSpec } from '../../../../operator/api/trust-anchor';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import { isMap, type Value, type Values, valueAt } from '../../../kubernetes/values';
import type { AnchorFacts, CertificateFacts, PkiFacts } from '../model';
import { certificatesIn, milliseconds, trustAnchorIn } from './certificates';

/** Linkerd's own defaults (values.yaml of linkerd-control-plane). */
const ISSUANCE_LIFETIME = 24 * 3_600_000;
const CLOCK_SKEW = 20_000;

/** Reads the identity of a mesh: its certificates, and who replaces its anchor. */
export function pkiIn(objects: readonly KubernetesObject[], values: Values): PkiFacts {
  const certificates = certificatesIn(objects);
  const trustAnchor = trustAnchorIn(objects);
  const issuer = (path: string) => milliseconds(valueAt(values, `identity.issuer.${path}`));
  const spec = trustAnchor === undefined ? undefined : specOf(trustAnchor);
  const issuanceLifetime = milliseconds(spec?.issuanceLifetime) ?? issuer('issuanceLifetime') ?? ISSUANCE_LIFETIME;
  const clockSkewAllowance = milliseconds(spec?.clockSkewAllowance) ?? issuer('clockSkewAllowance') ?? CLOCK_SKEW;
  const anchor = certificates.find(({ role }) => role === 'anchor');
  const facts =
    anchor && anchorFacts(anchor, { ...TRUST_ANCHOR_DEFAULTS, ...spec }, issuanceLifetime + clockSkewAllowance);
  return {
    certificates,
    issuanceLifetime,
    clockSkewAllowance,
    identityReplicas: identityReplicas(objects, values),
    rotation: rotationOf(anchor, trustAnchor !== undefined),
    ...(facts && { anchor: facts }),
  };
}

function rotationOf(anchor: CertificateFacts | undefined, isOperated: boolean): PkiFacts['rotation'] {
  if (isOperated) return 'operator';
  if (anchor === undefined) return 'none';
  return anchor.renewsItself ? 'automatic-unsafe' : 'manual';
}

/** The spec as far as it is one: anybody may have edited it. */
function specOf({ spec }: KubernetesObject): Partial<TrustAnchorSpec> {
  return isMap(spec as Value) ? (spec as Partial<TrustAnchorSpec>) : {};
}

/** The anchor's windows and its policy. What is asked for besides holds for the rotation that goes on, and not for the next one. */
function anchorFacts(
  { duration, renewBefore }: CertificateFacts,
  spec: TrustAnchorSpec,
  leafReach: number,
): AnchorFacts {
  const { laggards: usual, ...others } = TRUST_ANCHOR_DEFAULTS;
  const laggards = isMap(spec.laggards as unknown as Value) ? { ...usual, ...spec.laggards } : usual;
  const policy = anchorPolicy({ ...others, ...spec, laggards }, undefined);
  return {
    policy: {
      ...policy,
      duration,
      renewBefore,
      leafReach,
      restartTime: numberOf(laggards.progressDeadlineSeconds, usual.progressDeadlineSeconds) * 1000,
      parallelRestarts: Math.max(1, numberOf(laggards.maxUnavailableWorkloads, 1)),
      laggards: ['Report', 'Restart', 'Never'].includes(laggards.policy) ? laggards.policy : 'Report',
      paused: false,
      abort: false,
      members: [],
    },
    hasWindows: Array.isArray(spec.windows) && spec.windows.length > 0,
  };
}

function numberOf(value: unknown, usual: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : usual;
}

function identityReplicas(objects: readonly KubernetesObject[], values: Values): number {
  const deployment = objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'linkerd-identity',
  );
  const replicas = valueAt((deployment ?? {}) as Values, 'spec.replicas') ?? valueAt(values, 'controllerReplicas');
  return Math.min(9, Math.max(1, Math.round(numberOf(replicas, 1))));
}
