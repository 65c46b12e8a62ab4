import { describeObject, type KubernetesObject } from './kubernetes-object';
import type { Problem } from './problem';
import { dottedPath } from './value-path';

/** The first line of a private key in PEM, whatever its algorithm (RFC 7468; RSA, EC and OPENSSH stand before). */
const PEM_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/;
/** Keys of a Secret that hold a private key in any encoding: of type kubernetes.io/tls, and of Linkerd's charts. */
const KEY_NAMES: readonly string[] = ['tls.key', 'ca.key'];
const HOLDERS: readonly string[] = ['data', 'stringData', 'binaryData'];

type Path = readonly string[];

/** Private keys in an object: whoever may read the repository would have them, for good. */
export function checkKeyMaterial(object: KubernetesObject): readonly Problem[] {
  const found: Path[] = [];
  collect(object, [], { found, holdsData: holdsData(object) });
  return found.map((path) => ({
    what: `${describeObject(object)} has a private key in ${dottedPath(path)}`,
    why: 'It would be written to Git, where everyone who can read the repository has the key, for good',
    fix: `remove it: let cert-manager make the key in the cluster; or, if the ${object.kind} is made there by other means, declare it: external: [{ kind: '${object.kind}', … }]`,
  }));
}

function holdsData({ apiVersion, kind }: KubernetesObject): boolean {
  return apiVersion === 'v1' && (kind === 'Secret' || kind === 'ConfigMap');
}

interface Search {
  readonly found: Path[];
  readonly holdsData: boolean;
}

/** Makes no path for a text that is plain, as nearly all are. */
function collect(value: unknown, path: Path, search: Search): void {
  if (typeof value === 'string') {
    if (isKey(value, path, search)) search.found.push(path);
  } else if (typeof value === 'object' && value !== null) {
    const isData = search.holdsData && path.length === 1;
    for (const [key, item] of Object.entries(value)) {
      if (isData || !isPlain(item)) collect(item, [...path, key], search);
    }
  }
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('PRIVATE KEY-----');
}

function isKey(text: string, path: Path, { holdsData }: Search): boolean {
  if (PEM_KEY.test(text)) return true;
  const [field = '', key = ''] = path;
  if (!holdsData || path.length !== 2 || !HOLDERS.includes(field)) return false;
  if (KEY_NAMES.includes(key) && text.trim() !== '') return true;
  return field !== 'stringData' && PEM_KEY.test(Buffer.from(text, 'base64').toString('latin1'));
}
