import { MAX_BRIDGE_LENGTH, type UnsignedBridgePolicy } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';
import { BOOLEAN, keysOf } from '#kubernetes/options/known-keys';
import { PKI_FINDINGS } from './findings';

/**
 * How the bridge to the next anchor is signed if the key of the present one is not in the cluster. An anchor whose key is
 * in the cluster always signs the bridge itself.
 *
 * - `Key`: no bridge. All pods restart before the next anchor signs.
 * - `Request`: by a user with that key, in a vault, an HSM or a safe, who is shown a certificate signing request:
 *   `cdk8s-linkerd anchor request`.
 * - `Member`: by another cluster, which certifies each anchor of this one, also while no rotation is in progress: its
 *   proxies then accept those of this cluster without knowing the anchor. It names this cluster in `certifies`.
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
       * The signed certificate in PEM, followed by the CA certificates between it and the present anchor, if any. No
       * private keys. It may stay when the rotation is done: the next request has another key.
       *
       * @default - that in the ConfigMap linkerd-trust-anchor-bridge of cert-manager's namespace, if there is one
       */
      readonly certificate?: string;
    })
  | (AnchorBridgeDeadline & {
      readonly signedBy: 'Member';

      /** The cluster that certifies, by its `cluster`; one of `members`. */
      readonly member: string;

      /**
       * Ask for certificates that are valid for the trust domain of this cluster only: required by a cluster whose
       * `certifies` names it. Needs cert-manager 1.17 or later in both clusters.
       *
       * @default false
       */
      readonly constrained?: boolean;

      readonly certificate?: never;
    });

/** What happens without a bridge. */
export interface AnchorBridgeDeadline {
  /**
   * What to do when the bridge is not signed, and only restarts would still be in time.
   *
   * - `Restart`: do without it, and restart all pods before the next anchor signs.
   * - `Wait`: go on waiting, and raise an alert.
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

/** Checks a bridge: the compiler keeps only typed code from combining the options of several signers. */
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

/** Returns the problem of an option of the rotation that is not right. */
export function wrong(field: string, value: unknown, isRight: boolean, allowed: string): readonly Problem[] {
  if (isRight) return [];
  const path = `trustAnchor.operator.${field}`;
  const parameters = { path, value: shownValue(value), allowed };
  return [PKI_FINDINGS.trustAnchorRefused(parameters, { about: path })];
}
