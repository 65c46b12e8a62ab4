import { counted } from '#base/counted';
import { listed } from '#base/findings/listed';
import { printableText } from '#base/findings/printable-text';
import { shellWord } from '#base/shell-word';
import { WARNING_CODES } from '../checks/warnings';
import { parseIndex } from '../gitops/synth/output/cluster-index';
import { ARGOCD_FOLDER } from '../gitops/synth/output/file-names';
import { linesText, tableText } from '../review/status/formats/text';

/** An output, read from the indexes of its folders. */
export interface FoundOutput {
  /** Relative to the working directory. */
  readonly folder: string;
  /** Names of folders with the texts of their indexes. */
  readonly indexes: ReadonlyMap<string, string>;
}

interface ClusterSummary {
  readonly name: string;
  readonly ring: string;
  readonly release: string;
  readonly warnings: string;
  /** Codes of warnings without an acknowledgement. */
  readonly open: readonly string[];
}

const MAX_ROWS = 20;
const MAX_CODES = 3;

/** Returns the clusters of an output, and useful next commands. */
export function overviewText({ folder, indexes }: FoundOutput, isInRepository: boolean): string {
  const clusters = [...indexes].filter(([name]) => name !== ARGOCD_FOLDER).map(([name, text]) => summaryOf(name, text));
  const shown = clusters.toSorted((a, b) => b.open.length - a.open.length).slice(0, MAX_ROWS);
  const rest = clusters.length - shown.length;
  const rows = rest === 0 ? clusters : shown;
  const lines = [
    `${folder}: ${counted(clusters.length, 'cluster')}`,
    '',
    tableText([
      ['CLUSTER', 'RING', 'LINKERD', 'WARNINGS'],
      ...rows.map(({ name, ring, release, warnings }) =>
        [name, ring, release, warnings].map((cell) => linesText([cell])),
      ),
    ]),
    ...(rest > 0 ? [`  and ${counted(rest, 'more cluster')}`] : []),
    '',
    'Next:',
    tableText(nextCommands(folder, clusters, isInRepository)),
  ];
  return `${printableText(lines.join('\n'))}\n`;
}

function summaryOf(name: string, text: string): ClusterSummary {
  const { ring = '-', installed, warnings, damage } = parseIndex(text);
  const open = (warnings ?? []).filter(({ reason }) => reason === undefined).map(({ code }) => code);
  const summary = { name, ring, release: installed?.releases.controlPlane ?? '-', open };
  if (damage !== undefined) return { ...summary, warnings: 'unknown: the index is damaged: synthesize again' };
  if (warnings === undefined) return { ...summary, warnings: 'not recorded' };
  const codes = `${open.length}: ${listed([...new Set(open)], MAX_CODES)}`;
  return { ...summary, warnings: open.length === 0 ? 'none' : codes };
}

const COMMAND = 'npx cdk8s-linkerd';

/** Three commands, each with its purpose. */
function nextCommands(
  folder: string,
  clusters: readonly ClusterSummary[],
  isInRepository: boolean,
): readonly (readonly string[])[] {
  const code = clusters.flatMap(({ open }) => open).find((one) => Object.hasOwn(WARNING_CODES, one));
  const option = (name: string) => (folder === DEFAULT_OUTPUT ? '' : ` ${name} ${shellWord(folder)}`);
  return [
    ...(code === undefined ? [] : [[`${COMMAND} explain ${code}`, 'explain the first warning']]),
    ...(isInRepository ? [[`${COMMAND} diff${option('--to')}`, 'show what changed since the default branch']] : []),
    [`${COMMAND} report${option('--from')}`, 'write a page about the clusters'],
    [`${COMMAND} status${option('--from')}`, 'compare the live clusters with the output'],
    [`${COMMAND} images${option('--from')}`, 'list the images that the clusters pull'],
  ].slice(0, 3);
}

/** The folder that commands read by default. */
export const DEFAULT_OUTPUT = 'dist';
