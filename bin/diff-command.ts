import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { printableText } from '#base/findings/printable-text';
import { chartInflater } from '#lib/cli/inflate-chart';
import { ARGOCD_FOLDER } from '#lib/gitops/synth/output/file-names';
import type { Output } from '#lib/review/compare/output';
import { outputDiff } from '#lib/review/diff/diff';
import type { DiffFormat } from '#lib/review/diff/formats/formats';
import { renderDiff } from '#lib/review/diff/formats/render';
import { allFilesInFolder, clustersInFolder } from './folder-output';
import { baseRevision, filesAtRevision } from './git-output';
import { clustersInRing } from './ring-choice';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `diff`. */
export interface DiffOptions {
  readonly to: string;
  readonly format: DiffFormat;
  readonly limit: number;
  readonly ring?: string;
  readonly exitCode?: true;
}

/** Prints the differences between an earlier output, at a revision or in a folder, and a later output. */
export function diff(from: string | undefined, options: DiffOptions, { stdout }: Terminal): number {
  const later = resolve(options.to);
  if (!isFolder(later)) throw new Misuse(`--to ${options.to} is not a folder; synthesize first`);
  const { before, after, name } = outputs(from, later);
  if ([...before.keys(), ...after.keys()].every((folder) => folder === ARGOCD_FOLDER)) {
    throw new Misuse(`neither ${name} nor ${options.to} contains a cluster: they are not the output of a Platform`);
  }
  const only = options.ring === undefined ? undefined : clustersInRing(options.ring, before, after);
  const named = { before, after, from: name, to: options.to };
  const found = outputDiff({ ...named, ...(only && { only }), inflate: chartInflater() });
  stdout.write(printableText(renderDiff(found, options.format, options.limit)));
  return options.exitCode && found.groups.length > 0 ? EXIT.refused : EXIT.done;
}

interface BothOutputs {
  readonly before: Output;
  readonly after: Output;
  readonly name: string;
}

/** Reads the clusters of each output in the other output, too, even without an index there. */
function outputs(from: string | undefined, later: string): BothOutputs {
  const now = clustersInFolder(later);
  if (from !== undefined && isFolder(from)) {
    const earlier = resolve(from);
    const names = [...new Set([...clustersInFolder(earlier), ...now])];
    return { before: allFilesInFolder(earlier, names), after: allFilesInFolder(later, names), name: from };
  }
  const { revision, name } = from === undefined ? baseRevision(later) : { revision: from, name: from };
  const before = filesAtRevision(revision, later, { option: '', clusters: now });
  return { before, after: allFilesInFolder(later, [...new Set([...before.keys(), ...now])]), name };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
