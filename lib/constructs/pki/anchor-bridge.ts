import { MAX_BRIDGE_LENGTH, type UnsignedBridgePolicy } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { BOOLEAN, keysOf } from '#kubernetes/options/known-keys';
import { PKI_FINDINGS } from './findings';

/**
 * Who signs the bridge, a certificate of the next anchor, if the key of the current anchor is not in the cluster. A
 * key in the cluster always signs the bridge.
 *
 * - `Key`: no bridge. All pods restart before the next anchor signs.
 * - `Request`: a user with the key, in a vault, an HSM or a safe. `cdk8s-linkerd anchor request` prints the certificate
 *   signing request.
 * - `Member`: another cluster, which lists this one in `certifies`. It certifies each anchor of this one, also while
 *   no rotation is in progress, so that its proxies accept proxies of this cluster without trusting the anchor.
 */
export type AnchorBridge =
  | {
      readonly signedBy: 'Key';
      readonly ifUnsigned?: never;
      readonly certificate?: never;
      readonly member?: never;
      readonly constrained?: never;
    }
  | (AnchorBridgeDeadline & {
      readonly signedBy: 'Request';
      readonly member?: never;
      readonly constrained?: never;
      /**
       * The signed certificate in PEM, followed by the CA certificates between it and the current anchor, if any. No
       * private keys. It may stay after the rotation, because the next request has another key.
       *
       * @default - the one in the ConfigMap linkerd-trust-anchor-bridge of cert-manager's namespace, if it exists
       */
      readonly certificate?: string;
    })
  | (AnchorBridgeDeadline & {
      readonly signedBy: 'Member';

      /** The cluster that certifies: the name in its prop `cluster`, and one of `members`. */
      readonly member: string;

      /**
       * Request certificates that are valid only for the trust domain of this cluster. Required if `certifies` of the
       * other cluster names the trust domain. Needs cert-manager 1.17 or later in both clusters.
       *
       * @default false
       */
      readonly constrained?: boolean;

      readonly certificate?: never;
    });

/** What to do without a signed bridge. */
export interface AnchorBridgeDeadline {
  /**
   * What to do when the bridge is not signed, and only restarts can still complete the rotation in time.
   *
   * - `Restart`: restart all pods before the next anchor signs, without a bridge.
   * - `Wait`: keep waiting, and raise an alert.
   *
   * @default 'Restart'
   */
  readonly ifUnsigned?: UnsignedBridgePolicy;
}

/** The keys of AnchorBridge. */
export const ANCHOR_BRIDGE = keysOf<AnchorBridge>({
  signedBy: true,
  ifUnsigned: true,
  certificate: true,
  member: true,
  constrained: BOOLEAN,
});

/** Checks a bridge: JavaScript may combine the options of several signers. */
export function checkBridge(bridge: AnchorBridge | undefined): readonly Problem[] {
  if (bridge === undefined) return [];
  const { signedBy, ifUnsigned = 'Restart', certificate, member, constrained }: AnyBridge = bridge;
  const isMember = signedBy === 'Member';
  return [
    ...wrong('bridge.signedBy', signedBy, SIGNERS.includes(signedBy), 'Key, Request or Member'),
    ...wrong(
      'bridge.member',
      member ?? constrained,
      isMember ? member !== undefined : member === undefined && constrained === undefined,
      "the name of a cluster with signedBy: 'Member', and only then",
    ),
    ...wrong('bridge.ifUnsigned', ifUnsigned, ['Restart', 'Wait'].includes(ifUnsigned), 'Restart or Wait'),
    ...wrong(
      'bridge.certificate',
      certificate === undefined ? undefined : `a text of ${certificate.length} characters`,
      certificate === undefined || (signedBy === 'Request' && isShort(certificate, MAX_BRIDGE_LENGTH)),
      `a certificate in PEM of at most ${MAX_BRIDGE_LENGTH} characters with signedBy: 'Request', and only then`,
    ),
  ];
}

const SIGNERS: readonly string[] = ['Key', 'Request', 'Member'] satisfies readonly AnchorBridge['signedBy'][];

interface AnyBridge extends AnchorBridgeDeadline {
  readonly member?: string;
  readonly constrained?: boolean;
  readonly signedBy: AnchorBridge['signedBy'];
  readonly certificate?: string;
}

/** Whether a text is absent, or has 1 to `most` characters. */
export function isShort(text: string | undefined, most: number): boolean {
  return text === undefined || (text.length > 0 && text.length <= most);
}

/** Reports an option of the rotation that is not right. */
export function wrong(field: string, value: unknown, isRight: boolean, allowed: string): readonly Problem[] {
  if (isRight) return [];
  const path = `trustAnchor.operator.${field}`;
  const parameters = { path, value: shownValue(value), allowed };
  return [PKI_FINDINGS.trustAnchorRefused(parameters, { about: path })];
}
