import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { describeObject } from '#kubernetes/objects/kubernetes-object';
import { FREE, keysOf, needed, required } from '#kubernetes/options/known-keys';
import { INJECT } from '#linkerd/annotations';
import type { JaegerValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { Release } from '#linkerd/releases/release';
import { jaegerChart } from '#linkerd/renderers/linkerd-jaeger/chart';
import { checkInjectedNamespace } from '../../checks/linkerd/injection-check';
import type { Delivery } from '../../gitops/charts/helm-release';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { VIZ, type Viz } from '../viz/viz';
import { TRACING_FINDINGS } from './findings';
import { JaegerExtension } from './jaeger-extension';
import { checkTempo, checkTraceLinks, jaegerUrlOf, otlpValues, TEMPO_PROPS, type TempoProps } from './tempo';

/** Props of JaegerToTempo. */
export interface JaegerToTempoProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The control plane; its release decides how proxies send spans. */
  readonly controlPlane: LinkerdControlPlane<V>;

  /** The Tempo that receives spans. */
  readonly tempo: TempoProps;

  /**
   * The Viz whose dashboard links to traces, if `tempo.query` is set.
   *
   * @default - no links
   */
  readonly viz?: Viz<V>;

  /**
   * How the objects of the linkerd-jaeger chart are delivered to the cluster: as manifests, rendered at synth and equal
   * to the official chart's, or as a chart that Argo CD inflates. Linkerd 2.14 only.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery | undefined;

  /**
   * Additional values of the linkerd-jaeger chart. Linkerd 2.14 only.
   *
   * @default - none
   */
  readonly values?: JaegerValues<V>;
}

const PROPS = keysOf<JaegerToTempoProps<LinkerdVersion>>({
  controlPlane: required(CONTROL_PLANE),
  tempo: needed('a map with service, namespace and serviceAccount', TEMPO_PROPS),
  viz: VIZ,
  delivery: true,
  values: FREE,
});

/**
 * Sends the spans of proxies to Grafana Tempo: over OTLP, as the control plane configures it, or with Linkerd 2.14 over
 * OpenCensus, as the webhook of the Jaeger extension configures it. Installs neither Jaeger nor a collector.
 *
 * Proxies add spans to traces that an ingress or a client has started, which decide the sampling.
 *
 * @example
 * new JaegerToTempo(home, 'tracing', {
 *   controlPlane,
 *   tempo: { namespace: 'tracing', service: 'tempo-distributor', serviceAccount: 'tempo' },
 * });
 */
export class JaegerToTempo<V extends LinkerdVersion = LinkerdVersion> extends Construct implements Patchable {
  private readonly extension: JaegerExtension | undefined;
  private readonly patchesOfNothing: Problem[] = [];
  private readonly release: Release<V>;

  constructor(scope: Construct, id: string, props: JaegerToTempoProps<V>) {
    super(scope, id);
    const given = propsOf<JaegerToTempoProps<V>>(this, PROPS, props);
    const { controlPlane, tempo, viz } = given;
    this.release = controlPlane.release;
    setHomeNamespace(this, tempo.namespace);
    if (tempo.meshNamespace !== false) {
      ensureNamespace(this, tempo.namespace, { annotations: { [INJECT]: 'enabled' } });
      const { namespace } = tempo;
      requireProxies(this, { namespace, action: controlPlane.requireProxy, mesh: controlPlane, preset: true });
    }
    const chart = jaegerChart(controlPlane.release);
    const problems = checkTempo(tempo);
    if (chart !== undefined) {
      this.extension = new JaegerExtension(this, 'jaeger', {
        chart,
        controlPlane,
        tempo,
        delivery: given.delivery,
        values: plainValues(this, given.values),
      });
    } else if (problems.length === 0) {
      controlPlane.addValues(otlpValues(tempo), this);
    }
    viz?.addValues({ jaegerUrl: jaegerUrlOf(tempo) }, this);
    dependsOn(this, controlPlane);
    addRule(this, () => [
      ...problems,
      ...this.patchesOfNothing,
      ...(chart === undefined ? checkNoValues(this.release, given.values) : []),
      ...checkInjectedNamespace('Tempo', tempo.namespace),
      ...checkTraceLinks(tempo.query, viz !== undefined),
    ]);
  }

  /**
   * Patches an object of the linkerd-jaeger chart (Linkerd 2.14 only) when the chart is rendered, at synth. Synth
   * reports an object that the chart does not have. Not available with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object, such as `jaeger-injector`, in any namespace
   * @param operations by RFC 6902
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    if (this.extension === undefined) this.patchesOfNothing.push(patchOfNothing(this.release, kind, name));
    else this.extension.patch(kind, name, ...operations);
  }

  /**
   * Returns the rendered objects of the chart as constructs: to label them, or to add dependencies. Call it last: a
   * value that another construct sets afterwards is an error. The list is empty with `delivery: 'helm'`, and with
   * releases after 2.14, which have no such chart.
   */
  objects(): readonly ApiObject[] {
    return this.extension?.objects() ?? [];
  }
}

/** The types allow values where the release is not known at compile time. */
function checkNoValues({ version }: Release, values: unknown): readonly Problem[] {
  if (values === undefined) return [];
  return [TRACING_FINDINGS.tracingWithoutChart({ given: 'values', version }, { about: 'values' })];
}

function patchOfNothing({ version }: Release, kind: string, name: string): Problem {
  return TRACING_FINDINGS.tracingWithoutChart({
    given: `a patch of ${describeObject({ kind, metadata: { name } })}`,
    version,
  });
}
