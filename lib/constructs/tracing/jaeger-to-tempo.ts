import type { ApiObject, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Delivery } from '../../gitops/charts/chart-release';
import type { Patchable } from '../../gitops/charts/object-patches';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { dependsOn } from '../../gitops/tree/order';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import type { Problem } from '../../kubernetes/findings/problem';
import { FREE, keysOf, needed, required } from '../../kubernetes/known-keys';
import { describeObject } from '../../kubernetes/kubernetes-object';
import { INJECT } from '../../linkerd/annotations';
import { jaegerChart } from '../../linkerd/charts/linkerd-jaeger/chart';
import type { JaegerValues } from '../../linkerd/releases/chart-values';
import type { LinkerdVersion, Release } from '../../linkerd/releases/release';
import { CONTROL_PLANE, type LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { checkInjectedNamespace } from '../control-plane/namespaces';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { VIZ, type Viz } from '../viz/viz';
import { TRACING_FINDINGS } from './findings';
import { JaegerExtension } from './jaeger-extension';
import { checkTempo, checkTraceLinks, jaegerUrlOf, otlpValues, TEMPO_PROPS, type TempoProps } from './tempo';

/** Props of JaegerToTempo. */
export interface JaegerToTempoProps<V extends LinkerdVersion = LinkerdVersion> {
  /** The control plane; its release decides how proxies send spans. */
  readonly controlPlane: LinkerdControlPlane<V>;

  /** The Tempo that spans go to. */
  readonly tempo: TempoProps;

  /**
   * The Viz whose dashboard links to traces, once `tempo.query` says where they are shown.
   *
   * @default - no links
   */
  readonly viz?: Viz<V>;

  /**
   * The way of the linkerd-jaeger chart's objects to the cluster, which only Linkerd 2.14 has: as manifests, rendered at
   * synth and equal to the official chart's, or as a chart that Argo CD inflates.
   *
   * @default 'manifests'
   */
  readonly delivery?: Delivery | undefined;

  /**
   * Further values of the linkerd-jaeger chart, which only Linkerd 2.14 has.
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
 * Sends the spans of proxies to Grafana Tempo: by OTLP, as the control plane configures it, or with Linkerd 2.14 by
 * OpenCensus, as the webhook of the Jaeger extension does. Neither Jaeger nor a collector is installed.
 *
 * Proxies take part in traces that an ingress or a client has begun; these decide what is sampled.
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
   * Changes an object of the linkerd-jaeger chart, which only Linkerd 2.14 has, whenever that is rendered: at synth. One
   * that the chart turns out not to have is reported. Not with `delivery: 'helm'`.
   *
   * @param kind of the object, such as `Deployment`
   * @param name of the object, such as `jaeger-injector`; those of that name in all namespaces are meant
   * @param operations by RFC 6902
   */
  patch(kind: string, name: string, ...operations: readonly JsonPatch[]): void {
    if (this.extension === undefined) this.patchesOfNothing.push(patchOfNothing(this.release, kind, name));
    else this.extension.patch(kind, name, ...operations);
  }

  /**
   * Returns the objects that are rendered from the chart, as constructs: to label them, or to add dependencies. A value
   * that another construct decides afterwards is an error, so call it last. None with `delivery: 'helm'`.
   */
  objects(): readonly ApiObject[] {
    return this.extension?.objects() ?? [];
  }
}

/** Values that types let through where the release is not known before the program runs. */
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
