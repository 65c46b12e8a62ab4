import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** The findings of fleet files and the settings in them. */
export const FLEET_FINDINGS = catalogue({
  // The file.
  'fleet-file-unreadable': {
    severity: 'error',
    what: ({ file, reason }: { file: string; reason: string }) => `The fleet file ${file} ${reason}`,
    why: 'It lists the clusters, and without them nothing can be synthesized',
    fix: "name a YAML file, relative to the working directory or absolute: join(import.meta.dirname, 'fleet.yaml'), or join(__dirname, 'fleet.yaml') in CommonJS",
  },
  'fleet-file-empty': {
    severity: 'error',
    what: 'The fleet file is empty',
    why: 'A platform without clusters would delete the output of all of them',
    fix: 'list the clusters: `clusters: [{ name: home }]`',
  },
  'fleet-file-not-yaml': {
    severity: 'error',
    what: ({ message }: { message: string }) => `The fleet file is not YAML: ${message}`,
    why: 'Nothing in it can be trusted',
    fix: 'correct it there; an editor with support for YAML shows the place',
  },
  'fleet-file-expands': {
    severity: 'error',
    what: ({ part, size }: { part: string; size: string }) => `${part} expand to ${size}`,
    why: ({ most }: { most: number }) => `No fleet needs more than ${most} values: they would take all memory`,
    fix: 'put what all clusters have in common under defaults, into their ring or into the program that builds them, instead of aliases',
  },
  'secret-in-fleet-file': {
    severity: 'error',
    what: ({ path, secret }: { path: string; secret: string }) => `${path} holds ${secret}`,
    why: 'The file is in Git, where anyone who can read the repository has it, permanently',
    fix: 'remove it, change it wherever it is in use, and keep it in a Secret that is not in Git',
  },

  'fleet-entry-invalid': {
    severity: 'error',
    what: ({ path, fault }: { path: string; fault: string }) => `${path} ${fault}`,
    why: 'The library cannot tell what it means, and would build the clusters without it',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },

  // Clusters and rings.
  'fleet-name-repeated': {
    severity: 'error',
    what: ({ path, name, other }: Record<'path' | 'name' | 'other', string>) =>
      `${path} is called "${name}", as ${other} is`,
    why: 'The two could not be told apart',
    fix: ({ kind }: { kind: string }) => `give each of the ${kind} a name of its own`,
  },
  'fleet-ring-missing': {
    severity: 'error',
    what: ({ cluster }: { cluster: string }) => `The cluster ${cluster} is in no ring`,
    why: 'It is not known together with which clusters it takes a change',
    fix: ({ ring }: { ring: string }) => `give it one: ring: ${ring}`,
  },
  'fleet-ring-unknown': {
    severity: 'error',
    what: ({ cluster, ring }: { cluster: string; ring: string }) =>
      `The cluster ${cluster} is in the ring "${ring}", which does not exist`,
    why: ({ known }: { known: string }) => `The file has ${known}`,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'fleet-link-unknown': {
    severity: 'error',
    what: ({ cluster, link }: { cluster: string; link: string }) =>
      `The cluster ${cluster} links to "${link}", which is not another cluster of the file`,
    why: 'It has no services to mirror from there',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'fleet-release-unknown': {
    severity: 'error',
    what: ({ path, release }: { path: string; release: string }) => `${path} is ${release}`,
    why: ({ reason }: { reason: string }) => reason,
    fix: ({ remedy }: { remedy: string }) => remedy,
  },

  // Settings.
  'settings-schema-refused': {
    severity: 'error',
    what: ({ message }: { message: string }) => `The JSON Schema of the settings is not valid: ${message}`,
    why: 'No settings could be checked with it',
    fix: 'correct the schema; it must contain what it refers to',
  },
  'settings-invalid': {
    severity: 'error',
    what: ({ place, fault }: { place: string; fault: string }) => `${place} ${fault}`,
    why: 'The JSON Schema of the settings does not allow it',
    fix: ({ remedy }: { remedy: string }) => remedy,
  },
  'settings-check-refused': {
    severity: 'error',
    what: 'The option settings of readFleet is neither a JSON Schema nor a function',
    why: 'No settings could be checked with it',
    fix: "give it a schema as a map, { type: 'object', … }, or (settings, cluster) => …",
  },
  'settings-async': {
    severity: 'error',
    what: 'The function for settings returns a promise',
    why: 'Clusters are built at once, from the promise and not from settings, and what the function refuses is lost',
    fix: 'make it a function that is not async; read what it needs before readFleet is called',
  },
  'settings-refused': {
    severity: 'error',
    what: ({ exception }: { exception: string }) => `The settings are refused: ${exception}`,
    why: 'The function for settings, in the program, throws this',
    fix: 'correct them there, or under the ring or the defaults that they come from',
  },
});
