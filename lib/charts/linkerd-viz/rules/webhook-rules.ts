import type { Problem } from '../../../problems/problem';
import { checkGeneratedKeys } from '../../linkerd-control-plane/rules/generated-keys';
import type { VizView } from '../viz-view';
import type { CaValues } from '../workload/serving-certificate';

const SERVERS = ['tap', 'tapInjector'] as const;

type ServerKey = (typeof SERVERS)[number];
type ServingCertificate = CaValues & { readonly externalSecret: boolean | undefined };

/**
 * Reports where it is unclear how API servers are to know the certificates of tap and its injector, or who makes their
 * keys.
 */
export function checkWebhooks(values: VizView): readonly Problem[] {
  return SERVERS.flatMap((key) => [
    ...checkCa(key, values[key]),
    ...checkGeneratedKeys(key, values[key].externalSecret),
  ]);
}

function checkCa(key: ServerKey, values: ServingCertificate): readonly Problem[] {
  const sources = (['injectCaFrom', 'injectCaFromSecret', 'caBundle'] as const).filter((source) => values[source]);
  if (sources.length > 1) {
    return [
      {
        what: `values.${key} has ${sources.join(' and ')}`,
        why: "cert-manager's CA injector and the values would take turns to say whose certificate the API server accepts",
        fix: `keep one of them, best ${key}.injectCaFrom with the Certificate as <namespace>/<name>`,
      },
    ];
  }
  if (sources.length === 1 || !values.externalSecret) return [];
  return [
    {
      what: `values.${key}.externalSecret is true, but none of injectCaFrom, injectCaFromSecret and caBundle is set`,
      why: `API servers would not trust ${key}, and fail on it or pass it by`,
      fix: `set ${key}.injectCaFrom to its Certificate, as <namespace>/<name>`,
    },
  ];
}
