import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import type { Deployment, NetworkPolicy, ServiceAccount } from '#imports/kubernetes';
import { keysOf, part, required } from '#kubernetes/options/known-keys';
import { INJECT } from '#linkerd/annotations';
import { account, role, roleBinding } from '#linkerd/renderers/metadata/rbac';
import { exchangeRules } from '#operator/api/rbac/exchange';
import { policyRule } from '#operator/api/rbac/rule';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { type OperatorImage, operatorImageKeys } from '../../gitops/tree/operator-image';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import type { Link } from '../multicluster/link';
import { type AnchorFacts, anchorFacts, compareAnchors } from '../pki/anchor-facts';
import { OPERATOR_FINDINGS } from './findings';
import { checkOperatorImage, chooseOperatorImage } from './operator-image';
import { OPERATOR_PORTS } from './operator-names';
import { operatorPod } from './operator-pod';

/** Props of AnchorExchange. */
export interface AnchorExchangeProps {
  /** The link to the other cluster, whose report is read with the link's credentials. */
  readonly link: Link;

  /**
   * The operator's image, which contains the program.
   *
   * @default - the `operatorImage` of the Cluster or the Platform, else OperatorImage.bundled()
   */
  readonly image?: OperatorImage;
}

const PROPS = keysOf<AnchorExchangeProps>({
  link: required(part('a Link', 'credentials')),
  image: operatorImageKeys,
});

const VOLUME = 'member';
const MOUNT_PATH = '/member';

/**
 * Copies a linked cluster's report on the shared trust anchor into this cluster, with the credentials of the link. Both
 * clusters need an operator that rotates an anchor with `members`. The Multicluster of the other cluster emits the
 * permission to read the report.
 *
 * An attacker who controls the other cluster, or its API server, can add roots to this one, as with any copy of the
 * report.
 *
 * @example
 * new AnchorExchange(east, 'exchange-west', { link: new Link(east, 'to-west', { multicluster, target: west }) });
 */
export class AnchorExchange extends Construct {
  constructor(scope: Construct, id: string, props: AnchorExchangeProps) {
    super(scope, id);
    const { link, image: given } = propsOf<AnchorExchangeProps>(this, PROPS, props);
    const { multicluster, targetName } = link;
    const { namespace, controlPlane } = multicluster;
    const { pki } = controlPlane;
    const { image, field } = chooseOperatorImage(this, given);
    const name = `anchor-exchange-${targetName}`;
    setHomeNamespace(this, namespace);
    manifest(this, 'service-account', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace },
      // The pods request the token themselves.
      automountServiceAccountToken: false,
    } satisfies ServiceAccount);
    const metadata = { name, namespace: pki.certManager.namespace };
    const rules = Lazy.any({ produce: () => exchangeRules(this.names(link)?.member ?? targetName).map(policyRule) });
    manifest(this, 'role', role(metadata, rules));
    manifest(this, 'role-binding', roleBinding(metadata, ['Role', name], [account(name, namespace)]));
    const openShift = controlPlane.cni?.openShift ?? false;
    manifest(this, 'deployment', this.deployment(link, { name, image, openShift }));
    manifest(this, 'network-policy', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name, namespace },
      spec: {
        podSelector: { matchLabels: labelsOf(name) },
        policyTypes: ['Ingress'],
        ingress: [{ ports: [{ port: OPERATOR_PORTS.health, protocol: 'TCP' }] }],
      },
    } satisfies NetworkPolicy);
    addRule(this, () => [...checkOperatorImage(field, image), ...this.check(link)]);
  }

  private check(link: Link): readonly Problem[] {
    const { own, other } = anchorsOf(link);
    // The Link reports a cluster that cannot be built.
    if (other === undefined) return [];
    const isNamed = compareAnchors(own, other) === 'shared' && this.names(link) !== undefined;
    return isNamed ? [] : [OPERATOR_FINDINGS.anchorExchangeRefused({ cluster: link.targetName })];
  }

  /** Call it at synth. */
  private names(link: Link): { readonly cluster: string; readonly member: string } | undefined {
    const { own, other } = anchorsOf(link);
    const [cluster, member] = [own, other].map((anchor) => (anchor?.from === 'cluster' ? anchor.name : undefined));
    return cluster === undefined || member === undefined ? undefined : { cluster, member };
  }

  private deployment(
    link: Link,
    { name, image, openShift }: { readonly name: string; readonly image: OperatorImage; readonly openShift: boolean },
  ): Deployment {
    const { namespace, controlPlane } = link.multicluster;
    const labels = labelsOf(name);
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace, labels },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          // The exchange must work when the mesh does not.
          metadata: { labels, annotations: { [INJECT]: 'disabled' } },
          spec: operatorPod(this, {
            image,
            namespace,
            openShift,
            container: {
              name: 'exchange',
              args: Lazy.any({
                produce: () => [
                  'exchange',
                  `--cluster=${this.names(link)?.cluster}`,
                  `--member=${this.names(link)?.member}`,
                  `--member-kubeconfig=${MOUNT_PATH}/kubeconfig`,
                  `--member-cert-manager-namespace=${link.targetFacts()?.certManagerNamespace ?? 'cert-manager'}`,
                  `--cert-manager-namespace=${controlPlane.pki.certManager.namespace}`,
                ],
              }),
              ports: [{ name: 'health', containerPort: OPERATOR_PORTS.health }],
              volumeMounts: [{ name: VOLUME, mountPath: MOUNT_PATH, readOnly: true }],
              resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '128Mi' } },
              livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, periodSeconds: 30, failureThreshold: 4 },
              readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 10 },
            },
            pod: {
              serviceAccountName: name,
              automountServiceAccountToken: true,
              nodeSelector: { 'kubernetes.io/os': 'linux' },
              volumes: [{ name: VOLUME, secret: { secretName: `cluster-credentials-${link.targetName}` } }],
            },
          }),
        },
      },
    };
  }
}

function labelsOf(name: string): Record<string, string> {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'linkerd-reconciler' };
}

function anchorsOf(link: Link): { readonly own: AnchorFacts; readonly other?: AnchorFacts | undefined } {
  return { own: anchorFacts(link.multicluster.controlPlane.pki), other: link.targetFacts()?.anchor };
}
