import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** Findings about fleet files and the settings in them. */
export const FLEET_FINDINGS = catalogue({
  // The file.
  'file-unreadable/fleet': {
    severity: 'error',
    what: ({ file, reason }: { file: string; reason: string }) => `The fleet file ${file} ${reason}`,
    why: 'It lists the clusters, and without them nothing can be synthesized',
    fix: "name a YAML file, relative to the working directory or absolute: join(import.meta.dirname, 'fleet.yaml'), or join(__dirname, 'fleet.yaml') in CommonJS",
  },
  'fleet-file-refused/empty': {
    severity: 'error',
    what: 'The fleet file is empty',
    why: 'A platform without clusters would delete the output of all of them',
    fix: 'list the clusters: `clusters: [{ name: home }]`',
  },
  'fleet-file-refused/syntax': {
    severity: 'error',
    what: ({ message }: { message: string }) => `The fleet file is not YAML: ${message}`,
    why: 'The clusters that it lists are unknown, and nothing can be synthesized',
    fix: 'correct the line; an editor that knows YAML marks it',
  },
  'fleet-file-refused/aliases': {
    severity: 'error',
    what: ({ part, size }: { part: string; size: string }) => `${part} expand to ${size}`,
    why: ({ most }: { most: number }) => `More than ${most} values would take all memory, and no fleet needs as many`,
    fix: 'replace the aliases: move what clusters have in common to defaults, to their ring, or to the program that builds them',
  },
  'secret-in-file/fleet': {
    severity: 'error',
    what: ({ path, secret }: { path: string; secret: string }) => `${path} contains ${secret}`,
    why: 'The file is in Git, where everyone who can read the repository can read it, permanently',
    fix: 'remove it, replace it wherever it is in use, and keep it in a Secret that is not in Git',
  },

  'fleet-entry-invalid': {
    severity: 'error',
    what: ({ path, fault }: { path: string; fault: string }) => `${path} ${fault}`,
    why: 'It would have no effect: the clusters would be built without it',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },

  // Clusters and rings.
  'cluster-name-taken/fleet': {
    severity: 'error',
    what: ({ path, name, other }: Record<'path' | 'name' | 'other', string>) =>
      `${path} is called "${name}", as ${other} is`,
    why: 'Each folder of the output has the name of its cluster: one would overwrite the files of the other',
    fix: 'give each cluster a name of its own',
  },
  'ring-refused/fleet': {
    severity: 'error',
    what: ({ path, name, other }: Record<'path' | 'name' | 'other', string>) =>
      `${path} is called "${name}", as ${other} is`,
    why: 'It is ambiguous which of the two rings a cluster is in',
    fix: 'give each ring a name of its own',
  },
  'ring-missing/fleet': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The cluster ${cluster} is in no ring`,
    why: 'Rings decide the order in which clusters receive a change, and the place of this one is unknown',
    fix: ({ ring }: { ring: string }) => `set its ring, for example ring: ${ring}`,
  },
  'ring-unknown/fleet': {
    severity: 'error',
    what: ({ cluster, ring }: { cluster: string; ring: string }) =>
      `The cluster ${cluster} is in the ring "${ring}", which does not exist`,
    why: ({ known }: { known: string }) => `The file has ${known}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'cluster-unknown/fleet': {
    severity: 'error',
    what: ({ cluster, link }: { cluster: string; link: string }) =>
      `The cluster ${cluster} links to "${link}", which is not another cluster of the file`,
    why: 'The link would have no cluster to mirror services from',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'version-unknown/fleet': {
    severity: 'error',
    what: ({ path, release }: { path: string; release: string }) => `${path} is ${release}`,
    why: 'The library has the charts of some releases only, and cannot render others',
    fix: ({ example }: { example: string }) =>
      `set it to a release that docs/releases.md lists, for example '${example}'`,
  },
  'version-unknown/number': {
    severity: 'error',
    what: ({ path, release }: { path: string; release: string }) => `${path} is ${release}`,
    why: 'YAML reads 2.20 without quotes as the number 2.2, which is not the name of a release',
    fix: ({ meant }: { meant: string }) => `write it in quotes: '${meant}'`,
  },

  // Settings.
  'settings-invalid': {
    severity: 'error',
    what: ({ place, fault }: { place: string; fault: string }) => `${place} ${fault}`,
    why: 'The JSON Schema of the settings does not allow it',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'settings-refused': {
    severity: 'error',
    what: ({ exception }: { exception: string }) => `The settings are refused: ${exception}`,
    why: 'The function that the program passes for settings throws this',
    fix: 'correct the settings where the file sets them: in the cluster, its ring or the defaults',
  },
  'settings-refused/schema': {
    severity: 'error',
    what: ({ message }: { message: string }) => `The JSON Schema of the settings is not valid: ${message}`,
    why: 'No settings can be checked with it',
    fix: 'correct the schema; it must contain everything that it refers to',
  },
  'settings-refused/option': {
    severity: 'error',
    what: 'The option settings of readFleet is neither a JSON Schema nor a function',
    why: 'No settings can be checked with it',
    fix: "pass a schema as a map, { type: 'object', … }, or a function: (settings, cluster) => …",
  },
  'settings-refused/async': {
    severity: 'error',
    what: 'The function for settings returns a promise',
    why: 'Clusters are built synchronously: they would get the promise instead of the settings, and errors of the function would be lost',
    fix: 'remove async, and read what the function needs before you call readFleet',
  },
});
