import { isMap, type Value, type Values } from '../../../helm/values';
import type { Problem } from '../../../validation/problem';
import type { ControlPlaneView } from '../control-plane-view';

const FIX = 'Keep it in a Secret that cert-manager or another tool makes in the cluster';

/** Where values would put a private key into manifests, and so into Git. */
export function privateKeyProblems(values: Values, { identity }: ControlPlaneView): readonly Problem[] {
  const problems = pathsOfKeys(values, 'values').map((path) => ({
    what: `${path} holds a private key`,
    why: 'Values and manifests are kept in Git, where everyone who can read the repository would have the key, for good',
    fix: FIX,
  }));
  if (identity.issuer.scheme === 'linkerd.io/tls') {
    problems.push({
      what: 'values.identity.issuer.scheme is "linkerd.io/tls"',
      why: "The chart would print the identity issuer's private key as a Secret: whoever has it can speak for every pod",
      fix: 'set identity.issuer.scheme to "kubernetes.io/tls", and let cert-manager keep the Secret linkerd-identity-issuer',
    });
  }
  return problems;
}

function pathsOfKeys(value: Value | undefined, path: string): readonly string[] {
  if (typeof value === 'string') return isKey(value, path) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOfKeys(item, `${path}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => pathsOfKeys(item, `${path}.${key}`));
}

function isKey(text: string, path: string): boolean {
  return text.includes('PRIVATE KEY-----') || (path.endsWith('.keyPEM') && text.trim() !== '');
}
