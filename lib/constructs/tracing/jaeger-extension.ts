import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { mergeValues, type Values } from '#base/values';
import type { Chart } from '#linkerd/charts/chart';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { checkPodSecurityPolicy } from '#linkerd/renderers/pod-security-policy';
import { addChart, type ChartRelease } from '../../gitops/charts/chart-release';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { Patchable } from '../../gitops/charts/object-patches';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { declareReferences } from '../../gitops/tree/references';
import { checkExtensionKeys } from '../control-plane/key-material-rules';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { extensionNamespace } from '../control-plane/namespaces';
import { bindOwnSccs, jaegerGrant, NAMESPACE_METADATA } from '../control-plane/openshift';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { openCensusValues, type TempoProps } from './tempo';

/** Props of JaegerExtension. */
export interface JaegerExtensionProps {
  /** The linkerd-jaeger chart of the control plane's release. */
  readonly chart: Chart;
  /** The control plane, whose injector meshes the webhook. */
  readonly controlPlane: LinkerdControlPlane<LinkerdVersion>;
  /** The Tempo that receives spans. */
  readonly tempo: TempoProps;
  /**
   * How the chart's objects are delivered to the cluster.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery | undefined;
  /** The user's own values of the chart. */
  readonly values: Values;
}

/**
 * The only part of the linkerd-jaeger chart that is needed with Tempo: the webhook that configures proxies to send
 * spans. Its certificate is in the namespace in which it runs, because its pods mount the Secret.
 */
export class JaegerExtension extends Construct implements Patchable {
  private readonly chart: ChartRelease;

  constructor(scope: Construct, id: string, props: JaegerExtensionProps) {
    super(scope, id);
    const { chart, controlPlane, tempo, delivery, values } = props;
    const { namespace } = chart;
    const service = 'jaeger-injector';
    setHomeNamespace(this, namespace);
    const cni = controlPlane.cni !== undefined;
    ensureNamespace(this, namespace, extensionNamespace({ extension: 'jaeger', cni }));
    requireProxies(this, { namespace, action: controlPlane.requireProxy, mesh: controlPlane, preset: true });
    const certificate = controlPlane.pki.webhookCertificate(this, service, { service, namespace });
    const release = addChart(this, 'chart', {
      chart,
      delivery,
      namespace,
      fromProps: mergeValues(openCensusValues(tempo), {
        clusterDomain: controlPlane.clusterDomain,
        linkerdNamespace: controlPlane.namespace,
        webhook: { externalSecret: true, injectCaFrom: certificate.injectCaFrom },
      }),
      values,
      requires: [
        { kind: 'Certificate', namespace, name: certificate.certificateName },
        { kind: 'Secret', namespace, name: certificate.secretName },
      ],
    });
    this.chart = release;
    dependsOn(release, certificate);
    if (controlPlane.cni?.openShift) {
      dependsOn(release, ...bindOwnSccs(this, [jaegerGrant(namespace)]));
      declareReferences(this, { external: [{ kind: 'ServiceAccount', namespace, name: NAMESPACE_METADATA }] });
    }
    addRule(this, () => [
      ...checkExtensionKeys(release.values, ['webhook']),
      ...checkPodSecurityPolicy(release.values),
    ]);
  }

  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    this.chart.patch(kind, name, ...operations);
  }

  /**
   * Returns the rendered objects of the chart as constructs: to label them, or to add dependencies. Call it last: a
   * value that another construct sets afterwards is an error. The list is empty with `delivery: 'helm'`.
   */
  objects(): readonly ApiObject[] {
    return this.chart.objects();
  }
}
