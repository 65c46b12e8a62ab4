import { violationOf } from '../../../operator/api/kubernetes/violation';
import type { Problem } from '../../kubernetes/findings/problem';
import { holdsPrivateKey } from '../../kubernetes/findings/secret-texts';

/** Values that say whose certificate API servers are to accept of a component, and who makes its key. */
export interface ServingCertificate {
  readonly caBundle: string | undefined;
  readonly injectCaFrom: string | undefined;
  readonly injectCaFromSecret: string | undefined;
  readonly externalSecret: boolean | undefined;
}

const SOURCES = ['injectCaFrom', 'injectCaFromSecret', 'caBundle'] as const;

/**
 * Checks that API servers know one certificate of what serves them, and that no chart makes its key.
 *
 * @param key the key of the component in the chart's values
 */
export function checkServingCertificate(key: string, values: ServingCertificate): readonly Problem[] {
  return [...checkSources(key, values), ...checkKeyElsewhere(key, values)];
}

function checkSources(key: string, values: ServingCertificate): readonly Problem[] {
  const sources = SOURCES.filter((source) => values[source]);
  if (sources.length > 1) {
    // That a key stands there is a mistake by itself.
    if (holdsPrivateKey(values.caBundle ?? '')) return [];
    return [
      {
        code: 'second-ca-source',
        violates: violationOf('value', key),
        about: `values.${key}`,
        what: `values.${key} has ${sources.join(' and ')}`,
        why: "cert-manager's CA injector and the values would take turns to say whose certificate the API server accepts",
        fix: `keep one of them, best ${key}.injectCaFrom with the Certificate as <namespace>/<name>`,
      },
    ];
  }
  if (sources.length === 1 || !values.externalSecret) return [];
  return [
    {
      code: 'ca-source-missing',
      about: `values.${key}.externalSecret`,
      what: `values.${key}.externalSecret is true, but none of injectCaFrom, injectCaFromSecret and caBundle is set`,
      why: `API servers would not trust ${key}, and fail on it or pass it by`,
      fix: `set ${key}.injectCaFrom to its Certificate, as <namespace>/<name>`,
    },
  ];
}

function checkKeyElsewhere(key: string, { externalSecret }: ServingCertificate): readonly Problem[] {
  if (externalSecret) return [];
  return [
    {
      code: 'key-made-by-chart',
      about: `values.${key}.externalSecret`,
      what: `values.${key}.externalSecret is not true`,
      why: 'The chart would make a private key, or take one from the values, and print it as a Secret: into Git, for good',
      fix: `set ${key}.externalSecret to true and ${key}.injectCaFrom to a Certificate of cert-manager`,
    },
  ];
}
