import { catalogue } from '#base/findings/catalogue';
import { didYouMean } from '#base/suggest';

const NEEDS_OWN_FOLDER =
  'Synth writes a folder for each cluster, which Argo CD reads, and replaces only its own files: the output needs a folder that has no other use';
const CHOOSE_FOLDER = "choose a folder that contains only the output: outdir: 'dist'";
const ONLY_OWN_FILES = 'Synth replaces only regular files that the index of the folder lists';

const EXACT_COPY = 'A promotion copies the output exactly as it was written and reviewed';
const SYNTHESIZE_FIRST = 'synthesize first: npx tsx main.ts';

const isMissing = ({ reference, users }: { reference: string; users: string }) =>
  `${reference} does not exist, but is used by ${users}`;
const NOT_PROVIDED = 'No construct of this cluster creates it or declares that it exists';

/** Findings about a cluster's output: its objects, their order, and its files. */
export const SYNTH_FINDINGS = catalogue({
  'cluster-built-async': {
    severity: 'error',
    what: 'The function that builds the cluster is async',
    why: 'Constructs that it creates after its first await would be missing in the output, and their files of an earlier output deleted',
    fix: 'await what it needs before addCluster, and build the cluster from the result',
  },
  'cluster-empty': {
    severity: 'error',
    what: 'The function that builds the cluster adds nothing to it',
    why: 'Synth would delete the earlier output of the cluster',
    fix: 'create constructs with the cluster as their scope, or remove the cluster from the platform',
  },
  'dependency-cycle': {
    severity: 'error',
    what: ({ cycle }: { cycle: string }) => `The component depends on itself: ${cycle}`,
    why: 'No order of these components satisfies all of their dependencies',
    fix: 'remove one of these dependencies; move a construct that depends on its parent out of the parent',
  },
  'reference-missing': {
    severity: 'error',
    ofAbsence: 'object',
    what: isMissing,
    why: NOT_PROVIDED,
    fix: ({ literal, similar }: { literal: string; similar?: string | undefined }) =>
      `correct the name${didYouMean(similar)}, create it, or declare that it exists: external: [${literal}]`,
  },
  'reference-missing/elsewhere': {
    severity: 'error',
    ofAbsence: 'object',
    what: isMissing,
    why: ({ namespaces }: { namespaces: string }) =>
      `${NOT_PROVIDED}; an object of that name is in another namespace: ${namespaces}`,
    fix: ({ literal }: { literal: string }) =>
      `correct the namespace, create it, or declare that it exists: external: [${literal}]`,
  },
  'reference-too-late': {
    severity: 'error',
    what: ({ reference, user }: { reference: string; user: string }) =>
      `${reference} is created in a later stage than ${user}, which needs it`,
    why: 'Argo CD applies a stage when all earlier stages are healthy: without the object, the earlier stage never becomes healthy',
    fix: 'order the components: dependsOn(the component that needs it, the one that provides it)',
  },
  'crds-undeclared': {
    severity: 'warning',
    ofAbsence: 'object',
    what: ({ kind, group, software }: Record<'kind' | 'group' | 'software', string>) =>
      `${kind} and other kinds of ${group} need the CRDs of ${software}, which nothing installs or declares`,
    why: 'Argo CD retries the sync, and the folder does not become healthy, until the CRDs are installed',
    fix: ({ software, crd }: { software: string; crd: string }) =>
      `install ${software} first, and declare it in the props of the cluster: external: [Reference.crd('${crd}')]`,
  },
  'object-duplicate': {
    severity: 'error',
    what: ({ things, other }: { things: string; other: string }) => `${other} emits ${things}, too`,
    why: 'One would overwrite the other, in the output or at every sync; the umbrella chart of a namespace has one set of values for each chart',
    fix: 'remove one of the two, or give them different names or namespaces; a cluster has only one mesh',
  },
  'object-incomplete/namespace': {
    severity: 'error',
    what: ({ object }: { object: string }) => `${object} has no namespace`,
    why: 'Its namespace would depend on the tool that applies it',
    fix: 'set metadata.namespace',
  },
  'name-too-long/file': {
    severity: 'error',
    what: ({ object, length }: { object: string; length: number }) =>
      `The file of ${object} would have a name of ${length} characters`,
    why: ({ most }: { most: number }) => `File systems accept at most ${most}`,
    fix: 'choose a shorter name for the object',
  },
  'secret-in-file': {
    severity: 'error',
    what: ({ secret }: { secret: string }) => `The file would contain ${secret}`,
    why: 'It is committed to Git, where everyone who can read the repository can read it, permanently',
    fix: 'remove it from the source of the file, and put it into a Secret that is not in Git',
  },
  'outdir-refused/file': {
    severity: 'error',
    what: ({ outdir, place }: { outdir: string; place: string }) => `outdir is ${outdir}, but ${place} is not a folder`,
    why: NEEDS_OWN_FOLDER,
    fix: CHOOSE_FOLDER,
  },
  'outdir-refused/root': {
    severity: 'error',
    what: ({ outdir }: { outdir: string }) => `outdir is ${outdir}, the root of the file system`,
    why: NEEDS_OWN_FOLDER,
    fix: CHOOSE_FOLDER,
  },
  'outdir-refused/home': {
    severity: 'error',
    what: ({ outdir }: { outdir: string }) => `outdir is ${outdir}, the home directory`,
    why: NEEDS_OWN_FOLDER,
    fix: CHOOSE_FOLDER,
  },
  'outdir-refused/working-directory': {
    severity: 'error',
    what: ({ outdir }: { outdir: string }) => `outdir is ${outdir}, which is or contains the working directory`,
    why: NEEDS_OWN_FOLDER,
    fix: CHOOSE_FOLDER,
  },
  'outdir-refused/obstacle': {
    severity: 'error',
    what: ({ path, obstacle }: { path: string; obstacle: string }) =>
      `${path} cannot be written: ${obstacle} is a link, a directory, or a file where a directory is needed`,
    why: ONLY_OWN_FILES,
    fix: ({ obstacle }: { obstacle: string }) =>
      `move ${obstacle} away, or delete it if it is an old output, and synthesize again`,
  },
  'outdir-refused/foreign': {
    severity: 'error',
    what: ({ path }: { path: string }) => `${path} cannot be written: synth did not write the existing file`,
    why: ONLY_OWN_FILES,
    fix: 'move the file away, or delete it if it is an old output, and synthesize again',
  },
  'foreign-file/applied': {
    severity: 'warning',
    what: ({ folder, files }: { folder: string; files: string }) =>
      `${folder} contains ${files}, which synth did not write`,
    why: 'Argo CD applies all files of the folder to the cluster, and no rule has checked these files',
    fix: 'move them to a folder that another Application deploys, create their objects in code, or delete them',
  },
  'foreign-file/removed-cluster': {
    severity: 'warning',
    what: ({ folder, files }: { folder: string; files: string }) =>
      `${folder} belongs to a removed cluster, and still contains ${files}, which synth did not write`,
    why: 'The Application of the removed cluster may still deploy these files',
    fix: 'move the files away, or delete them',
  },
  'index-damaged': {
    severity: 'warning',
    what: ({ index, damage }: { index: string; damage: string }) => `${index} is damaged: ${damage}`,
    why: 'Synth writes it again, but cannot delete files of an earlier output that it no longer lists',
    // The same text for all folders, so that a report prints it once.
    fix: 'compare the folder with Git, and delete the files that it should not contain',
  },
  'output-locked': {
    severity: 'error',
    what: ({ outdir, process }: { outdir: string; process: string }) =>
      `Another synthesis is writing ${outdir}: process ${process}`,
    why: "Two syntheses at once would delete each other's files",
    fix: ({ lock }: { lock: string }) =>
      `wait until it has ended, and synthesize again; if the process no longer exists, delete ${lock}`,
  },
  'output-locked/file': {
    severity: 'error',
    what: ({ lock }: { lock: string }) => `${lock}, which locks the output while it is written, is not a regular file`,
    why: "Without the lock, two syntheses at once would delete each other's files",
    fix: ({ lock }: { lock: string }) => `delete it: rm -r ${lock}`,
  },
  'promotion-refused/empty': {
    severity: 'error',
    what: ({ folder }: { folder: string }) => `${folder} has no output`,
    why: EXACT_COPY,
    fix: SYNTHESIZE_FIRST,
  },
  'promotion-refused/index': {
    severity: 'error',
    what: ({ folder, damage }: { folder: string; damage: string }) => `The index of ${folder} is damaged: ${damage}`,
    why: EXACT_COPY,
    fix: SYNTHESIZE_FIRST,
  },
  'promotion-refused/incomplete': {
    severity: 'error',
    what: ({ folder, missing }: { folder: string; missing: string }) =>
      `${folder} lacks ${missing}, which its index lists`,
    why: EXACT_COPY,
    fix: SYNTHESIZE_FIRST,
  },
});
