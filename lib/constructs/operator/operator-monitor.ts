import { Construct } from 'constructs';
import type { PodMonitor } from '#imports/crds/monitoring.coreos.com';
import { checkMonitoring, type Monitoring, scrapeInterval } from '#kubernetes/monitoring';
import { addRule } from '../../gitops/tree/add-rule';
import { manifest } from '../../gitops/tree/manifest';
import { declareReferences } from '../../gitops/tree/references';
import { OPERATOR, OPERATOR_LABELS } from './operator-names';

/** A PodMonitor for the operator's own metrics, which are named as in controller-runtime. */
export class OperatorMonitor extends Construct {
  constructor(scope: Construct, id: string, props: Monitoring & { readonly operatorNamespace: string }) {
    super(scope, id);
    const { namespace, labels, operatorNamespace } = props;
    manifest(this, 'resource', {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PodMonitor',
      metadata: { name: OPERATOR, namespace, labels: { ...OPERATOR_LABELS, ...labels } },
      spec: {
        namespaceSelector: { matchNames: [operatorNamespace] },
        selector: { matchLabels: OPERATOR_LABELS },
        podMetricsEndpoints: [{ port: 'metrics', ...scrapeInterval(props) }],
      },
    } satisfies PodMonitor);
    declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });
    addRule(this, () => checkMonitoring(props));
  }
}
