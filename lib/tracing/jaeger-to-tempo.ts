import { Construct } from 'constructs';
import { jaegerChart } from '../charts/linkerd-jaeger/chart';
import { plainValues } from '../charts/plain-values';
import type { LinkerdControlPlane } from '../control-plane/linkerd-control-plane';
import { requireProxies } from '../control-plane/proxy-admission-policy';
import { checkInjectedNamespace } from '../control-plane/unseen-namespaces';
import { INJECT } from '../kubernetes/annotations';
import type { JaegerValues } from '../releases/chart-values';
import type { DefaultLinkerdVersion, LinkerdVersion } from '../releases/release';
import { addRule } from '../tree/add-rule';
import { setHomeNamespace } from '../tree/home-namespace';
import { ensureNamespace } from '../tree/namespace';
import { dependsOn } from '../tree/order';
import type { Viz } from '../viz/viz';
import { JaegerExtension } from './jaeger-extension';
import { checkTempo, checkTraceLinks, jaegerUrlOf, otlpValues, type TempoProps } from './tempo';

/** Props of JaegerToTempo. */
export interface JaegerToTempoProps<V extends LinkerdVersion> {
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
   * Further values of the linkerd-jaeger chart, which only Linkerd 2.14 has.
   *
   * @default - none
   */
  readonly values?: JaegerValues<V>;
}

/**
 * Sends the spans of proxies to Grafana Tempo: by OTLP, as the control plane configures it, or with Linkerd 2.14 by
 * OpenCensus, as the webhook of the Jaeger extension does. Neither Jaeger nor a collector is installed.
 *
 * Proxies take part in traces that an ingress or a client has begun; these decide what is sampled.
 */
export class JaegerToTempo<V extends LinkerdVersion = DefaultLinkerdVersion> extends Construct {
  constructor(scope: Construct, id: string, props: JaegerToTempoProps<V>) {
    super(scope, id);
    const { controlPlane, tempo, viz } = props;
    setHomeNamespace(this, tempo.namespace);
    if (tempo.meshNamespace !== false) {
      ensureNamespace(this, tempo.namespace, { annotations: { [INJECT]: 'enabled' } });
      const { namespace } = tempo;
      requireProxies(this, { namespace, action: controlPlane.requireProxy, mesh: controlPlane, preset: true });
    }
    const chart = jaegerChart(controlPlane.release);
    const problems = checkTempo(tempo);
    if (chart !== undefined) {
      new JaegerExtension(this, 'jaeger', { chart, controlPlane, tempo, values: plainValues(this, props.values) });
    } else if (problems.length === 0) {
      controlPlane.addValues(otlpValues(tempo), this);
    }
    viz?.addValues({ jaegerUrl: jaegerUrlOf(tempo) }, this);
    dependsOn(this, controlPlane);
    addRule(this, () => [
      ...problems,
      ...checkInjectedNamespace('Tempo', tempo.namespace),
      ...checkTraceLinks(tempo.query, viz !== undefined),
    ]);
  }
}
