import type { Named } from '#base/named';

type FaultText = string | ((parameters: never) => string);

interface FaultEntry {
  readonly reason: FaultText;
  readonly remedy: FaultText;
}

/** The words of faults, by name. */
export type FaultTable = Readonly<Record<string, FaultEntry>>;

type Asked<T> = T extends (parameters: infer P) => string ? P : unknown;

/** A reason to refuse a chart, as a sentence and as data. */
export interface ChartFault {
  readonly fault: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly reason: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Returns the function that makes faults from a table. */
export function faultsOf<const Table extends FaultTable>(table: Table) {
  return <Name extends keyof Table & string>(
    fault: Name,
    parameters: Asked<Table[Name]['reason']> & Asked<Table[Name]['remedy']>,
  ): ChartFault => {
    const { reason, remedy } = table[fault] as FaultEntry;
    const given = parameters as ChartFault['parameters'];
    return { fault, parameters: given, reason: worded(reason, given), remedy: worded(remedy, given) };
  };
}

/** Returns a sentence with the values of its parameters. */
export function worded(text: FaultText, parameters: ChartFault['parameters']): string {
  return typeof text === 'string' ? text : (text as (parameters: ChartFault['parameters']) => string)(parameters);
}

type Quote = Named<'quote'>;

const quote = (parameters: Quote) => parameters.quote;

const NAME_IT = 'Name the folder or archive of a chart';
const LEAVE_OUT = 'Remove it, name it in .helmignore, or package the chart with `helm package`';
const pull = ({ name, version }: Named<'name' | 'version'>) =>
  `Run \`cdk8s-linkerd charts pull ${name} ${version} --repo URL\``;

/** Why a chart cannot be read or rendered. */
export const HELM_FAULTS = {
  library: { reason: 'library charts are not installable', remedy: 'Render a chart that depends on it' },
  'dependencies-missing': {
    reason: ({ names }: Named<'names'>) => `found in Chart.yaml, but missing in charts/ directory: ${names}`,
    remedy: 'Put its dependencies into charts/ with `helm dependency build`, or use the packaged chart, which has them',
  },
  'kubernetes-refused': {
    reason: ({ required, version }: Named<'required' | 'version'>) =>
      `chart requires kubeVersion: ${required} which is incompatible with Kubernetes ${version}`,
    remedy: 'Choose a release of the chart for this version of Kubernetes, or correct the version of the cluster',
  },
  'kubernetes-invalid': { reason: quote, remedy: 'Write the version of the cluster' },
  limit: { reason: quote, remedy: 'Check the values that the templates iterate over, or have Helm render the chart' },
  manifest: {
    reason: quote,
    remedy: 'The line number counts lines of the output. Change the values that the template prints, or the template',
  },
  template: { reason: quote, remedy: 'Set the values as the template needs them, or correct the template' },
  values: { reason: quote, remedy: 'Correct the values' },
  nesting: { reason: 'its values or documents are nested too deeply', remedy: 'Correct the chart' },
  'schema-refuses': {
    reason: ({ problems }: Named<'problems'>) =>
      `values don't meet the specifications of the schema(s) in the following chart(s): ${problems}`,
    remedy: 'Correct the values',
  },
  schema: { reason: quote, remedy: 'Correct the schema, or skip the validation of values' },
  unreadable: {
    reason: ({ path, error }: Named<'path' | 'error'>) => `${path} cannot be read (${error})`,
    remedy: NAME_IT,
  },
  'file-too-large': {
    reason: ({ most }: { readonly most: number }) => `it is larger than ${most} bytes`,
    remedy: 'Name the folder or archive of a chart; in a folder, remove the file or name it in .helmignore',
  },
  'helmignore-invalid': { reason: quote, remedy: 'Correct .helmignore' },
  'folders-too-deep': {
    reason: ({ most }: { readonly most: number }) => `its folders are nested more than ${most} levels deep`,
    remedy: LEAVE_OUT,
  },
  'link-broken': { reason: 'it is a broken link', remedy: LEAVE_OUT },
  'link-outside': { reason: 'it is a link to a path outside of the chart', remedy: LEAVE_OUT },
  'file-irregular': { reason: 'it is not a regular file', remedy: LEAVE_OUT },
  'chart-too-large': {
    reason: ({ files, bytes }: Readonly<Record<'files' | 'bytes', number>>) =>
      `the chart has more than ${files} files or ${bytes} bytes`,
    remedy: LEAVE_OUT,
  },
  archive: { reason: quote, remedy: 'Download the chart again, or package it with `helm package`' },
  'dependency-folder': {
    reason: 'it is a folder, not an archive',
    remedy: ({ folder }: Named<'folder'>) => `Rename the folder charts/${folder}`,
  },
  'metadata-missing': {
    reason: 'Chart.yaml file is missing',
    remedy: 'Name the folder that contains Chart.yaml, or remove everything from charts/ that is not a chart',
  },
  'file-invalid': {
    reason: quote,
    remedy: ({ path }: Named<'path'>) => `Correct ${path}`,
  },
  'file-no-map': {
    reason: 'it is not a YAML map',
    remedy: ({ path }: Named<'path'>) => `Correct ${path}`,
  },
  'lock-invalid': { reason: quote, remedy: 'Restore it from Git, or delete it and pull the charts again' },
  'lock-missing': {
    reason: ({ folder, lock }: Named<'folder' | 'lock'>) => `the folder of charts, ${folder}, has no ${lock}`,
    remedy: pull,
  },
  'archive-missing': { reason: 'the archive is missing', remedy: pull },
  'archive-changed': {
    reason: ({ digest, lock, locked }: Named<'digest' | 'lock' | 'locked'>) =>
      `the digest of the archive is ${digest}, but ${lock} names ${locked}`,
    remedy: 'Restore the archive from Git, or review it, and pull it with --force',
  },
} as const satisfies FaultTable;

/** Returns a fault of a chart. */
export const helmFault = faultsOf(HELM_FAULTS);
