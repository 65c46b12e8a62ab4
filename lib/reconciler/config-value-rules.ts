import { mergeValues, type Values, valueAt } from '../helm/values';
import { keyMaterialProblems } from '../linkerd/key-material-rules';
import { proxyValueProblems } from '../linkerd/proxy-value-rules';
import type { Problem } from '../validation/problem';

/** Values that other parts of the installation go by, too, and where they are decided. */
const DECIDED: readonly (readonly [path: string, fix: string])[] = [
  ['clusterDomain', 'set the domain of the cluster'],
  ['cniEnabled', 'set the prop cni of LinkerdControlPlane'],
  ['identityTrustDomain', 'set trustDomain of CertManagerPKI'],
  ['identity', 'set the prop of CertManagerPKI'],
];

/**
 * What is wrong with values that a LinkerdConfig lays over those of the installation, other than their types.
 *
 * @param installed all values of the installation
 */
export function configValueProblems(values: Values, installed: Values): readonly Problem[] {
  const known = new Set(check(installed).map(({ what }) => what));
  return [
    ...DECIDED.flatMap(([path, fix]) => (valueAt(values, path) === undefined ? [] : [decidedProblem(path, fix)])),
    // What the installation is wrong about is said there.
    ...check(mergeValues(installed, values)).filter(({ what }) => !known.has(what)),
  ];
}

function check(values: Values): readonly Problem[] {
  return [...proxyValueProblems(values), ...keyMaterialProblems(values)];
}

function decidedProblem(path: string, fix: string): Problem {
  return {
    what: `values sets ${path}`,
    why: 'Other parts of the mesh go by it and would keep what they were installed with: proxies could not talk to them any more',
    fix: `leave it out of the LinkerdConfig, and ${fix}`,
  };
}
