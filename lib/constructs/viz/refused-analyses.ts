import type { IConstruct } from 'constructs';
import { objectsAround } from '../../gitops/tree/api-objects';
import type { Problem } from '../../kubernetes/findings/problem';
import { describeObject } from '../../kubernetes/kubernetes-object';
import { fieldPath, selectFields } from '../../kubernetes/select-fields';
import { VIZ_FINDINGS } from './findings';

const ADDRESSES = fieldPath('spec.metrics[].provider.prometheus.address');

/** Checks that no analysis of Argo Rollouts, in the chart of `scope`, asks a Prometheus of Viz that refuses it. */
export function checkAnalyses(scope: IConstruct, namespace: string): readonly Problem[] {
  return objectsAround(scope)
    .filter(({ kind }) => kind === 'AnalysisTemplate' || kind === 'ClusterAnalysisTemplate')
    .flatMap(({ json }) => json())
    .filter((object) => selectFields(object, ADDRESSES).some(({ value }) => isPrometheusOf(namespace, value)))
    .map((object) => VIZ_FINDINGS.prometheusReaderRefused({ object: describeObject(object), namespace }));
}

function isPrometheusOf(namespace: string, address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const [service, ofNamespace] = new URL(address).hostname.split('.');
  return service === 'prometheus' && ofNamespace === namespace;
}
