import type { Problem } from '../../../problems/problem';

/** Reports where a chart would make, or print, the private key of what values call `key`. */
export function checkGeneratedKeys(key: string, externalSecret: boolean | undefined): readonly Problem[] {
  if (externalSecret) return [];
  return [
    {
      what: `values.${key}.externalSecret is not true`,
      why: 'The chart would make a private key, or take one from the values, and print it as a Secret: into Git, for good',
      fix: `set ${key}.externalSecret to true and ${key}.injectCaFrom to a Certificate of cert-manager`,
    },
  ];
}
