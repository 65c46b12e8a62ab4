import type { Cron, Duration } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import type { Values } from '#base/values';
import { isOfClass } from '#kubernetes/options/cdk8s-values';
import { checkGoDuration, goDuration } from '#kubernetes/options/duration-like';
import { PROXY_VALUE_FINDINGS } from '#linkerd/proxy-values/findings';
import { checkSubnets } from '#linkerd/proxy-values/subnets';
import { CONTROL_PLANE_FINDINGS } from './findings';

/** A webhook of the control plane. */
export interface ControlPlaneWebhook {
  /** The webhook's key in the values of the chart. */
  readonly valuesKey: 'proxyInjector' | 'profileValidator' | 'policyValidator';
  /** The Service that the API server calls. */
  readonly service: string;
  /** The Deployment that serves the webhook. */
  readonly deployment: string;
}

/** The webhooks of every control plane since 2.12. */
export const CONTROL_PLANE_WEBHOOKS: readonly ControlPlaneWebhook[] = [
  { valuesKey: 'proxyInjector', service: 'linkerd-proxy-injector', deployment: 'linkerd-proxy-injector' },
  { valuesKey: 'profileValidator', service: 'linkerd-sp-validator', deployment: 'linkerd-destination' },
  { valuesKey: 'policyValidator', service: 'linkerd-policy-validator', deployment: 'linkerd-destination' },
];

/** The facts that determine the values of a control plane. */
export interface ControlPlaneDecisions {
  readonly clusterDomain: string;
  readonly trustDomain: string;
  readonly issuanceLifetime: Duration;
  readonly clockSkewAllowance: Duration;
  /**
   * The certificate from which cert-manager's CA injector takes the CA of each webhook: `<namespace>/<Certificate>`.
   */
  readonly injectCaFrom: ReadonlyMap<ControlPlaneWebhook, string>;
  /** The CNI plugin sets up the pods' traffic rules, instead of an init container. */
  readonly cni: boolean;
  /** When the control plane reports its version; `false` for never, absent for the default. */
  readonly heartbeat?: Cron | false;
  /** The networks from which kubelets probe; absent if not given. */
  readonly nodeNetworks?: readonly string[] | undefined;
}

/** Returns the chart values that a control plane's props set; all other values keep the chart's defaults. */
export function controlPlaneValues(decisions: ControlPlaneDecisions): Values {
  return {
    clusterDomain: decisions.clusterDomain,
    identityTrustDomain: decisions.trustDomain,
    identity: {
      // The trust roots come from a ConfigMap and the issuer from a Secret, which trust-manager and cert-manager keep
      // up to date.
      externalCA: true,
      issuer: {
        scheme: 'kubernetes.io/tls',
        issuanceLifetime: written(decisions.issuanceLifetime),
        clockSkewAllowance: written(decisions.clockSkewAllowance),
      },
    },
    ...webhookValues(decisions.injectCaFrom),
    ...(decisions.cni ? { cniEnabled: true } : {}),
    ...heartbeatValues(decisions.heartbeat),
    ...probeValues(decisions.nodeNetworks),
  };
}

function webhookValues(injectCaFrom: ControlPlaneDecisions['injectCaFrom']): Values {
  return Object.fromEntries(
    CONTROL_PLANE_WEBHOOKS.map((webhook) => [
      webhook.valuesKey,
      { externalSecret: true, injectCaFrom: injectCaFrom.get(webhook) },
    ]),
  );
}

function probeValues(networks: readonly string[] | undefined): Values {
  return Array.isArray(networks) ? { policyController: { probeNetworks: [...networks] } } : {};
}

/** Reports networks that the policy controller cannot parse, and an empty list, which allows no probes. */
export function checkNodeNetworks(networks: readonly string[] | null | undefined): readonly Problem[] {
  if (networks === undefined || networks === null) return [];
  if (Array.isArray(networks) && networks.length > 0) {
    return checkSubnets('nodeNetworks', networks.map(String), PROXY_VALUE_FINDINGS.addressRefusedNodeNetwork);
  }
  return [
    CONTROL_PLANE_FINDINGS.controlPlaneValueRefusedNodeNetworks(
      { value: shownValue(networks) },
      { about: 'nodeNetworks' },
    ),
  ];
}

function heartbeatValues(heartbeat: Cron | false | undefined): Values {
  if (heartbeat === undefined) return {};
  if (heartbeat === false) return { disableHeartBeat: true };
  // checkHeartbeat reports a value that is not a Cron.
  return isOfClass('Cron', heartbeat) ? { heartbeatSchedule: heartbeat.expressionString } : {};
}

/** Undefined for a duration that Go cannot parse; the PKI reports it. */
function written(duration: Duration): string | undefined {
  return checkGoDuration('', duration).length > 0 ? undefined : goDuration(duration);
}
