import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';
import { MISFIT_CASES, type MisfitParameters, misfitFix, misfitText } from '#kubernetes/schemas/findings';

const NO_CLUSTERS = 'The file lists the clusters: without them nothing can be synthesized';
const NAME_FILE =
  "name a YAML file, relative to the working directory or absolute: join(import.meta.dirname, 'fleet.yaml'), or join(__dirname, 'fleet.yaml') in CommonJS";

const TOO_MANY = 'So many values would use up the memory of synth, and no fleet needs them';
const REPLACE_ALIASES =
  'replace the aliases: move what clusters have in common to defaults, to their ring, or to the program that builds them';

/** Findings about fleet files and the settings in them. */
export const FLEET_FINDINGS = catalogue({
  // The file.
  'file-unreadable/fleet': {
    severity: 'error',
    what: ({ file, reason }: { file: string; reason: string }) => `The fleet file ${file} cannot be read (${reason})`,
    why: NO_CLUSTERS,
    fix: NAME_FILE,
  },
  'file-unreadable/fleet-encoding': {
    severity: 'error',
    what: ({ file }: { file: string }) => `The fleet file ${file} is not text in UTF-8`,
    why: NO_CLUSTERS,
    fix: NAME_FILE,
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
    fix: 'correct the line; an editor with support for YAML marks it',
  },
  'fleet-file-refused/aliases': {
    severity: 'error',
    what: 'The fleet file has more than ten thousand aliases, or aliases that expand to more than a million values or contain themselves',
    why: TOO_MANY,
    fix: REPLACE_ALIASES,
  },
  'fleet-file-refused/settings': {
    severity: 'error',
    what: ({ size }: { size: number }) =>
      `The settings of all clusters, each with those of the fleet and of its ring, expand to ${size} values`,
    why: TOO_MANY,
    fix: REPLACE_ALIASES,
  },
  'secret-in-file/fleet': {
    severity: 'error',
    what: ({ path, secret }: { path: string; secret: string }) => `${path} contains ${secret}`,
    why: 'The file is in Git: everyone with access to the repository can read it, also in the history after it is removed',
    fix: 'remove it, replace it wherever it is in use, and keep it in a Secret that is not in Git',
  },

  'fleet-entry-invalid': {
    severity: 'error',
    what: (misfit: { path: string } & MisfitParameters) => `${misfit.path} ${misfitText(misfit)}`,
    why: 'It would have no effect: the clusters would be built without it',
    fix: misfitFix,
    cases: MISFIT_CASES,
  },
  'fleet-entry-invalid/file': {
    severity: 'error',
    what: ({ value }: { value: string }) => `The fleet file is ${value}, not a map`,
    why: 'The clusters are listed in a map',
    fix: 'write a map in UTF-8, with the list of clusters in `clusters:`',
  },

  // Clusters and rings.
  'cluster-name-taken/fleet': {
    severity: 'error',
    what: ({ name, other }: Record<'name' | 'other', string>) => `The name "${name}" is already that of ${other}`,
    why: 'Each folder of the output has the name of its cluster: one would overwrite the files of the other',
    fix: 'give each cluster a different name',
  },
  'ring-refused/fleet': {
    severity: 'error',
    what: ({ name, other }: Record<'name' | 'other', string>) => `The name "${name}" is already that of ${other}`,
    why: 'It is ambiguous which of the two rings a cluster is in',
    fix: 'give each ring a different name',
  },
  'ring-missing/fleet': {
    severity: 'error',
    what: 'The cluster is in no ring',
    why: 'Rings define the order in which clusters receive a change, and this cluster has no place in it',
    fix: ({ ring }: { ring: string }) => `set its ring, for example ring: ${ring}`,
  },
  'ring-unknown/fleet': {
    severity: 'error',
    what: ({ ring }: { ring: string }) => `The cluster is in the ring "${ring}", which the file does not list`,
    why: ({ known }: { known: string }) =>
      known === '' ? 'The file lists no rings' : `The rings of the file are: ${known}`,
    fix: ({ similar }: { similar?: string | undefined }) =>
      `correct the name${didYouMean(similar)}, or list the ring in rings`,
  },
  'cluster-unknown/fleet': {
    severity: 'error',
    what: ({ link }: { link: string }) => `The cluster links to "${link}", which is not a cluster of the file`,
    why: 'The link would have no cluster to mirror services from',
    fix: ({ similar }: { similar?: string | undefined }) =>
      `correct the name${didYouMean(similar)}, or remove the link`,
  },
  'cluster-unknown/itself': {
    severity: 'error',
    what: 'The cluster links to itself',
    why: 'All exported services would be mirrored into the same cluster',
    fix: 'name other clusters of the file, or remove the link',
  },
  'version-unknown/fleet': {
    severity: 'error',
    what: ({ path, release }: { path: string; release: string }) =>
      `${path} is ${release}, which is not a known release`,
    why: 'The library has the charts of some releases only, and cannot render others',
    fix: ({ example }: { example: string }) =>
      `set it to a release that docs/reference/releases.md lists, for example '${example}'`,
  },
  'version-unknown/number': {
    severity: 'error',
    what: ({ path, release }: { path: string; release: string }) => `${path} is ${release}, a number`,
    why: 'YAML reads 2.20 without quotes as the number 2.2, which is not the name of a release',
    fix: ({ meant }: { meant: string }) => `write it in quotes: '${meant}'`,
  },

  // Settings.
  'settings-invalid': {
    severity: 'error',
    what: (misfit: { path: string } & MisfitParameters) => `settings: ${misfit.path} ${misfitText(misfit)}`,
    why: 'The JSON Schema of the settings does not allow it',
    fix: misfitFix,
    cases: MISFIT_CASES,
  },
  'settings-refused': {
    severity: 'error',
    what: ({ exception }: { exception: string }) => `The settings are refused: ${exception}`,
    why: 'The function that the program passes to readFleet as settings throws this error',
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
