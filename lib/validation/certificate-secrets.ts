import { isCertificate } from './certificate-check';
import { describeObject, type KubernetesObject } from './kubernetes-object';
import { type LocatedProblem, locate } from './located';
import { textIn } from './select-fields';

/** An object, and the path of its construct. */
interface PlacedCertificate {
  readonly path: string;
  readonly object: KubernetesObject;
}

/** Certificates that would be written to a Secret which another one has already. */
export function checkCertificateSecrets(objects: readonly PlacedCertificate[]): readonly LocatedProblem[] {
  const owners = new Map<string, PlacedCertificate>();
  return objects
    .filter(({ object }) => isCertificate(object))
    .flatMap((placed) => {
      const name = textIn(placed.object.spec, 'secretName');
      const secret = `${placed.object.metadata.namespace}/${name}`;
      const owner = owners.get(secret);
      if (name === undefined) return [];
      if (owner === undefined) owners.set(secret, placed);
      // The same object twice is a problem of its own.
      const isOther = owner !== undefined && describeObject(owner.object) !== describeObject(placed.object);
      return isOther ? locate(placed.path, [sharedSecret(placed.object, secret, owner)]) : [];
    });
}

function sharedSecret(object: KubernetesObject, secret: string, owner: PlacedCertificate) {
  return {
    what: `${describeObject(object)} writes Secret ${secret}, as ${describeObject(owner.object)} of ${owner.path} does`,
    why: 'cert-manager issues neither of them, or both in turns, each time with another key',
    fix: 'give each Certificate a secretName of its own',
  };
}
